/** HM Revenue & Customs' monthly rates for customs and VAT: identity, the files that cover a window, and their XML. */

import { penultimateInMonth, periodEnd, periodStart } from "#domain/history/periods.ts";
import type { OfficialRow } from "#domain/official/publication.ts";
import { canonicalRate } from "#domain/official/versions.ts";
import { type Day, dayOf, formatDay } from "#domain/time/day.ts";
import type { OfficialAdapter, OfficialParsed, OfficialRoute, OfficialWindow } from "#ports/official.ts";
import type { UpstreamDocument, UpstreamRequest } from "#ports/upstream.ts";
import { quoted } from "#sources/text.ts";
import { elementsOf } from "#sources/xml.ts";
import { tableReader } from "./reader.ts";
import { dayWithMonthName, publicationOf } from "./reading.ts";

const SITE = "https://www.trade-tariff.service.gov.uk";
/** The service has no earlier file. */
const BEGAN = dayOf(2021, 1, 1) as Day;
const THURSDAY = 4;

export const GBR_MONTHLY: OfficialAdapter = {
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

  /** A file a month. The service answers, or has answered, under three addresses for the same file. */
  routes(window) {
    const wanted = inMonths(window);
    const months = monthsOf(wanted);
    if (months.length === 0) return [];
    const route = (name: string, folder: string, padded: boolean): OfficialRoute => ({
      name,
      requests: months.map((month) => request(month, folder, padded)),
      mayBeAbsent: true,
      parse: (document) => parseHmrcXml(document, wanted),
    });
    const short = route("monthly XML", "api/v2", false);
    const padded = route("monthly XML, month in two digits", "api/v2", true);
    const renamed = route("monthly XML of the UK service", "uk/api", false);
    const differ = padded.requests.some(({ url }, at) => url !== short.requests[at]?.url);
    return differ ? [short, padded, renamed] : [short, renamed];
  },
};

/**
 * The same window in whole months: from the month that is in force on its first day. To the next month where that is out
 * by then, for it is published on the penultimate Thursday of the month before; a history leaves it for later.
 */
function inMonths(window: OfficialWindow): OfficialWindow {
  const published = window.reach !== "history" && window.to >= penultimateInMonth(THURSDAY, window.to);
  const newest = published ? periodEnd("1mo", window.to) + 1 : window.to;
  return { ...window, from: Math.max(periodStart("1mo", window.from), BEGAN), to: newest };
}

function monthsOf({ from, to }: OfficialWindow): readonly Day[] {
  const months: Day[] = [];
  for (let first = from; first <= to; first = periodEnd("1mo", first) + 1) months.push(first);
  return months;
}

function request(month: Day, folder: string, padded: boolean): UpstreamRequest {
  const [year, digits = ""] = formatDay(month).split("-");
  return {
    url: `${SITE}/${folder}/exchange_rates/files/monthly_xml_${year}-${padded ? digits : Number(digits)}.xml`,
    accept: "application/xml, text/xml",
    maxBytes: 512 * 1024,
    timeoutSeconds: 30,
  };
}

const PERIOD = /^(\d{2})\/([A-Z][a-z]{2})\/(\d{4}) to (\d{2})\/([A-Z][a-z]{2})\/(\d{4})$/;
const ADDRESS = /monthly_xml_(\d{4})-(\d{1,2})\.xml$/;
/** From the penultimate Thursday to the first of the next month are 8 to 14 days; two more for a holiday. */
const DAYS_AHEAD = 16;
const reader = tableReader("HMRC monthly rates", GBR_MONTHLY, DAYS_AHEAD);

/**
 * The publication of one whole calendar month, named by it: `2026-06`. Throws BrokenDocument on anything but the list of
 * the month in the document's address.
 */
function parseHmrcXml(document: UpstreamDocument, window: OfficialWindow): OfficialParsed {
  const list = reader.xml(document);
  if (list.name !== "exchangeRateMonthList") throw reader.broken(`the document is a ${list.name}`);
  const first = monthOf(reader.attribute(list, "Period"));
  const month = formatDay(first).slice(0, 7);
  const [, year, digits = ""] = ADDRESS.exec(document.url) ?? [];
  if (month !== `${year}-${digits.padStart(2, "0")}`) {
    throw reader.broken(`the rates of ${month} are under ${document.url}`);
  }
  reader.day(document, first, month);
  const rows = new Map<string, OfficialRow[]>();
  for (const line of elementsOf(list, "exchangeRate")) {
    const quote = reader.code(reader.textOf(line, "currencyCode"));
    const rate = reader.rate(reader.textOf(line, "rateNew"), quote);
    rows.set(quote, [...(rows.get(quote) ?? []), { base: "GBP", quote, rate, unit: 1, kind: "mid" }]);
  }
  const { kept, left } = agreeing(rows);
  const reading = publicationOf(month, first, kept, periodEnd("1mo", first));
  const note = left.length === 0 ? undefined : `${month}: two rates for ${left.join(", ")}, left out`;
  return reader.conclude(window, [reading], note);
}

/** The first day of a period that is one whole calendar month. */
function monthOf(period: string): Day {
  const [, date, name, year, lastDate, lastName, lastYear] = PERIOD.exec(period) ?? [];
  const first = dayWithMonthName(date, name, year);
  const last = dayWithMonthName(lastDate, lastName, lastYear);
  if (first !== null && date === "01" && last === periodEnd("1mo", first)) return first;
  throw reader.broken(`the period is not a calendar month: ${quoted(period)}`);
}

/**
 * Countries that share a currency repeat its rate. Where they differ, the currency was amended within the month; the
 * table does not name the day, so neither rate is the month's; the currency is left out and reported.
 */
function agreeing(rows: ReadonlyMap<string, readonly OfficialRow[]>): {
  kept: OfficialRow[];
  left: string[];
} {
  const kept: OfficialRow[] = [];
  const left: string[] = [];
  for (const [currency, same] of rows) {
    if (new Set(same.map(({ rate }) => canonicalRate(rate))).size === 1) kept.push(...same);
    else left.push(currency);
  }
  return { kept, left };
}
