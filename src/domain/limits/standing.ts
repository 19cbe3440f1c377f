/** Which window to show to the caller, and what a granted or a refused call is told. */

import type { Instant } from "#domain/time/day.ts";
import { type Allowance, HOUR_MILLISECONDS, MINUTE_MILLISECONDS, type Window } from "./caller.ts";
import { charged, occupied, waitFor } from "./cell.ts";
import type { Counts } from "./counts.ts";
import type { Granted, Refused, Standing } from "./taken.ts";

const MILLISECONDS = 1000;
const FAR = Number.POSITIVE_INFINITY;
const WIDTHS = { minute: MINUTE_MILLISECONDS, hour: HOUR_MILLISECONDS } as const;

/** `wall` is the instant that Unix seconds are counted from: `now` may be another machine's clock. */
export interface Moment {
  readonly now: Instant;
  readonly wall: Instant;
}

/** After a charge. `spare` are calls that the caller has beyond the counts, being counted already. */
export function granted(
  counts: Counts,
  allowance: Allowance,
  cost: number,
  moment: Moment,
  by: Granted["by"],
  at: Instant = moment.now,
  spare = 0,
): Granted {
  return { outcome: "granted", standing: tightest(counts, allowance, cost, moment, spare), cost, at, by };
}

/** The refusal of a call that does not fit, by the window to wait longest for. `counts` must be rolled to `moment.now`. */
export function refused(counts: Counts, allowance: Allowance, cost: number, moment: Moment): Refused {
  let window: Window = "minute";
  let wait = waitIn(window, counts, allowance, 0, cost, moment.now);
  for (const other of ["hour", "month"] as const) {
    const longer = waitIn(other, counts, allowance, 0, cost, moment.now);
    if (longer > wait) [window, wait] = [other, longer];
  }
  const limit = allowance[window] ?? 0;
  const left = remainingIn(window, counts, allowance, moment.now);
  const standing: Standing = {
    window,
    limit,
    remaining: Math.max(0, Math.min(limit, left)),
    resetAt: secondsAt(moment, wait),
  };
  const retryAfterSeconds = Math.max(1, standing.resetAt - Math.floor(moment.wall / MILLISECONDS));
  return { outcome: "refused", standing, cost, retryAfterSeconds };
}

/**
 * The window with the fewest calls remaining, of equals the one that is waited for longest; all three figures are of that window.
 * So a caller who has none left and waits for it is not refused by another of the windows that have none left either.
 */
function tightest(
  counts: Counts,
  allowance: Allowance,
  cost: number,
  moment: Moment,
  spare: number,
): Standing {
  const { now } = moment;
  const next = Math.max(1, cost);
  let window: Window = "minute";
  let left = Math.max(0, remainingIn(window, counts, allowance, now));
  let wait = waitIn(window, counts, allowance, left, next, now);
  for (const other of ["hour", "month"] as const) {
    const remaining = Math.max(0, remainingIn(other, counts, allowance, now));
    if (remaining > left) continue;
    const otherWait = waitIn(other, counts, allowance, remaining, next, now);
    if (remaining < left || otherWait >= wait) [window, left, wait] = [other, remaining, otherWait];
  }
  const limit = allowance[window] ?? 0;
  return { window, limit, remaining: Math.min(limit, left + spare), resetAt: secondsAt(moment, wait) };
}

/** Milliseconds until `cost` calls fit into a window of which `used` more were used now; 0 where it does not apply. */
function waitIn(
  window: Window,
  counts: Counts,
  allowance: Allowance,
  used: number,
  cost: number,
  now: Instant,
): number {
  const limit = allowance[window];
  if (limit === null) return 0;
  if (window === "month") {
    const { month } = counts;
    return month === null || month.used + used + cost <= limit ? 0 : month.end - now;
  }
  const width = WIDTHS[window];
  const cell = used === 0 ? counts[window] : charged(counts[window], used);
  return occupied(cell, width, now) + cost <= limit ? 0 : waitFor(cell, width, limit, cost, now);
}

function remainingIn(window: Window, counts: Counts, allowance: Allowance, now: Instant): number {
  if (window === "minute") return allowance.minute - occupied(counts.minute, MINUTE_MILLISECONDS, now);
  if (window === "hour")
    return allowance.hour === null ? FAR : allowance.hour - occupied(counts.hour, HOUR_MILLISECONDS, now);
  return allowance.month === null ? FAR : allowance.month - (counts.month?.used ?? 0);
}

function secondsAt({ wall }: Moment, wait: number): number {
  return Math.ceil((wall + wait) / MILLISECONDS);
}
