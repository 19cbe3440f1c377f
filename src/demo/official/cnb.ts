/** Česká národní banka: the fixings of a year as JSON, and the fixing valid on a day as text with its number. */

import { withoutTrailingZeros } from "#demo/digits.ts";
import { type Answer, json, notFound, type Visit } from "#demo/visit.ts";
import { atWallTime } from "#domain/time/calendar.ts";
import { type Day, dayOf, formatDay, yearOf } from "#domain/time/day.ts";
import { isCzechDay } from "./calendars.ts";
import { CNB_LINES } from "./cnb-lines.ts";
import { dayFrom, dayNameYear } from "./printed-day.ts";
import { officialSheet } from "./sheet.ts";
import { dailyTable, numberIn } from "./table.ts";

/** Declared after 14:30, of the market at 14:15: the very moment of the euro's reference rates. */
export const CNB_TABLE = dailyTable({
  id: "cze_fixing",
  currency: "CZK",
  lines: CNB_LINES,
  sixteenths: 0,
  isDay: isCzechDay,
  publishedAt: (day) => atWallTime("Europe/Berlin", day, 14, 35),
});

/** `?year=2026&lang=EN`; without a year, the running one. */
export function cnbApi(visit: Visit): Answer {
  const { pathname, searchParams } = visit.url;
  if (pathname !== "/cnbapi/exrates/daily-year") return notFound();
  const sheet = officialSheet(visit, CNB_TABLE);
  const year = Number(searchParams.get("year") ?? yearOf(sheet.newest));
  const first = dayOf(year, 1, 1);
  if (first === null || !(year >= 1991 && year <= 9000)) {
    return json('{"errorCode":"VALIDATION_ERROR","description":"year"}', 400);
  }
  const rates = sheet.days(first, dayOf(year, 12, 31) as Day).flatMap((day) => {
    const date = formatDay(sheet.shownDay(day));
    return CNB_LINES.map((line) => {
      const rate = withoutTrailingZeros(sheet.printed(line, day));
      return `{"currencyCode":"${line.code}","amount":${line.unit},"validFor":"${date}","rate":${rate}}`;
    });
  });
  return json(`{"rates":[${rates.join(",")}]}`);
}

const TEXT =
  "/en/financial-markets/foreign-exchange-market/central-bank-exchange-rate-fixing/central-bank-exchange-rate-fixing/daily.txt";
/** `?date=DD.MM.YYYY`; the fixing valid on that day, so on a Sunday that of Friday. */
export function cnbText(visit: Visit): Answer {
  const { pathname, searchParams } = visit.url;
  if (pathname !== TEXT) return notFound();
  const sheet = officialSheet(visit, CNB_TABLE);
  const [, date, month, year] = /^(\d{2})\.(\d{2})\.(\d{4})$/.exec(searchParams.get("date") ?? "") ?? [];
  const asked = year === undefined ? sheet.newest : dayFrom(year, month, date);
  const day = asked === null ? undefined : sheet.days(asked - 14, asked).at(-1);
  if (day === undefined) return notFound();
  const lines = CNB_LINES.map(
    (line) => `${line.country}|${line.name}|${line.unit}|${line.code}|${sheet.printed(line, day)}\n`,
  );
  const heading = `${dayNameYear(sheet.shownDay(day), " ")} #${numberIn(CNB_TABLE, day)}\n`;
  const text = `${heading}Country|Currency|Amount|Code|Rate\n${lines.join("")}`;
  return { contentType: "text/plain;charset=UTF-8", body: () => text };
}
