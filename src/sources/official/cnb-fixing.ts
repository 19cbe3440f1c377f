/** One fixing as a publication: both routes to the Czech National Bank end here, so that they give the same. */

import type { OfficialReading, OfficialRow } from "#domain/official/publication.ts";
import { orderedRows } from "#domain/official/rows.ts";
import { type Day, formatDay } from "#domain/time/day.ts";
import { readCode, readRate, readUnit } from "./reading.ts";

/** A line of a fixing, as printed: `amount` units of the currency cost `rate` koruna. */
export interface CnbLine {
  readonly code: string;
  readonly amount: string;
  readonly rate: string;
}

/** The publication of a day. Throws BrokenDocument on what is no code, no power of ten, no rate, or there twice and different. */
export function fixingOf(day: Day, lines: readonly CnbLine[], what: string): OfficialReading {
  const publication = formatDay(day);
  const rows = lines.map(({ code, amount, rate }): OfficialRow => {
    const base = readCode(code, what);
    const of = `${base} of ${publication}`;
    return {
      base,
      quote: "CZK",
      rate: readRate(rate, what, of),
      unit: readUnit(amount, what, of),
      kind: "mid",
    };
  });
  return { publication, validFrom: day, validTo: null, publishedAt: null, rows: orderedRows(rows) };
}
