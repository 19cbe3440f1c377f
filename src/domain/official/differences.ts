/** What a correction changed: compares the rows of two versions of a publication. */

import type { OfficialReading, OfficialRow } from "./publication.ts";
import { canonicalRate, rowKey } from "./versions.ts";

type Content = Pick<OfficialReading, "rows" | "validFrom" | "validTo">;

export interface Differences {
  readonly added: readonly OfficialRow[];
  readonly removed: readonly OfficialRow[];
  /** Another rate or unit, in the order of the later version. */
  readonly changed: readonly { readonly before: OfficialRow; readonly after: OfficialRow }[];
  /** The validity before; null where it is the same. */
  readonly validityBefore: Pick<Content, "validFrom" | "validTo"> | null;
}

/** Zeros at the end of a rate are no difference. */
export function differencesOf(before: Content, after: Content): Differences {
  const old = new Map(before.rows.map((row) => [rowKey(row), row]));
  const kept = new Set(after.rows.map(rowKey));
  const { validFrom, validTo } = before;
  return {
    added: after.rows.filter((row) => !old.has(rowKey(row))),
    removed: before.rows.filter((row) => !kept.has(rowKey(row))),
    changed: after.rows.flatMap((row) => {
      const earlier = old.get(rowKey(row));
      return earlier === undefined || isSame(earlier, row) ? [] : [{ before: earlier, after: row }];
    }),
    validityBefore:
      validFrom === after.validFrom && validTo === after.validTo ? null : { validFrom, validTo },
  };
}

function isSame(a: OfficialRow, b: OfficialRow): boolean {
  return a.unit === b.unit && canonicalRate(a.rate) === canonicalRate(b.rate);
}
