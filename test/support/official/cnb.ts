/** Česká národní banka: the fixings of a year, and the fixing valid on a day. */

import { officialSheet } from "#demo/official-sheet.ts";
import { type Answer, type DemoRequest, json, notFound, withoutTrailingZeros } from "#demo/request.ts";
import { atWallTime } from "#domain/time/calendar.ts";
import { type Day, dayOf, formatDay, parseDay, yearOf } from "#domain/time/day.ts";
import { dailyTable, isOpenDay, linesOf } from "./tables.ts";

const CODES =
  "AUD BRL CAD CNY DKK EUR HKD HUF ISK XDR INR IDR ILS " +
  "JPY MYR MXN NZD NOK PHP PLN RON SGD ZAR KRW SEK CHF THB TRY GBP USD";
const UNITS = { HUF: 100, ISK: 100, INR: 100, IDR: 1000, JPY: 100, PHP: 100, KRW: 100, THB: 100, TRY: 100 };
const CNB_LINES = linesOf(CODES, 3, UNITS);

/** Declared after 14:30, of the market at 14:15: the very moment of the euro's reference rates. */
const CNB_TABLE = dailyTable({
  id: "cze_fixing",
  currency: "CZK",
  lines: CNB_LINES,
  sixteenths: 0,
  isDay: isOpenDay,
  publishedAt: (day) => atWallTime("Europe/Berlin", day, 14, 35),
});

/** `daily-year?year=2026`, or `daily?date=2026-11-20`: the fixing valid on that day, so on a Sunday that of Friday. */
export function cnbApi(request: DemoRequest): Answer {
  const { pathname, searchParams } = request.url;
  const sheet = officialSheet(request, CNB_TABLE);
  const listOf = (days: readonly Day[]) => {
    const rates = days.flatMap((day) => {
      const date = formatDay(sheet.printedDay(day));
      return CNB_LINES.map((line) => {
        const rate = withoutTrailingZeros(sheet.printed(line, day));
        return `{"currencyCode":"${line.code}","amount":${line.unit},"validFor":"${date}","rate":${rate}}`;
      });
    });
    return json(`{"rates":[${rates.join(",")}]}`);
  };
  if (pathname === "/cnbapi/exrates/daily") {
    const date = parseDay(searchParams.get("date") ?? "") ?? sheet.newest;
    return listOf(sheet.days(date - 14, date).slice(-1));
  }
  if (pathname !== "/cnbapi/exrates/daily-year") return notFound();
  const year = Number(searchParams.get("year") ?? yearOf(sheet.newest));
  const first = dayOf(year, 1, 1);
  if (first === null || !(year >= 1991 && year <= 9000))
    return json('{"errorCode":"VALIDATION_ERROR","description":"year"}', 400);
  return listOf(sheet.days(first, dayOf(year, 12, 31) as Day));
}
