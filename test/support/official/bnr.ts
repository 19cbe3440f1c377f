/** curs.bnr.ro: the reference rates of a year, and of the last ten working days, as XML without line breaks. */

import { type OfficialSheet, officialSheet } from "#demo/official-sheet.ts";
import { type Answer, type DemoRequest, notFound } from "#demo/request.ts";
import { atWallTime } from "#domain/time/calendar.ts";
import { type Day, dayOf, formatDay, MILLISECONDS_PER_DAY } from "#domain/time/day.ts";
import { dailyTable, isOpenDay, linesOf } from "./tables.ts";

const CODES =
  "AED AUD BRL CAD CHF CNY CZK DKK EUR GBP HKD HUF IDR ILS INR ISK JPY KRW MXN MYR NOK NZD PHP PLN SEK SGD THB TRY USD XAU XDR ZAR";
const UNITS = { HUF: 100, IDR: 100, ISK: 100, JPY: 100, KRW: 100 };

/** At 13:00 in Bucharest, which is 12:00 in Frankfurt. */
const BNR_TABLE = dailyTable({
  id: "rou_reference",
  currency: "RON",
  lines: linesOf(CODES, 4, UNITS),
  sixteenths: -2,
  began: dayOf(2005, 7, 1) as Day,
  isDay: isOpenDay,
  publishedAt: (day) => atWallTime("Europe/Berlin", day, 12, 0),
});

export function bnr(request: DemoRequest): Answer {
  const { pathname } = request.url;
  const sheet = officialSheet(request, BNR_TABLE);
  const answer = (days: readonly Day[]): Answer => ({
    contentType: "application/xml",
    body: () => document(sheet, days),
    lastModified: sheet.changedAt,
  });
  if (pathname === "/nbrfxrates.xml") return answer([sheet.newest]);
  if (pathname === "/nbrfxrates10days.xml")
    return answer(sheet.days(sheet.newest - 30, sheet.newest).slice(-10));
  const year = /^\/files\/xml\/years\/nbrfxrates(\d{4})\.xml$/.exec(pathname)?.[1];
  const first = year === undefined ? null : dayOf(Number(year), 1, 1);
  if (first === null || first > request.now / MILLISECONDS_PER_DAY || Number(year) < 2005) return notFound();
  return answer(sheet.days(first, dayOf(Number(year), 12, 31) as Day));
}

function document(sheet: OfficialSheet, days: readonly Day[]): string {
  const cubes = days.map((day) => {
    const rates = BNR_TABLE.lines.map((line) => {
      const multiplier = line.unit === 1 ? "" : ` multiplier="${line.unit}"`;
      return `<Rate currency="${line.code}"${multiplier}>${sheet.printed(line, day)}</Rate>`;
    });
    return `<Cube date="${formatDay(sheet.printedDay(day))}">${rates.join("")}</Cube>`;
  });
  return `<?xml version="1.0" encoding="utf-8"?>
<DataSet xmlns="https://www.bnr.ro/xsd" xmlns:xsi="https://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="https://curs.bnr.ro/xsd/nbrfxrates.xsd"><Header><Publisher>National Bank of Romania</Publisher><PublishingDate>${formatDay(sheet.newest)}</PublishingDate><MessageType>DR</MessageType></Header><Body><Subject>Reference rates</Subject><OrigCurrency>RON</OrigCurrency>${cubes.join("")}</Body></DataSet>
`;
}
