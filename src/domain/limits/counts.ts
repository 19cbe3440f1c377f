/** All windows of one caller together: charged all or none. The script take-counts.lua does the same steps in Redis. */

import type { Instant } from "#domain/time/day.ts";
import { type Allowance, HOUR_MILLISECONDS, MINUTE_MILLISECONDS } from "./caller.ts";
import { type Cell, charged, EMPTY_CELL, occupied, refunded, rolled } from "./cell.ts";
import { type MonthCell, refundedMonth, rolledMonth } from "./month.ts";

export interface Counts {
  readonly minute: Cell;
  readonly hour: Cell;
  /** Null until somebody has said what is used already. */
  readonly month: MonthCell | null;
}

export const NO_COUNTS: Counts = { minute: EMPTY_CELL, hour: EMPTY_CELL, month: null };

/** The counts as they stand at `now`. */
export function rolledCounts(counts: Counts, now: Instant): Counts {
  const minute = rolled(counts.minute, MINUTE_MILLISECONDS, now);
  const hour = rolled(counts.hour, HOUR_MILLISECONDS, now);
  const month = counts.month === null ? null : rolledMonth(counts.month, now);
  if (minute === counts.minute && hour === counts.hour && month === counts.month) return counts;
  return { minute, hour, month };
}

/** Whether `cost` more calls fit into every window. `counts` must be rolled to `now`. */
export function fits(
  counts: Counts,
  { minute, hour, month }: Allowance,
  cost: number,
  now: Instant,
): boolean {
  return (
    occupied(counts.minute, MINUTE_MILLISECONDS, now) + cost <= minute &&
    (hour === null || occupied(counts.hour, HOUR_MILLISECONDS, now) + cost <= hour) &&
    (month === null || (counts.month?.used ?? 0) + cost <= month)
  );
}

/** The counts with `cost` more in every window that the caller has. `counts` must be rolled to `now`. */
export function chargedCounts(counts: Counts, { hour, month }: Allowance, cost: number): Counts {
  return {
    minute: charged(counts.minute, cost),
    hour: hour === null ? counts.hour : charged(counts.hour, cost),
    month:
      month === null || counts.month === null
        ? counts.month
        : { start: counts.month.start, end: counts.month.end, used: counts.month.used + cost },
  };
}

/** Takes back what was charged at `at`. */
export function refundedCounts(counts: Counts, cost: number, at: Instant): Counts {
  return {
    minute: refunded(counts.minute, MINUTE_MILLISECONDS, cost, at),
    hour: refunded(counts.hour, HOUR_MILLISECONDS, cost, at),
    month: counts.month === null ? null : refundedMonth(counts.month, cost, at),
  };
}

/** True when neither sliding window counts anything any more: whoever forgets them changes nothing. */
export function isFaded({ minute, hour }: Counts, now: Instant): boolean {
  return isOver(minute, MINUTE_MILLISECONDS, now) && isOver(hour, HOUR_MILLISECONDS, now);
}

function isOver(cell: Cell, width: number, now: Instant): boolean {
  return (cell.current === 0 && cell.previous === 0) || now - cell.start >= 2 * width;
}
