/** The rows of a publication in one order, each once; and the one spelling under which equal rates are seen to be equal. */

import { BrokenDocument } from "#domain/faults/faults.ts";
import { formatShortest, parseDecimal } from "#domain/number/decimal.ts";
import type { OfficialRow } from "./publication.ts";

/**
 * The rows by base, quote and kind. The same row twice with an equal rate is one row, as first printed; with different
 * rates or units it throws BrokenDocument, because one of them is wrong and nobody knows which. So does no row at all.
 */
export function orderedRows(rows: readonly OfficialRow[]): readonly OfficialRow[] {
  if (rows.length === 0) throw new BrokenDocument("a publication without rates");
  const byKey = new Map<string, OfficialRow>();
  for (const row of rows) {
    const key = rowKey(row);
    const known = byKey.get(key);
    if (known === undefined) {
      byKey.set(key, row);
    } else if (known.unit !== row.unit || canonicalRate(known.rate) !== canonicalRate(row.rate)) {
      throw new BrokenDocument(
        `${key} is there twice, as ${known.rate} for ${known.unit} and as ${row.rate} for ${row.unit}`,
      );
    }
  }
  return [...byKey].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}

/** What a row says a rate of: the same in every publication of a table. */
export function rowKey({ base, quote, kind }: OfficialRow): string {
  return `${base} ${quote} ${kind}`;
}

/** Digits without zeros that change nothing: "04.10" → "4.1". Throws BrokenDocument when they are no number. */
export function canonicalRate(rate: string): string {
  const value = parseDecimal(rate);
  if (value === null) throw new BrokenDocument(`not a rate: ${JSON.stringify(rate.slice(0, 40))}`);
  return formatShortest(value.units, value.scale);
}
