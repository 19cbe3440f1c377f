/** One month of HMRC's rates: `<exchangeRateMonthList Period>` holding a row for each country, units of its currency for a pound. */

import { BrokenDocument } from "#domain/faults/faults.ts";
import type { OfficialRow } from "#domain/official/publication.ts";
import { publicationId } from "#domain/official/publication-id.ts";
import { canonicalRate, orderedRows } from "#domain/official/rows.ts";
import { type Day, dayOf, formatDay } from "#domain/time/day.ts";
import { periodEnd } from "#domain/time/periods.ts";
import type { OfficialParsed, OfficialWindow } from "#ports/official.ts";
import type { UpstreamDocument } from "#ports.ts";
import { decodeText, quoted } from "#sources/text.ts";
import { attributeOf, elementsOf, readElements, textOf } from "#sources/xml.ts";
import { conclude, readCode, readRate, readTableDay } from "./reading.ts";

const WHAT = "HMRC monthly rates";
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const PERIOD = /^(\d{2})\/([A-Z][a-z]{2})\/(\d{4}) to (\d{2})\/([A-Z][a-z]{2})\/(\d{4})$/;
const ADDRESS = /monthly_xml_(\d{4})-(\d{1,2})\.xml$/;
/** From the penultimate Thursday to the first of the next month are 8 to 14 days; two more for a holiday. */
const DAYS_AHEAD = 16;

/**
 * The publication of one whole calendar month, named by it: `2026-06`. Throws BrokenDocument on anything but the list of
 * the month in the document's address.
 */
export function parseHmrcXml(document: UpstreamDocument, window: OfficialWindow): OfficialParsed {
  const list = readElements(decodeText(document.bytes, WHAT), WHAT);
  if (list.name !== "exchangeRateMonthList") {
    throw new BrokenDocument(`${WHAT}: the document is a ${list.name}`);
  }
  const first = monthOf(attributeOf(list, "Period", WHAT));
  const month = formatDay(first).slice(0, 7);
  const [, year, digits = ""] = ADDRESS.exec(document.url) ?? [];
  if (month !== `${year}-${digits.padStart(2, "0")}`) {
    throw new BrokenDocument(`${WHAT}: the rates of ${month} stand under ${document.url}`);
  }
  readTableDay(first, month, { zone: "Europe/London" }, document, WHAT, DAYS_AHEAD);
  const rows = new Map<string, OfficialRow[]>();
  for (const line of elementsOf(list, "exchangeRate")) {
    const quote = readCode(textOf(line, "currencyCode", WHAT), WHAT);
    const rate = readRate(textOf(line, "rateNew", WHAT), WHAT, quote);
    rows.set(quote, [...(rows.get(quote) ?? []), { base: "GBP", quote, rate, unit: 1, kind: "mid" }]);
  }
  const { kept, left } = agreeing(rows);
  const reading = {
    publication: publicationId(month),
    validFrom: first,
    validTo: periodEnd("1mo", first),
    publishedAt: null,
    rows: orderedRows(kept),
  };
  const note = left.length === 0 ? undefined : `${month}: two rates for ${left.join(", ")}, left out`;
  return conclude(window, [reading], WHAT, note);
}

/** The first day of a period that is one whole calendar month. */
function monthOf(period: string): Day {
  const [, date, name, year, lastDate, lastName, lastYear] = PERIOD.exec(period) ?? [];
  const first = dayIn(year, name, date);
  const last = dayIn(lastYear, lastName, lastDate);
  if (first !== null && date === "01" && last === periodEnd("1mo", first)) return first;
  throw new BrokenDocument(`${WHAT}: the period is not a calendar month: ${quoted(period)}`);
}

function dayIn(year = "", month = "", date = ""): Day | null {
  return dayOf(Number(year), MONTHS.indexOf(month) + 1, Number(date));
}

/**
 * Countries that share a currency repeat its rate. Where they differ, the currency was amended within the month; the
 * table does not say from which day, so that neither rate stands for the month, and the currency is left out and told.
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
