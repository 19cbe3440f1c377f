/** Česká národní banka: the fixings of a year as JSON, and the fixing valid on a day as text with its number. */

import { type Line, officialSheet } from "#demo/official-sheet.ts";
import {
  type Answer,
  type DemoRequest,
  dayFrom,
  json,
  notFound,
  withoutTrailingZeros,
} from "#demo/request.ts";
import { atWallTime } from "#domain/time/calendar.ts";
import { type Day, dayOf, formatDay, yearOf } from "#domain/time/day.ts";
import { isCzechDay } from "./calendars.ts";
import { dailyTable, dayNameYear, numberIn } from "./tables.ts";

export interface CnbLine extends Line {
  readonly country: string;
  readonly name: string;
}

const TABLE = `
Australia|dollar|1|AUD
Brazil|real|1|BRL
Canada|dollar|1|CAD
China|renminbi|1|CNY
Denmark|krone|1|DKK
EMU|euro|1|EUR
Hongkong|dollar|1|HKD
Hungary|forint|100|HUF
Iceland|krona|100|ISK
IMF|SDR|1|XDR
India|rupee|100|INR
Indonesia|rupiah|1000|IDR
Israel|new shekel|1|ILS
Japan|yen|100|JPY
Malaysia|ringgit|1|MYR
Mexico|peso|1|MXN
New Zealand|dollar|1|NZD
Norway|krone|1|NOK
Philippines|peso|100|PHP
Poland|zloty|1|PLN
Romania|leu|1|RON
Singapore|dollar|1|SGD
South Africa|rand|1|ZAR
South Korea|won|100|KRW
Sweden|krona|1|SEK
Switzerland|franc|1|CHF
Thailand|baht|100|THB
Turkey|lira|100|TRY
United Kingdom|pound|1|GBP
USA|dollar|1|USD
`;

const CNB_LINES: readonly CnbLine[] = TABLE.trim()
  .split("\n")
  .map((line) => {
    const [country = "", name = "", unit = "", code = ""] = line.split("|");
    return { country, name, unit: Number(unit), code, decimals: 3 };
  });

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
export function cnbApi(request: DemoRequest): Answer {
  const { pathname, searchParams } = request.url;
  if (pathname !== "/cnbapi/exrates/daily-year") return notFound();
  const sheet = officialSheet(request, CNB_TABLE);
  const year = Number(searchParams.get("year") ?? yearOf(sheet.newest));
  const first = dayOf(year, 1, 1);
  if (first === null || !(year >= 1991 && year <= 9000)) {
    return json('{"errorCode":"VALIDATION_ERROR","description":"year"}', 400);
  }
  const rates = sheet.days(first, dayOf(year, 12, 31) as Day).flatMap((day) => {
    const date = formatDay(sheet.printedDay(day));
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
export function cnbText(request: DemoRequest): Answer {
  const { pathname, searchParams } = request.url;
  if (pathname !== TEXT) return notFound();
  const sheet = officialSheet(request, CNB_TABLE);
  const [, date, month, year] = /^(\d{2})\.(\d{2})\.(\d{4})$/.exec(searchParams.get("date") ?? "") ?? [];
  const requested = year === undefined ? sheet.newest : dayFrom(year, month, date);
  const day = requested === null ? undefined : sheet.days(requested - 14, requested).at(-1);
  if (day === undefined) return notFound();
  const lines = CNB_LINES.map(
    (line) => `${line.country}|${line.name}|${line.unit}|${line.code}|${sheet.printed(line, day)}\n`,
  );
  const heading = `${dayNameYear(sheet.printedDay(day), " ")} #${numberIn(CNB_TABLE, day)}\n`;
  const text = `${heading}Country|Currency|Amount|Code|Rate\n${lines.join("")}`;
  return { contentType: "text/plain;charset=UTF-8", body: () => text };
}
