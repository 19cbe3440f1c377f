/** What an operator should check in a new publication, and what is held until a second reading confirms it. */

import { type Instant, MILLISECONDS_PER_DAY } from "#domain/time/day.ts";
import type { OfficialReading, OfficialRow } from "./publication.ts";
import { fingerprintOf, rowKey } from "./versions.ts";

/**
 * decimal_slip: the value has moved by close to ×10, ÷10, ×100 …, as it does when a decimal point or a unit is wrong.
 * moved: by more than the bound. unit_changed: the currency is counted by another amount, and its value has not jumped
 * with it. vanished: a rate of the publication before is not there.
 */
const OFFICIAL_DOUBTS = ["decimal_slip", "moved", "unit_changed", "vanished"] as const;
export type OfficialDoubtRule = (typeof OFFICIAL_DOUBTS)[number];

/** One row that should be checked: which, why, and a sentence with the numbers. */
export interface OfficialDoubt {
  readonly rule: OfficialDoubtRule;
  /** `rowKey` of the row. */
  readonly row: string;
  readonly detail: string;
}

/**
 * A larger move between two publications is reported. The largest that was real in the FIX since 1991 is 22 % in a day
 * (1994-12-22); weekly and monthly tables, and small currencies, move more, which is why a move by itself never holds.
 */
const LARGEST_MOVE = 0.2;
/** A ratio this close to a power of ten is read as a misplaced decimal point. */
const SLIP_TOLERANCE = 0.25;

/**
 * Everything doubtful in a reading, compared row by row with the publication `before` it: its predecessor by validity in
 * its newest version, for a correction too (not the version it corrects, which may be the wrong one). In the order of
 * rows; null, nothing to compare with, leaves nothing to doubt.
 */
export function doubtsOf(
  reading: Pick<OfficialReading, "rows">,
  before: Pick<OfficialReading, "rows"> | null,
): readonly OfficialDoubt[] {
  if (before === null) return [];
  const earlier = new Map(before.rows.map((row) => [rowKey(row), row]));
  const doubts: OfficialDoubt[] = [];
  for (const row of reading.rows) {
    const known = earlier.get(rowKey(row));
    const doubt = known === undefined ? null : doubtAbout(row, known);
    if (doubt !== null) doubts.push(doubt);
    earlier.delete(rowKey(row));
  }
  for (const [row, { rate, unit }] of earlier) {
    doubts.push({ rule: "vanished", row, detail: `${row} is missing; it was ${rate} for ${unit} before` });
  }
  return doubts;
}

function doubtAbout(row: OfficialRow, before: OfficialRow): OfficialDoubt | null {
  const ratio = valueOfOne(row) / valueOfOne(before);
  const comparison = `${rowKey(row)} is ${row.rate} for ${row.unit} after ${before.rate} for ${before.unit}`;
  const doubt = (rule: OfficialDoubtRule, why: string) => ({
    rule,
    row: rowKey(row),
    detail: `${comparison}: ${why}`,
  });
  const power = Math.round(Math.log10(ratio));
  const times = ratio.toPrecision(4);
  if (power !== 0 && Math.abs(ratio / 10 ** power - 1) <= SLIP_TOLERANCE) {
    return doubt("decimal_slip", `${times} times the value, close to a power of ten`);
  }
  if (ratio > 1 + LARGEST_MOVE || ratio < 1 / (1 + LARGEST_MOVE)) {
    return doubt("moved", `${times} times the value`);
  }
  return row.unit === before.unit ? null : doubt("unit_changed", "counted by another amount");
}

/** A double is exact enough to compare with a bound of a fifth. */
function valueOfOne({ rate, unit }: OfficialRow): number {
  return Number(rate) / unit;
}

// ── Holding back ─────────────────────────────────────────────────────────────────────────────────

/** A reading that was held back: its content, and when it was first read. */
export interface HeldReading {
  readonly fingerprint: string;
  readonly firstReadAt: Instant;
}

/** A second reading this much later confirms the first; an earlier one may be the same mistake out of a cache. */
export const CONFIRMED_AFTER_MILLISECONDS = 60 * 60_000;
/** A publication that has been valid for so long is not held, whether it was read twice or not. */
export const STOOD_DAYS = 7;

/**
 * Whether a reading is published now or held. Only decimal slips hold, because a rate that is wrong by ten does harm, and a
 * real move of that size is a redenomination, which can wait an hour. Everything else is the authority's decision and the
 * operator's to know. Nothing is held for ever: the same content read again an hour later is published, and so is a
 * publication that has been valid for a week (a history being loaded).
 */
export function holdsBack(
  reading: OfficialReading,
  doubts: readonly OfficialDoubt[],
  held: HeldReading | null,
  readAt: Instant,
): boolean {
  if (!doubts.some(({ rule }) => rule === "decimal_slip")) return false;
  if (readAt / MILLISECONDS_PER_DAY - reading.validFrom > STOOD_DAYS) return false;
  const isRepeated = held !== null && held.fingerprint === fingerprintOf(reading);
  return !(isRepeated && readAt - held.firstReadAt >= CONFIRMED_AFTER_MILLISECONDS);
}
