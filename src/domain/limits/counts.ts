/** What one caller was granted: sliding windows, each as two fixed cells, and the calendar month. A call is charged in all of them or not at all. The script take.lua does the same in Redis. */

import { type Day, firstDayOfMonth, type Instant, MILLISECONDS_PER_DAY } from "#domain/time/day.ts";
import { type Allowance, WIDTHS } from "./caller.ts";

/**
 * What was granted in the running cell and in the one before it. The first cell begins with the caller's first call, so
 * that a burst out of silence lies in one cell; the next ones follow without a gap while there is something to count.
 */
export interface Cell {
  readonly start: Instant;
  readonly current: number;
  readonly previous: number;
}

export const EMPTY_CELL: Cell = { start: 0, current: 0, previous: 0 };

/** The cell that runs at `now`; the same object where nothing has changed. */
export function rolled(cell: Cell, width: number, now: Instant): Cell {
  const elapsed = now - cell.start;
  if (elapsed < width) {
    // A clock that was set back a little is treated as stopped. Set back by a window, it would lock the caller out until the time is reached again.
    return elapsed >= -width ? cell : { ...cell, start: now };
  }
  if (elapsed < 2 * width && cell.current > 0)
    return { start: cell.start + width, current: 0, previous: cell.current };
  return { start: now, current: 0, previous: 0 };
}

/**
 * Calls that count against the limit at `now`: all of the running cell, and of the one before it the part that a window
 * ending now still covers, as if its calls lay evenly in it; rounded up. `cell` must be rolled to `now`.
 */
export function occupied(cell: Cell, width: number, now: Instant): number {
  if (cell.previous === 0) return cell.current;
  const elapsed = Math.max(0, now - cell.start);
  return cell.current + Math.ceil((cell.previous * (width - elapsed)) / width);
}

export function charged(cell: Cell, cost: number): Cell {
  return { start: cell.start, current: cell.current + cost, previous: cell.previous };
}

/** Takes back what was charged at `at`, in the cell it was charged to; nothing where that is forgotten already. */
export function refunded(cell: Cell, width: number, cost: number, at: Instant): Cell {
  if (at >= cell.start) return { ...cell, current: Math.max(0, cell.current - cost) };
  if (at >= cell.start - width) return { ...cell, previous: Math.max(0, cell.previous - cost) };
  return cell;
}

/**
 * Milliseconds after which `cost` more calls fit if no call is made meanwhile, the least such number; 0 when they fit now.
 * `cell` must be rolled to `now`, and `cost` not be above `limit`.
 */
export function waitFor(cell: Cell, width: number, limit: number, cost: number, now: Instant): number {
  const elapsed = now - cell.start;
  const room = limit - cost - cell.current;
  if (room >= 0) return Math.max(0, fadedBy(cell.previous, width, room) - elapsed);
  // This cell is too full by itself: it has to become the one before, and fade.
  return width - elapsed + fadedBy(cell.current, width, limit - cost);
}

/** Milliseconds into a cell after which `previous` counts for at most `room`. */
function fadedBy(previous: number, width: number, room: number): number {
  return previous <= room ? 0 : width - Math.floor((room * width) / previous);
}

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
function rolledMonth(cell: MonthCell, now: Instant): MonthCell {
  return now < cell.end ? cell : monthAt(now);
}

/** Of two accounts of a caller the one of the later month; of the same month the one with more calls. */
export function laterMonth(known: MonthCell | null, other: MonthCell): MonthCell {
  if (known === null || known.start < other.start) return other;
  return known.start > other.start || known.used >= other.used ? known : other;
}

function refundedMonth(cell: MonthCell, cost: number, at: Instant): MonthCell {
  if (at < cell.start || at >= cell.end) return cell;
  return { ...cell, used: Math.max(0, cell.used - cost) };
}
