/** api.nbp.pl: tables A and C (working days) and B (Wednesdays) with their numbers; at most 93 days a call, 404 where there is none. */

import {
  type Line,
  type OfficialSheet,
  officialSheet,
  openBefore,
  type SimulatedTable,
} from "#demo/official-sheet.ts";
import { type Answer, type DemoRequest, json, notFound } from "#demo/request.ts";
import { atWallTime } from "#domain/time/calendar.ts";
import { type Day, dayOf, formatDay, parseDay, weekdayOf, yearOf } from "#domain/time/day.ts";
import { dailyTable, isOpenDay, linesOf, numberIn } from "./tables.ts";

const A_CODES =
  "THB USD AUD HKD CAD NZD SGD EUR HUF CHF GBP JPY CZK DKK ISK NOK SEK RON TRY ILS PHP MXN ZAR BRL MYR IDR INR KRW CNY XDR";
const SIX_DECIMALS = ["HUF", "JPY", "ISK", "INR", "KRW"];
const A_LINES = linesOf(A_CODES, 4, {}).map((line) => {
  const decimals = line.code === "IDR" ? 8 : SIX_DECIMALS.includes(line.code) ? 6 : 4;
  return { ...line, decimals };
});
const B_LINES = linesOf("AED BAM BHD JOD MKD OMR PAB QAR SAR TWD XAF XOF", 4, {});
/** Table C has these of table A. */
const C_CODES = "USD AUD CAD EUR HUF CHF GBP JPY CZK DKK NOK SEK XDR".split(" ");
const C_LINES = A_LINES.filter(({ code }) => C_CODES.includes(code));

/** The archive begins. */
const BEGAN = dayOf(2002, 1, 2) as Day;
const MOST_DAYS = 93;

const TABLE_A = tableOf("pol_a", A_LINES, isOpenDay);
const TABLE_B = tableOf("pol_b", B_LINES, isWeekly);
/** Published at eight in the morning, with the bank's bid and ask. */
const TABLE_C = tableOf("pol_c", C_LINES, isOpenDay, 8);
const SHARES = { bid: 0.99, ask: 1.01 } as const;
function tableOf(id: string, lines: readonly Line[], isDay: (day: Day) => boolean, hour = 12) {
  // Of the market an hour or more before: earlier than 14:15 in Frankfurt, in the same zone.
  const publishedAt = (day: Day) => atWallTime("Europe/Berlin", day, hour, 0);
  const sixteenths = hour === 12 ? -2 : -5;
  return dailyTable({ id, currency: "PLN", lines, sixteenths, began: BEGAN, isDay, publishedAt });
}

/** Wednesday, or the first working day after one that is none. */
function isWeekly(day: Day): boolean {
  let weekly = day - ((weekdayOf(day) + 4) % 7);
  while (!isOpenDay(weekly)) weekly++;
  return day === weekly;
}

const PATH = /^\/api\/exchangerates\/tables\/([A-Ca-c])\/(\d{4}-\d{2}-\d{2})\/(\d{4}-\d{2}-\d{2})\/?$/;

export function nbp(request: DemoRequest): Answer {
  const [, letter = "", first = "", last = ""] = PATH.exec(request.url.pathname) ?? [];
  if (letter === "") return notFound();
  const [from, to] = [parseDay(first), parseDay(last)];
  if (from === null || to === null || from > to || to - from >= MOST_DAYS) {
    return plain(400, "400 BadRequest - Przekroczony limit 93 dni / Limit of 93 days has been exceeded");
  }
  const table = { A: TABLE_A, B: TABLE_B, C: TABLE_C }[letter.toUpperCase()] ?? TABLE_A;
  const sheet = officialSheet(request, table);
  const days = sheet.days(from, to);
  if (days.length === 0) return plain(404, "404 NotFound - Not Found - Brak danych");
  return json(`[${days.map((day) => tableText(sheet, table, letter.toUpperCase(), day)).join(",")}]`);
}

function tableText(sheet: OfficialSheet, table: SimulatedTable, letter: string, day: Day): string {
  const number = `${String(numberIn(table, day)).padStart(3, "0")}/${letter}/NBP/${yearOf(day)}`;
  const isSpread = letter === "C";
  const rates = table.lines.map((line) => {
    const of = (share: number) => sheet.printed(line, day, share);
    const figures = isSpread ? `"bid":${of(SHARES.bid)},"ask":${of(SHARES.ask)}` : `"mid":${of(1)}`;
    return `{"code":"${line.code}",${figures}}`;
  });
  const date = formatDay(sheet.printedDay(day));
  const trading = isSpread ? `"tradingDate":"${formatDay(openBefore(isOpenDay, day))}",` : "";
  return `{"table":"${letter}","no":"${number}",${trading}"effectiveDate":"${date}","rates":[${rates.join(",")}]}`;
}

function plain(status: number, text: string): Answer {
  return { status, contentType: "text/plain; charset=utf-8", body: () => text };
}
