/** The Bank of Canada's Valet API: daily averages at 16:30 in Ottawa, one entry a business day, with the series' descriptions. */

import { officialSheet } from "#demo/official-sheet.ts";
import { type Answer, type DemoRequest, json } from "#demo/request.ts";
import { atWallTime } from "#domain/time/calendar.ts";
import { type Day, dayOf, formatDay, parseDay } from "#domain/time/day.ts";
import { dailyTable, isOpenDay } from "./tables.ts";

/** Code and decimals, in the order of the answer. */
const SERIES =
  "AUD4 BRL4 CNY4 EUR4 HKD4 INR5 IDR6 JPY6 MXN5 NZD4 NOK4 SAR4 SGD4 ZAR5 KRW6 SEK4 CHF4 TWD5 TRY5 GBP4 USD4";

const BOC_TABLE = dailyTable({
  id: "can_daily",
  currency: "CAD",
  lines: SERIES.split(" ").map((text) => ({ code: text.slice(0, 3), unit: 1, decimals: Number(text[3]) })),
  // Averages over the business day in the east: as at 11:15.
  sixteenths: 2,
  began: dayOf(2017, 1, 3) as Day,
  isDay: isOpenDay,
  publishedAt: (day) => atWallTime("America/New_York", day, 16, 30),
});

/** The days of a window. */
export function boc(request: DemoRequest): Answer {
  const { pathname, searchParams } = request.url;
  const [from, to] = ["start_date", "end_date"].map((name) => parseDay(searchParams.get(name) ?? ""));
  if (pathname !== "/valet/observations/group/FX_RATES_DAILY/json" || from == null || to == null)
    return json('{"message":"The page you are looking for could not be found."}', 404);
  const sheet = officialSheet(request, BOC_TABLE);
  const observations = sheet.days(from, to).map((day) => ({
    d: formatDay(sheet.printedDay(day)),
    ...Object.fromEntries(
      BOC_TABLE.lines.map((line) => [`FX${line.code}CAD`, { v: sheet.printed(line, day) }]),
    ),
  }));
  return json(JSON.stringify({ observations }));
}
