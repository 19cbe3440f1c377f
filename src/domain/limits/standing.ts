/** Which window to show to the caller, and what a granted or a refused call is told. */

import type { Instant } from "#domain/day.ts";
import { type Allowance, HOUR_MILLISECONDS, MINUTE_MILLISECONDS, type Window } from "./caller.ts";
import { type Cell, charged, occupied, waitFor } from "./cell.ts";
import type { Counts } from "./counts.ts";
import type { Granted, Refused, Standing } from "./taken.ts";

const MILLISECONDS = 1000;
const FAR = Number.POSITIVE_INFINITY;
const WINDOWS: readonly Window[] = ["minute", "hour", "month"];

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
  const waits = {
    minute: slidingWait(counts.minute, MINUTE_MILLISECONDS, allowance.minute, cost, moment.now),
    hour: slidingWait(counts.hour, HOUR_MILLISECONDS, allowance.hour, cost, moment.now),
    month: monthWait(counts, allowance.month, cost, moment.now),
  };
  let window: Window = "minute";
  if (waits.hour > waits[window]) window = "hour";
  if (waits.month > waits[window]) window = "month";
  const wait = waits[window];
  const limit = allowance[window] ?? 0;
  // Another window that refuses as well may have less left, and nothing passes that does not fit into all of them.
  const left = WINDOWS.map((each) => remainingIn(each, counts, allowance, moment.now));
  const standing: Standing = {
    window,
    limit,
    remaining: Math.max(0, Math.min(limit, ...left)),
    resetAt: secondsAt(moment, wait),
  };
  const retryAfterSeconds = Math.max(1, standing.resetAt - Math.floor(moment.wall / MILLISECONDS));
  return { outcome: "refused", standing, cost, retryAfterSeconds };
}

/** The window with the fewest calls remaining, of equals the longest; and when the same cost passes in all of them. */
function tightest(
  counts: Counts,
  allowance: Allowance,
  cost: number,
  moment: Moment,
  spare: number,
): Standing {
  const { now } = moment;
  let window: Window = "minute";
  let remaining = remainingIn("minute", counts, allowance, now);
  const hourRemaining = remainingIn("hour", counts, allowance, now);
  if (hourRemaining <= remaining) {
    window = "hour";
    remaining = hourRemaining;
  }
  const monthRemaining = remainingIn("month", counts, allowance, now);
  if (monthRemaining <= remaining) {
    window = "month";
    remaining = monthRemaining;
  }
  const left = Math.max(0, remaining);
  const wait = waitWhenUsed(left, counts, allowance, Math.max(1, cost), now);
  const limit = allowance[window] ?? 0;
  return {
    window,
    limit,
    remaining: Math.min(limit, left + spare),
    resetAt: secondsAt(moment, wait),
  };
}

function waitWhenUsed(
  used: number,
  { minute, hour, month }: Counts,
  allowance: Allowance,
  cost: number,
  now: Instant,
): number {
  let wait = slidingWait(charged(minute, used), MINUTE_MILLISECONDS, allowance.minute, cost, now);
  if (allowance.hour !== null) {
    wait = Math.max(wait, slidingWait(charged(hour, used), HOUR_MILLISECONDS, allowance.hour, cost, now));
  }
  if (allowance.month !== null && month !== null && month.used + used + cost > allowance.month)
    wait = Math.max(wait, month.end - now);
  return wait;
}

function remainingIn(window: Window, counts: Counts, allowance: Allowance, now: Instant): number {
  if (window === "minute") return allowance.minute - occupied(counts.minute, MINUTE_MILLISECONDS, now);
  if (window === "hour")
    return allowance.hour === null ? FAR : allowance.hour - occupied(counts.hour, HOUR_MILLISECONDS, now);
  return allowance.month === null ? FAR : allowance.month - (counts.month?.used ?? 0);
}

function slidingWait(cell: Cell, width: number, limit: number | null, cost: number, now: Instant): number {
  if (limit === null || occupied(cell, width, now) + cost <= limit) return 0;
  return waitFor(cell, width, limit, cost, now);
}

function monthWait(counts: Counts, limit: number | null, cost: number, now: Instant): number {
  if (limit === null || counts.month === null || counts.month.used + cost <= limit) return 0;
  return counts.month.end - now;
}

function secondsAt({ wall }: Moment, wait: number): number {
  return Math.ceil((wall + wait) / MILLISECONDS);
}
