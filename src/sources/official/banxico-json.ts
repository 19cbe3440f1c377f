/** Banxico's SIE as JSON: series in any order, days as dd/MM/yyyy, values as text; and its errors, told with status 400. */

import { BrokenDocument, UpstreamFault } from "#domain/faults/faults.ts";
import type { OfficialReading, OfficialTable } from "#domain/official/publication.ts";
import { formatDay, weekdayOf } from "#domain/time/day.ts";
import type { OfficialParsed, OfficialWindow } from "#ports/official.ts";
import type { UpstreamDocument } from "#ports.ts";
import {
  digitsAt,
  type JsonObject,
  objectAt,
  objectsAt,
  readJsonObject,
  textAt,
} from "#sources/live/json-text.ts";
import { quoted } from "#sources/text.ts";
import { conclude, dayMonthYear, readRate, readTableDay } from "./reading.ts";

const WHAT = "Banxico SIE";
const NO_VALUE = "N/E";
const WITH_THOUSANDS = /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/;

export interface BanxicoSeries {
  /** Such as `SF43718`: titles change their spaces, names do not change. */
  readonly series: string;
  readonly table: OfficialTable;
  /** Days by which a value may be published before its own day. */
  readonly daysAhead: number;
}

/**
 * One series of an answer, a publication a day; days without a value (`N/E`) have none. Throws UpstreamFault for Banxico's
 * own error message, BrokenDocument when the series is not in the answer, and on a rate at a weekend, when banks are
 * closed: there is none since 1991, so it would be a day and a month in the wrong order.
 */
export function parseBanxico(
  document: UpstreamDocument,
  window: Pick<OfficialWindow, "from" | "to">,
  { series, table, daysAhead }: BanxicoSeries,
): OfficialParsed {
  const answer = readJsonObject(document.bytes, WHAT);
  const error = answer.get("error");
  if (error instanceof Map) throw faultOf(error);
  const found = objectsAt(objectAt(answer, "bmx", WHAT), "series", WHAT).filter(
    (one) => textAt(one, "idSerie") === series,
  );
  const [only] = found;
  if (only === undefined || found.length > 1) {
    throw new BrokenDocument(`${WHAT}: ${series} is there ${found.length} times, not once`);
  }
  // A series without a value in the window comes without the list.
  const values = only.has("datos") ? objectsAt(only, "datos", WHAT) : [];
  return conclude(window, values.flatMap(publicationOf), `${WHAT}: ${series}`);

  function publicationOf(value: JsonObject): readonly OfficialReading[] {
    const printedDay = textAt(value, "fecha") ?? "";
    const day = readTableDay(dayMonthYear(printedDay), printedDay, table, document, WHAT, daysAhead);
    const printed = textAt(value, "dato")?.trim() ?? "";
    if (printed === NO_VALUE) return [];
    const publication = formatDay(day);
    if (weekdayOf(day) % 6 === 0) {
      throw new BrokenDocument(`${WHAT}: ${series} has a rate on ${publication}, a weekend`);
    }
    const digits = WITH_THOUSANDS.test(printed) ? printed.replaceAll(",", "") : printed;
    const rate = readRate(digits, WHAT, `${series} of ${publication}`);
    const row = { base: "USD", quote: "MXN", rate, unit: 1, kind: "mid" } as const;
    return [{ publication, validFrom: day, validTo: null, publishedAt: null, rows: [row] }];
  }
}

/** A refused token and a used-up limit both come with status 400; the words and the seconds tell them apart. */
function faultOf(error: JsonObject): UpstreamFault {
  const said = textAt(error, "mensaje") ?? "";
  const told = `${WHAT}: an error instead of data: ${quoted(said)}`;
  const seconds = digitsAt(error, "secondsToReset") ?? "";
  if (seconds !== "" || /l[ií]mite/i.test(said)) {
    return new UpstreamFault("rate_limited", told, /^\d{1,6}$/.test(seconds) ? Number(seconds) : null);
  }
  return new UpstreamFault(/token/i.test(said) ? "refused_credentials" : "status", told);
}
