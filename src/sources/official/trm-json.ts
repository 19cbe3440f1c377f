/** A page of the TRM's open data: a list of values, each with the first and the last day on which it is valid. */

import { BrokenDocument } from "#domain/faults/faults.ts";
import type { OfficialReading, OfficialTable } from "#domain/official/publication.ts";
import { publicationId } from "#domain/official/publication-id.ts";
import { orderedRows } from "#domain/official/rows.ts";
import { type Day, parseDay } from "#domain/time/day.ts";
import type { OfficialParsed, OfficialWindow } from "#ports/official.ts";
import type { UpstreamDocument } from "#ports.ts";
import { digitsAt, type JsonObject, textAt } from "#sources/live/json-text.ts";
import { quoted } from "#sources/text.ts";
import { conclude, readRate, readTableDay } from "./reading.ts";
import { readJsonObjects } from "./reading-json.ts";

const WHAT = "TRM";
/** More than the days of a page's window; a page that is full may have left something out. */
export const TRM_PAGE_ROWS = 1000;
/** The value of a day is certified on the evening before. */
export const TRM_DAYS_AHEAD = 1;
/** Holy Week and a bridge are shorter: a longer validity is a mistake in one of its two days. */
const LONGEST_VALIDITY_DAYS = 14;
/** A calendar day, written as an instant without a zone. */
const MIDNIGHT = /^(\d{4}-\d{2}-\d{2})T00:00:00(?:\.000)?$/;

/**
 * One publication a row, named by the first day of its validity and valid to its last day as printed: over a weekend or
 * a holiday one value has several days. Throws BrokenDocument on anything but a whole list of such rows.
 */
export function parseTrm(
  document: UpstreamDocument,
  window: Pick<OfficialWindow, "from" | "to">,
  table: Pick<OfficialTable, "zone" | "currency">,
): OfficialParsed {
  const rows = readJsonObjects(document.bytes, WHAT);
  if (rows.length >= TRM_PAGE_ROWS) throw new BrokenDocument(`${WHAT}: a full page, which may be cut off`);
  return conclude(
    window,
    rows.map((row) => readingOf(row, document, table)),
    WHAT,
  );
}

function readingOf(
  row: JsonObject,
  document: UpstreamDocument,
  table: Pick<OfficialTable, "zone" | "currency">,
): OfficialReading {
  const from = textAt(row, "vigenciadesde") ?? "";
  const to = textAt(row, "vigenciahasta") ?? "";
  const validFrom = readTableDay(dayOfMidnight(from), from, table, document, WHAT, TRM_DAYS_AHEAD);
  const validTo = dayOfMidnight(to);
  if (validTo === null || validTo < validFrom || validTo >= validFrom + LONGEST_VALIDITY_DAYS) {
    throw new BrokenDocument(`${WHAT}: not a validity: ${quoted(from)} to ${quoted(to)}`);
  }
  const unit = textAt(row, "unidad") ?? "";
  if (unit !== table.currency) throw new BrokenDocument(`${WHAT}: counted in ${quoted(unit)}`);
  const digits = textAt(row, "valor") ?? digitsAt(row, "valor") ?? "";
  const rate = readRate(digits, WHAT, `the dollar of ${from.slice(0, 10)}`);
  return {
    publication: publicationId(from.slice(0, 10)),
    validFrom,
    validTo,
    publishedAt: null,
    rows: orderedRows([{ base: "USD", quote: table.currency, rate, unit: 1, kind: "mid" }]),
  };
}

function dayOfMidnight(text: string): Day | null {
  return parseDay(MIDNIGHT.exec(text)?.[1] ?? "");
}
