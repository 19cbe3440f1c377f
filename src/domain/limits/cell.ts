/** One sliding window of one caller, as two fixed cells: pure arithmetic in calls and milliseconds. */

import type { Instant } from "#domain/time/day.ts";

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
