/**
 * Callers and their limits: sliding windows of two fixed cells each, and the calendar month. A call is charged in all of them or not
 * at all, as in take.lua for Redis. Also the limits of sign-ins, mails and checkouts.
 */

import { type Day, firstDayOfMonth, type Instant, MILLISECONDS_PER_DAY } from "#domain/time/day.ts";

/** From the shortest to the longest. */
export const WINDOWS = ["minute", "hour", "month"] as const;
export type Window = (typeof WINDOWS)[number];

/** Widths of the sliding windows in milliseconds; the month is a calendar month. */
export const WIDTHS = { minute: 60_000, hour: 3_600_000 } as const;

/** Calls per window; null where the window does not apply. Whole numbers from 1 to LARGEST_LIMIT. */
export interface Allowance {
  readonly minute: number;
  readonly hour: number | null;
  readonly month: number | null;
}

/** Up to this limit, its product with an hour's milliseconds is exact in a double. */
export const LARGEST_LIMIT = 1_000_000_000;

export interface Caller {
  readonly kind: "org" | "address";
  /** For an organization, its owner's identity: deleting the account resets nothing. For an address, the text of clientAddress. */
  readonly id: string;
  readonly allowance: Allowance;
}

/** Calls granted in the running cell and the one before. After silence a cell begins with the next call: a burst lies in one cell. */
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
    // A clock set back a little counts as stopped. Set back by a whole window, it would lock the caller out: the cell starts again.
    return elapsed >= -width ? cell : { ...cell, start: now };
  }
  if (elapsed < 2 * width && cell.current > 0)
    return { start: cell.start + width, current: 0, previous: cell.current };
  return { start: now, current: 0, previous: 0 };
}

/**
 * Calls that count at `now`: all of the running cell, and a share of the previous cell, as if its calls were spread evenly; rounded
 * up. The share is what a window ending now covers. `cell` must be rolled to `now`.
 */
export function occupied(cell: Cell, width: number, now: Instant): number {
  if (cell.previous === 0) return cell.current;
  const elapsed = Math.max(0, now - cell.start);
  return cell.current + Math.ceil((cell.previous * (width - elapsed)) / width);
}

export function charged(cell: Cell, cost: number): Cell {
  return { start: cell.start, current: cell.current + cost, previous: cell.previous };
}

/** Takes a charge made at `at` back from its cell; no change where that cell is forgotten. */
function refunded(cell: Cell, width: number, cost: number, at: Instant): Cell {
  if (at >= cell.start) return { ...cell, current: Math.max(0, cell.current - cost) };
  if (at >= cell.start - width) return { ...cell, previous: Math.max(0, cell.previous - cost) };
  return cell;
}

/**
 * Least milliseconds until `cost` more calls fit, if no others are made; 0 when they fit now. `cell` must be rolled to `now`, `cost`
 * not above `limit`.
 */
export function waitFor(cell: Cell, width: number, limit: number, cost: number, now: Instant): number {
  const elapsed = now - cell.start;
  const room = limit - cost - cell.current;
  if (room >= 0) return Math.max(0, fadedBy(cell.previous, width, room) - elapsed);
  // The running cell alone is too full: the calls fit only after it has become the previous one.
  return width - elapsed + fadedBy(cell.current, width, limit - cost);
}

/** Milliseconds into a cell after which `previous` counts for at most `room`. */
function fadedBy(previous: number, width: number, room: number): number {
  return previous <= room ? 0 : width - Math.floor((room * width) / previous);
}

export interface Counts {
  readonly minute: Cell;
  readonly hour: Cell;
  readonly month: MonthCell | null;
}

export const NO_COUNTS: Counts = { minute: EMPTY_CELL, hour: EMPTY_CELL, month: null };

/** The counts at `now`; the same object where nothing has changed. */
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
    month: allowance.month === null || month === null ? month : usedMore(month, cost),
  };
}

