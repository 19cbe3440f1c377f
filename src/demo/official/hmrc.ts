/** HM Revenue & Customs' monthly file: out on the penultimate Thursday of the month before, several countries to a currency. */

import { type Answer, notFound, type Visit } from "#demo/visit.ts";
import { atWallTime } from "#domain/time/calendar.ts";
import { type Day, dayOf, weekdayOf } from "#domain/time/day.ts";
import { periodEnd } from "#domain/time/periods.ts";
import { HMRC_ROWS } from "./hmrc-rows.ts";
import { dayFrom, dayNameYear } from "./printed-day.ts";
import { officialSheet } from "./sheet.ts";
import type { SimulatedTable } from "./table.ts";

const WEEK_DAYS = 7;
const THURSDAY = 4;
const DECIMALS = 4;

/** Its day is the one of publication; the market is that of the day before at noon. */
export const HMRC_TABLE: SimulatedTable = {
  id: "gbr_monthly",
  currency: "GBP",
  counts: "own",
  lines: HMRC_ROWS.map(({ code }) => ({ code, unit: 1, decimals: DECIMALS })),
  began: dayOf(2020, 12, 1) as Day,
  sixteenths: -1,
  marketDay: (day) => day - 1,
  isDay: (day) => day === penultimateThursday(day),
  // Ten o'clock in London.
  publishedAt: (day) => atWallTime("Europe/Berlin", day, 11, 0),
  // Within a week, before the month begins.
  correctedAt: (day) => atWallTime("Europe/Berlin", day + WEEK_DAYS, 11, 0),
};

function penultimateThursday(day: Day): Day {
  const last = periodEnd("1mo", day);
  return last - ((weekdayOf(last) - THURSDAY + WEEK_DAYS) % WEEK_DAYS) - WEEK_DAYS;
}

/** One file under the three addresses by which it is or was known. */
const PATH = /^\/(?:api\/v2|uk\/api)\/exchange_rates\/files\/monthly_xml_(\d{4})-(\d{1,2})\.xml$/;

export function hmrc(visit: Visit): Answer {
  const [, year, month] = PATH.exec(visit.url.pathname) ?? [];
  const first = dayFrom(year, month, "1");
  if (first === null) return notFound();
  const sheet = officialSheet(visit, HMRC_TABLE);
  const [published] = sheet.days(penultimateThursday(first - 1), first - 1);
  if (published === undefined) return notFound();
  const shownFirst = first + sheet.shownDay(published) - published;
  const rows = HMRC_ROWS.map(({ country, countryCode, currency, code }) => {
    const rate = sheet.printed({ code, unit: 1, decimals: DECIMALS }, published);
    return `  <exchangeRate>
    <countryName>${country}</countryName>
    <countryCode>${countryCode}</countryCode>
    <currencyName>${currency}</currencyName>
    <currencyCode>${code}</currencyCode>
    <rateNew>${rate}</rateNew>
  </exchangeRate>
`;
  });
  const period = `${dayNameYear(shownFirst, "/")} to ${dayNameYear(periodEnd("1mo", shownFirst), "/")}`;
  return {
    contentType: "application/xml",
    body: () => `<?xml version="1.0" encoding="UTF-8"?>
<exchangeRateMonthList Period="${period}">
${rows.join("")}</exchangeRateMonthList>
`,
    lastModified: sheet.dayChangedAt(published),
  };
}
