/** When a source's whole history is read again. Only that finds corrections older than the daily re-reading reaches. */

import type { Instant } from "#domain/time/day.ts";

export interface WholeRead {
  /** When it was last read whole; null when that is not known. */
  readonly readAt: Instant | null;
  /** From when on it is due again. */
  readonly dueAt: Instant;
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const WEEK = 7 * DAY;
/** Spreads installations over half a day. */
const JITTER = 12 * HOUR;

/** After a whole read at `now`: a week later, or a day later when not every route of it could be read. */
export function afterWholeRead(now: Instant, isClean: boolean, random: () => number): WholeRead {
  const wait = isClean ? WEEK : DAY;
  return { readAt: now, dueAt: now + wait + Math.floor(random() * JITTER) };
}

/** Where no read is known of, as on a lake of an earlier release: within a day, so that not every upgrade requests it at once. */
export function firstWholeRead(now: Instant, random: () => number): WholeRead {
  return { readAt: null, dueAt: now + Math.floor(random() * DAY) };
}

/** True from the due time on; also when the time lies further ahead than it is ever set, after a clock that was wrong. */
export function isWholeReadDue({ dueAt }: WholeRead, now: Instant): boolean {
  return now >= dueAt || dueAt - now > WEEK + JITTER;
}