/** By name: a spread takes ten times as long, at every call of a key. */
function usedMore({ start, end, used }: MonthCell, cost: number): MonthCell {
  return { start, end, used: used + cost };
}

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

export function monthDay(cell: MonthCell): Day {
  return cell.start / MILLISECONDS_PER_DAY;
}

/**
 * Returns the same cell within its month, an empty one in a later month. A clock that is set back by at most an hour keeps what was
 * counted. Null when the clock was further ahead: what was counted then says nothing about this month.
 */
export function rolledMonth(cell: MonthCell, now: Instant): MonthCell | null {
  if (now < cell.start - WIDTHS.hour) return null;
  return now < cell.end ? cell : monthAt(now);
}

/** The count of the later month; within one month the higher count. */
export function laterMonth(own: MonthCell | null, other: MonthCell): MonthCell {
  if (own === null || own.start < other.start) return other;
  return own.start > other.start || own.used >= other.used ? own : other;
}

function refundedMonth(cell: MonthCell, cost: number, at: Instant): MonthCell {
  if (at < cell.start || at >= cell.end) return cell;
  return { ...cell, used: Math.max(0, cell.used - cost) };
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

export interface AttemptLimit {
  readonly most: number;
  readonly milliseconds: number;
}

/**
 * By action and owner. An account is an e-mail address as sent, existing or not: a refusal reveals nothing. An office may share an
 * address, so it gets more than a person needs. A network (IPv4 /24, IPv6 /56) may belong to one customer, so it gets the limit of
 * five addresses.
 */
export const ATTEMPT_LIMITS = {
  "sign-in from": { most: 60, milliseconds: 15 * MINUTE },
  "sign-in from network": { most: 300, milliseconds: 15 * MINUTE },
  "sign-in to": { most: 10, milliseconds: 15 * MINUTE },
  // Of a browser that signed in before: few, because its cookie may be stolen.
  "sign-in by device": { most: 5, milliseconds: 15 * MINUTE },
  "sign-up from": { most: 20, milliseconds: HOUR },
  "sign-up from network": { most: 100, milliseconds: HOUR },
  "mail from": { most: 20, milliseconds: HOUR },
  "mail from network": { most: 100, milliseconds: HOUR },
  "mail to": { most: 5, milliseconds: HOUR },
  "link from": { most: 60, milliseconds: 15 * MINUTE },
  "link from network": { most: 300, milliseconds: 15 * MINUTE },
  // Each asks the payment provider, which has one limit for all customers together.
  "checkout from": { most: 30, milliseconds: 15 * MINUTE },
  "checkout from network": { most: 150, milliseconds: 15 * MINUTE },
  "checkout of": { most: 10, milliseconds: 15 * MINUTE },
  // The guides tell clients to repeat this call; after a revocation it makes a key.
  "provision of": { most: 100, milliseconds: HOUR },
  // Each adds a permanent row and ends a key: a stolen session must not do that often.
  "rotation of": { most: 30, milliseconds: HOUR },
  // Each version leaves a row that outlives the account.
  "consent of": { most: 30, milliseconds: HOUR },
  // Each writes an audit entry that outlives the endpoint.
  "webhook change of": { most: 60, milliseconds: HOUR },
  // Each sends a request, and its retries, to an address that the owner chose.
  "webhook test of": { most: 30, milliseconds: HOUR },
  "webhook replay of": { most: 120, milliseconds: HOUR },
} as const satisfies Readonly<Record<string, AttemptLimit>>;

/** Milliseconds until one more attempt passes, 0 when it does now. `cell` must be rolled to `now`. */
export function attemptWait(cell: Cell, { most, milliseconds }: AttemptLimit, now: Instant): number {
  const fits = occupied(cell, milliseconds, now) + 1 <= most;
  return fits ? 0 : Math.max(1, waitFor(cell, milliseconds, most, 1, now));
}
