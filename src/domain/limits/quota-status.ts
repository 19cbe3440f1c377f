/** The quota status of a granted or a refused call: of which window, how many calls are left, and when there is room again. */

import type { Instant } from "#domain/time/day.ts";
import { type Allowance, HOUR_MILLISECONDS, MINUTE_MILLISECONDS, type Window } from "./caller.ts";
import { charged, occupied, waitFor } from "./cell.ts";
import type { Counts } from "./counts.ts";
import type { Granted, QuotaStatus, Refused } from "./taken.ts";

const MILLISECONDS = 1000;
const WIDTHS = { minute: MINUTE_MILLISECONDS, hour: HOUR_MILLISECONDS } as const;
const LONGER_WINDOWS = ["hour", "month"] as const;

/** `wall` is the instant that Unix seconds are counted from: `now` may be another machine's clock. */
export interface Moment {
  readonly now: Instant;
  readonly wall: Instant;
}

/**
 * After a charge: the window with the fewest calls remaining, of equals the one that is waited for longest. So a caller that has
 * none left and waits for it is not refused by another window. `spare` are calls that the caller has beyond the counts,
 * being counted already. `counts` must be rolled to `moment.now`.
 */
export function granted(
  counts: Counts,
  allowance: Allowance,
  cost: number,
  moment: Moment,
  by: Granted["by"],
  at: Instant = moment.now,
  spare = 0,
): Granted {
  const next = Math.max(1, cost);
  let window: Window = "minute";
  let left = remainingIn(window, counts, allowance, moment.now);
  let wait = waitIn(window, counts, allowance, left, next, moment.now);
  for (const other of LONGER_WINDOWS) {
    const remaining = remainingIn(other, counts, allowance, moment.now);
    if (remaining > left) continue;
    const otherWait = waitIn(other, counts, allowance, remaining, next, moment.now);
    if (remaining < left || otherWait >= wait) [window, left, wait] = [other, remaining, otherWait];
  }
  return { outcome: "granted", quota: quotaOf(window, allowance, left + spare, wait, moment), cost, at, by };
}

/** The refusal of a call that does not fit, by the window to wait longest for. `counts` must be rolled to `moment.now`. */
export function refused(counts: Counts, allowance: Allowance, cost: number, moment: Moment): Refused {
  let window: Window = "minute";
  let wait = waitIn(window, counts, allowance, 0, cost, moment.now);
  for (const other of LONGER_WINDOWS) {
    const longer = waitIn(other, counts, allowance, 0, cost, moment.now);
    if (longer > wait) [window, wait] = [other, longer];
  }
  const quota = quotaOf(window, allowance, remainingIn(window, counts, allowance, moment.now), wait, moment);
  const retryAfterSeconds = Math.max(1, quota.resetAt - Math.floor(moment.wall / MILLISECONDS));
  return { outcome: "refused", quota, cost, retryAfterSeconds };
}

function quotaOf(
  window: Window,
  allowance: Allowance,
  left: number,
  wait: number,
  { wall }: Moment,
): QuotaStatus {
  const limit = allowance[window] ?? 0;
  return {
    window,
    limit,
    remaining: Math.min(limit, left),
    resetAt: Math.ceil((wall + wait) / MILLISECONDS),
  };
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

/** Calls left in a window; Infinity where it does not apply. */
function remainingIn(window: Window, counts: Counts, allowance: Allowance, now: Instant): number {
  const limit = allowance[window];
  if (limit === null) return Number.POSITIVE_INFINITY;
  const used = window === "month" ? (counts.month?.used ?? 0) : occupied(counts[window], WIDTHS[window], now);
  return Math.max(0, limit - used);
}
