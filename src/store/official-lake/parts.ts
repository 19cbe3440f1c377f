/** Splits a table's new file into parts by valid_from, each small enough to sort; most are copied unchanged. Pure. */

import { type Day, parseDay } from "#domain/time/day.ts";
import type { VersionKey } from "#ports/official.ts";
import type { StoredKey } from "./keys.ts";

/** Days of valid_from, both inclusive; the next part begins after them. */
export type Part =
  /** Nothing of them changes: their rows are in order in the old file. */
  | { readonly kind: "kept"; readonly from: Day; readonly to: Day }
  /** Sorted again, with these versions. */
  | { readonly kind: "made"; readonly from: Day; readonly to: Day; readonly fresh: readonly VersionKey[] };

/** Fewer old rows than this between two days that change are sorted with them: each part costs a read of the file. */
const SHORT_ROWS = 20_000;
/** A part has no more old rows and no more fresh versions than this, unless one day has: DuckDB sorts it in memory. */
const PART_ROWS = 40_000;
const PART_VERSIONS = 256;

interface PartDay {
  readonly day: Day;
  readonly oldRows: number;
  readonly fresh: VersionKey[];
  changes: boolean;
}

/**
 * Parts by ascending day. `lake`: what the old file has. `fresh`: versions to add, in the order of files. `gone`: versions to remove.
 * Days are those of `parseDay`; the caller has checked.
 */
export function partsOf(
  lake: readonly StoredKey[],
  fresh: readonly VersionKey[],
  gone: readonly StoredKey[],
): readonly Part[] {
  const stretches: { readonly changes: boolean; readonly days: PartDay[] }[] = [];
  for (const day of daysOf(lake, fresh, gone)) {
    const last = stretches.at(-1);
    if (last?.changes === day.changes) last.days.push(day);
    else stretches.push({ changes: day.changes, days: [day] });
  }
  const parts: Part[] = [];
  let pending: PartDay[] = [];
  for (const [at, { changes, days }] of stretches.entries()) {
    const isBetween = at > 0 && at < stretches.length - 1;
    if (changes || (isBetween && days.reduce((sum, { oldRows }) => sum + oldRows, 0) < SHORT_ROWS)) {
      pending.push(...days);
      continue;
    }
    parts.push(...madeOf(pending), { kind: "kept", ...spanOf(days) });
    pending = [];
  }
  return [...parts, ...madeOf(pending)];
}

function daysOf(
  lake: readonly StoredKey[],
  fresh: readonly VersionKey[],
  gone: readonly StoredKey[],
): readonly PartDay[] {
  const rows = new Map<string, number>();
  for (const { validFrom, rows: count } of lake) rows.set(validFrom, (rows.get(validFrom) ?? 0) + count);
  const days = new Map<string, PartDay>();
  const dayOf = (validFrom: string): PartDay => {
    const known = days.get(validFrom);
    if (known !== undefined) return known;
    const day = parseDay(validFrom);
    if (day === null) throw new Error(`no day: ${validFrom}`);
    const made = { day, oldRows: rows.get(validFrom) ?? 0, fresh: [], changes: false };
    days.set(validFrom, made);
    return made;
  };
  for (const validFrom of rows.keys()) dayOf(validFrom);
  for (const key of fresh) {
    const day = dayOf(key.validFrom);
    day.fresh.push(key);
    day.changes = true;
  }
  for (const { validFrom } of gone) dayOf(validFrom).changes = true;
  return [...days.values()].sort((a, b) => a.day - b.day);
}

function madeOf(days: readonly PartDay[]): readonly Part[] {
  const parts: Part[] = [];
  let group: PartDay[] = [];
  let [rows, versions] = [0, 0];
  const end = () => {
    if (group.length > 0)
      parts.push({ kind: "made", ...spanOf(group), fresh: group.flatMap(({ fresh }) => fresh) });
    group = [];
    [rows, versions] = [0, 0];
  };
  for (const day of days) {
    if (rows + day.oldRows > PART_ROWS || versions + day.fresh.length > PART_VERSIONS) end();
    group.push(day);
    rows += day.oldRows;
    versions += day.fresh.length;
  }
  end();
  return parts;
}

function spanOf(days: readonly PartDay[]): { readonly from: Day; readonly to: Day } {
  return { from: (days[0] as PartDay).day, to: (days.at(-1) as PartDay).day };
}
