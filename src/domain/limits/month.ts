/** The calendar month in UTC as a quota counts it. */

import { type Day, firstDayOfMonth, type Instant, MILLISECONDS_PER_DAY } from "#domain/time/day.ts";

export interface MonthCell {
  /** First instant of the month, and of the next one. */
  readonly start: Instant;
  readonly end: Instant;
  readonly used: number;
}

/** The month of an instant, with nothing used. */
export function monthAt(now: Instant): MonthCell {
  const start = firstDayOfMonth(Math.floor(now / MILLISECONDS_PER_DAY));
  // 31 days after the first of a month always lie in the next one.
  const next = firstDayOfMonth(start + 31);
  return { start: start * MILLISECONDS_PER_DAY, end: next * MILLISECONDS_PER_DAY, used: 0 };
}

/** The day that names a month: its first. */
export function monthDay(cell: MonthCell): Day {
  return cell.start / MILLISECONDS_PER_DAY;
}

/** Unchanged within its month; empty in a later one. A clock set back across the border keeps what was counted. */
export function rolledMonth(cell: MonthCell, now: Instant): MonthCell {
  return now < cell.end ? cell : monthAt(now);
}

/** Of two accounts of a caller the one of the later month; of the same month the one with more calls. */
export function laterMonth(known: MonthCell | null, other: MonthCell): MonthCell {
  if (known === null || known.start < other.start) return other;
  return known.start > other.start || known.used >= other.used ? known : other;
}

export function refundedMonth(cell: MonthCell, cost: number, at: Instant): MonthCell {
  if (at < cell.start || at >= cell.end) return cell;
  return { ...cell, used: Math.max(0, cell.used - cost) };
}
