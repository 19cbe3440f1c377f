/** api.nbp.pl: tables A and C (working days) and B (Wednesdays) with their numbers; at most 93 days a call, 404 where there is none. */

import { type Answer, json, notFound, type Visit } from "#demo/visit.ts";
import { atWallTime } from "#domain/time/calendar.ts";
import { type Day, dayOf, formatDay, parseDay, weekdayOf, yearOf } from "#domain/time/day.ts";
import { isPolishDay, openBefore } from "./calendars.ts";
import { type NamedLine, NBP_A_LINES, NBP_B_LINES, NBP_C_CODES } from "./nbp-lines.ts";
import { type OfficialSheet, officialSheet } from "./sheet.ts";
import { dailyTable, numberIn, type SimulatedTable } from "./table.ts";

/** The archive begins. */
const BEGAN = dayOf(2002, 1, 2) as Day;
const MOST_DAYS = 93;

const TABLE_A = tableOf("pol_a", NBP_A_LINES, isPolishDay);
const TABLE_B = tableOf("pol_b", NBP_B_LINES, isWeekly);
/** Shown at eight in the morning, with what the bank pays and asks. */
const TABLE_C = tableOf(
  "pol_c",
  NBP_A_LINES.filter(({ code }) => NBP_C_CODES.has(code)),
  isPolishDay,
  8,
);
const SHARES = { bid: 0.99, ask: 1.01 } as const;
export const NBP_TABLES = [TABLE_A, TABLE_B, TABLE_C] as const;

function tableOf(
  id: string,
  lines: readonly NamedLine[],
  isDay: (day: Day) => boolean,
  hour = 12,
): SimulatedTable & { readonly lines: readonly NamedLine[] } {
  // Of the market an hour or more before: earlier than 14:15 in Frankfurt, in the same zone.
  const publishedAt = (day: Day) => atWallTime("Europe/Berlin", day, hour, 0);
  const table = {
    id,
    currency: "PLN",
    lines,
    sixteenths: hour === 12 ? -2 : -5,
    began: BEGAN,
    isDay,
    publishedAt,
  } as const;
  return { ...dailyTable(table), lines };
}

/** Wednesday, or the first working day after one that is none. */
function isWeekly(day: Day): boolean {
  let weekly = day - ((weekdayOf(day) + 4) % 7);
  while (!isPolishDay(weekly)) weekly++;
  return day === weekly;
}

const PATH = /^\/api\/exchangerates\/tables\/([A-Ca-c])\/(\d{4}-\d{2}-\d{2})\/(\d{4}-\d{2}-\d{2})\/?$/;

export function nbp(visit: Visit): Answer {
  const [, letter = "", first = "", last = ""] = PATH.exec(visit.url.pathname) ?? [];
  if (letter === "") return notFound();
  const [from, to] = [parseDay(first), parseDay(last)];
  if (from === null || to === null || from > to) {
    return said(400, "400 BadRequest - Błędny zakres dat / Invalid date range");
  }
  if (to - from >= MOST_DAYS) {
    return said(400, "400 BadRequest - Przekroczony limit 93 dni / Limit of 93 days has been exceeded");
  }
  const table = { A: TABLE_A, B: TABLE_B, C: TABLE_C }[letter.toUpperCase()] ?? TABLE_A;
  const sheet = officialSheet(visit, table);
  const days = sheet.days(from, to);
  if (days.length === 0) return said(404, "404 NotFound - Not Found - Brak danych");
  return json(`[${days.map((day) => tableText(sheet, table, letter.toUpperCase(), day)).join(",")}]`);
}

function tableText(
  sheet: OfficialSheet,
  table: { readonly lines: readonly NamedLine[] } & SimulatedTable,
  letter: string,
  day: Day,
): string {
  const number = `${String(numberIn(table, day)).padStart(3, "0")}/${letter}/NBP/${yearOf(day)}`;
  const isSpread = letter === "C";
  const rates = table.lines.map((line) => {
    const of = (share: number) => sheet.printed(line, day, share);
    const figures = isSpread ? `"bid":${of(SHARES.bid)},"ask":${of(SHARES.ask)}` : `"mid":${of(1)}`;
    return `{"currency":"${line.name}","code":"${line.code}",${figures}}`;
  });
  const date = formatDay(sheet.shownDay(day));
  const trading = isSpread ? `"tradingDate":"${formatDay(openBefore(isPolishDay, day))}",` : "";
  return `{"table":"${letter}","no":"${number}",${trading}"effectiveDate":"${date}","rates":[${rates.join(",")}]}`;
}

function said(status: number, text: string): Answer {
  return { status, contentType: "text/plain; charset=utf-8", body: () => text };
}
