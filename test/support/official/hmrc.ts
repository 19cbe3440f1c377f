/** HM Revenue & Customs' monthly file: published on the penultimate Thursday of the month before; several countries share a currency. */

import { officialSheet, type SimulatedTable } from "#demo/official-sheet.ts";
import { type Answer, type DemoRequest, dayFrom, notFound } from "#demo/request.ts";
import { penultimateInMonth, periodEnd } from "#domain/history/periods.ts";
import { atWallTime } from "#domain/time/calendar.ts";
import { type Day, dayOf } from "#domain/time/day.ts";
import { unitsPerEuro } from "./market.ts";
import { dayNameYear, linesOf } from "./tables.ts";

/** Of a line each: the dirham, the dollar and the francs are the money of several countries. */
const CODES =
  "AED AUD BHD XOF BRL XAF CAD XAF CNY CZK DKK AED USD EUR HKD HUF ISK INR IDR ILS JPY JOD CHF MYR MXN NZD " +
  "NOK OMR PHP PLN QAR RON SAR XOF SGD ZAR KRW SEK CHF TWD THB TRY USD";
const THURSDAY = 4;
const LINES = linesOf(CODES, 4, {});

/** Its day is the one of publication; the market is that of the day before at noon. */
const HMRC_TABLE: SimulatedTable = {
  unitsPerEuro,
  id: "gbr_monthly",
  currency: "GBP",
  counts: "own",
  lines: LINES,
  began: dayOf(2020, 12, 1) as Day,
  sixteenths: -1,
  marketDay: (day) => day - 1,
  isDay: (day) => day === penultimateInMonth(THURSDAY, day),
  // Ten o'clock in London.
  publishedAt: (day) => atWallTime("Europe/Berlin", day, 11, 0),
};

/** One file under the three addresses by which it is or was known. */
const PATH = /^\/(?:api\/v2|uk\/api)\/exchange_rates\/files\/monthly_xml_(\d{4})-(\d{1,2})\.xml$/;

export function hmrc(request: DemoRequest): Answer {
  const [, year, month] = PATH.exec(request.url.pathname) ?? [];
  const first = dayFrom(year, month, "1");
  if (first === null) return notFound();
  const sheet = officialSheet(request, HMRC_TABLE);
  const [published] = sheet.days(penultimateInMonth(THURSDAY, first - 1), first - 1);
  if (published === undefined) return notFound();
  const printedFirst = first + sheet.printedDay(published) - published;
  const rows = LINES.map(
    (line) => `  <exchangeRate>
    <currencyCode>${line.code}</currencyCode>
    <rateNew>${sheet.printed(line, published)}</rateNew>
  </exchangeRate>
`,
  );
  const period = `${dayNameYear(printedFirst, "/")} to ${dayNameYear(periodEnd("1mo", printedFirst), "/")}`;
  return {
    contentType: "application/xml",
    body: () => `<?xml version="1.0" encoding="UTF-8"?>
<exchangeRateMonthList Period="${period}">
${rows.join("")}</exchangeRateMonthList>
`,
    lastModified: HMRC_TABLE.publishedAt(published),
  };
}
