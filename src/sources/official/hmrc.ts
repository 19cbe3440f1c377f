/** HM Revenue & Customs' monthly rates for customs and VAT. */

import { penultimateInMonth, periodEnd, periodStart } from "#domain/history/periods.ts";
import type { Window } from "#domain/intake/reading.ts";
import type { OfficialRow } from "#domain/official/publication.ts";
import { type Day, dayOf, formatDay } from "#domain/time/day.ts";
import type { UpstreamDocument } from "#ports/upstream.ts";
import { get } from "#sources/reading.ts";
import { quoted } from "#sources/text.ts";
import { elementsOf } from "#sources/xml.ts";
import {
  dayWithMonthName,
  monthsOf,
  publicationOf,
  type Span,
  type TableContent,
  tableReader,
  tableSource,
  withOneRate,
} from "./reading.ts";

const SITE = "https://www.trade-tariff.service.gov.uk";
/** The service has no earlier file. */
const BEGAN = dayOf(2021, 1, 1) as Day;
const THURSDAY = 4;

export const GBR_MONTHLY = tableSource({
  id: "gbr_monthly",
  country: "GBR",
  types: ["customs", "vat"],
  title: "HMRC exchange rates for customs and VAT, monthly",
  authority: "HM Revenue & Customs",
  homepage: `${SITE}/exchange_rates`,
  terms:
    "Source: HM Revenue & Customs. Contains public sector information licensed under the Open Government Licence v3.0.",
  cadence: "monthly",
  zone: "Europe/London",
  currency: "GBP",
  days: inMonths,

  /** A file a month. The service answers, or has answered, under two addresses for the same file. */
  routes(days) {
    const route = (name: string, folder: string) => {
      const requests = monthsOf(days).map((month) => {
        const [year, digits] = formatDay(month).split("-");
        return get("xml", `${SITE}/${folder}/exchange_rates/files/monthly_xml_${year}-${Number(digits)}.xml`);
      });
      return { name, requests, mayBeAbsent: true, read: readHmrc } as const;
    };
    return [route("monthly XML", "api/v2"), route("monthly XML of the UK service", "uk/api")];
  },
});

/**
 * Returns whole months. The first is in force on the window's first day. The last is the next month once it is published (on the
 * penultimate Thursday of the month before), except in a history.
 */
function inMonths(window: Window): Span | null {
  const isPublished = window.reach !== "history" && window.to >= penultimateInMonth(THURSDAY, window.to);
  const to = isPublished ? periodEnd("1mo", window.to) + 1 : window.to;
  const from = Math.max(periodStart("1mo", window.from), BEGAN);
  return from > to ? null : { from, to };
}

const PERIOD = /^(\d{2})\/([A-Z][a-z]{2})\/(\d{4}) to (\d{2})\/([A-Z][a-z]{2})\/(\d{4})$/;
const ADDRESS = /monthly_xml_(\d{4})-(\d{1,2})\.xml$/;
/** From the penultimate Thursday to the first of the next month are 8 to 14 days; two more for a holiday. */
const DAYS_AHEAD = 16;
const reader = tableReader("HMRC monthly rates", GBR_MONTHLY.zone, { daysAhead: DAYS_AHEAD });

/**
 * The publication of one calendar month, named by it: `2026-06`. Throws BrokenDocument unless the document is the list of
 * the month in its address.
 */
function readHmrc(document: UpstreamDocument): TableContent {
  const list = reader.xml(document);
  if (list.name !== "exchangeRateMonthList") throw reader.broken(`the document is a ${list.name}`);
  const first = monthOf(reader.attribute(list, "Period"));
  const month = formatDay(first).slice(0, 7);
  const [, year, digits = ""] = ADDRESS.exec(document.url) ?? [];
  if (month !== `${year}-${digits.padStart(2, "0")}`)
    throw reader.broken(`the rates of ${month} are under ${document.url}`);
  reader.day(document, month, () => first);
  const printed = elementsOf(list, "exchangeRate").map((line): OfficialRow => {
    const quote = reader.code(reader.textOf(line, "currencyCode"));
    return {
      base: "GBP",
      quote,
      rate: reader.rate(reader.textOf(line, "rateNew"), quote),
      unit: 1,
      kind: "mid",
    };
  });
  // A currency with two rates was amended within the month, on a day that the list does not print.
  const { rows, left } = withOneRate(printed);
  const readings = [publicationOf(month, first, rows, periodEnd("1mo", first))];
  const note = left.length === 0 ? undefined : `${month}: two rates for ${left.join(", ")}, left out`;
  return { readings, note };
}

function monthOf(period: string): Day {
  const [, date, name, year, lastDate, lastName, lastYear] = PERIOD.exec(period) ?? [];
  const first = dayWithMonthName(date, name, year);
  const last = dayWithMonthName(lastDate, lastName, lastYear);
  if (first !== null && date === "01" && last === periodEnd("1mo", first)) return first;
  throw reader.broken(`the period is not a calendar month: ${quoted(period)}`);
}
