/** Files of the lake that do not match its log, and the answers that may depend on them. */

import type { DailySource } from "#domain/currency/source.ts";
import { Failure } from "#domain/faults/errors.ts";
import { type Day, dayOf, formatDay } from "#domain/time/day.ts";
import { FILL_DAYS } from "./history.ts";

/** A damaged file of the daily tables: what was in it is neither served nor restored automatically. */
export interface DamagedFigures {
  readonly table: "daily" | "revisions" | "held" | "statements";
  /** Relative to the lake's directory. */
  readonly path: string;
  /** One sentence: the file, what is wrong with it, and how many rows it had. */
  readonly sentence: string;
  /** Null for a table without partitions. */
  readonly source: DailySource | null;
  readonly year: number | null;
}

interface Damageable {
  /** Absent where everything is intact. */
  readonly damaged?: readonly DamagedFigures[];
}

/** Whether a value for one of the days may come out of a damaged file of the table: its own days, or days filled from them. */
export function isDamaged(
  { damaged = [] }: Damageable,
  table: "daily" | "revisions",
  first: Day,
  last: Day,
): boolean {
  return damaged.some((file) => {
    if (file.table !== table || file.year === null) return false;
    const from = dayOf(file.year, 1, 1) as Day;
    const to = (dayOf(file.year, 12, 31) as Day) + FILL_DAYS;
    return first <= to && last >= from;
  });
}

/** Failure `data_unavailable` when current values of the days may be in a damaged file. */
export function refuseDamaged(of: Damageable, first: Day, last: Day): void {
  if (isDamaged(of, "daily", first, last)) throw damagedFailure();
}

/** Like `refuseDamaged`, for point-in-time answers: superseded values count too. */
export function refuseDamagedPast(of: Damageable, first: Day, last: Day): void {
  if (isDamaged(of, "daily", first, last) || isDamaged(of, "revisions", first, last)) throw damagedFailure();
}

export function damagedFailure(): Failure {
  return new Failure("data_unavailable", {
    reason:
      "this answer depends on data that is damaged on the server's disk; its operator finds out more at /status",
  });
}

/** The refusal before the first collection, or, with the newest day, when that is too long ago for a latest rate. */
export function notCollected(newestDay: Day | null = null): Failure {
  if (newestDay === null)
    return new Failure("data_unavailable", { reason: "no rate has been collected yet; see /status" });
  const date = formatDay(newestDay);
  return new Failure("data_unavailable", {
    reason: `the newest rates here are of ${date}, more than ${FILL_DAYS} days ago: /v1/${date} has them; see /status`,
  });
}
