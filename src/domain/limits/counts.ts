/** All windows of one caller. A call is charged in all of them or in none. The script take.lua does the same in Redis. */

import type { Instant } from "#domain/time/day.ts";
import { type Allowance, WIDTHS } from "./caller.ts";
import { type Cell, charged, EMPTY_CELL, refunded, rolled } from "./cell.ts";
import { type MonthCell, refundedMonth, rolledMonth } from "./month.ts";

export interface Counts {
  readonly minute: Cell;
  readonly hour: Cell;
  /** Null until it is known what is used already. */
  readonly month: MonthCell | null;
}

export const NO_COUNTS: Counts = { minute: EMPTY_CELL, hour: EMPTY_CELL, month: null };

/** The counts as they are at `now`. */
export function rolledCounts(counts: Counts, now: Instant): Counts {
  const minute = rolled(counts.minute, WIDTHS.minute, now);
  const hour = rolled(counts.hour, WIDTHS.hour, now);
  const month = counts.month === null ? null : rolledMonth(counts.month, now);
  if (minute === counts.minute && hour === counts.hour && month === counts.month) return counts;
  return { minute, hour, month };
}

/** The counts with `cost` more in every window that the caller has. `counts` must be rolled to the instant of the charge. */
export function chargedCounts({ minute, hour, month }: Counts, allowance: Allowance, cost: number): Counts {
  return {
    minute: charged(minute, cost),
    hour: allowance.hour === null ? hour : charged(hour, cost),
    month: allowance.month === null || month === null ? month : { ...month, used: month.used + cost },
  };
}

/** Takes back what was charged at `at`. */
export function refundedCounts(counts: Counts, cost: number, at: Instant): Counts {
  return {
    minute: refunded(counts.minute, WIDTHS.minute, cost, at),
    hour: refunded(counts.hour, WIDTHS.hour, cost, at),
    month: counts.month === null ? null : refundedMonth(counts.month, cost, at),
  };
}
