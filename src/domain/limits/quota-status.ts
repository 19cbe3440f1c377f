/**
 * The result of charging a call, and the quota status that it shows: which window, how many calls are left, when there is room
 * again. Also the networks that are counted together: one customer can have all /64 of an IPv6 /56.
 */

import type { Instant } from "#domain/time/day.ts";
import {
  type Allowance,
  type Caller,
  type Counts,
  charged,
  LARGEST_LIMIT,
  occupied,
  WIDTHS,
  WINDOWS,
  type Window,
  waitFor,
} from "./counts.ts";

const MILLISECONDS = 1000;

/** `now` counts windows and months, and may be another machine's clock; `wall` gives the Unix seconds of answers. */
export interface Moment {
  readonly now: Instant;
  readonly wall: Instant;
}

/** The outcome of a call that costs more than a whole limit, with the shortest window of such a limit; null for any other call. */
export function neverTaken(allowance: Allowance, cost: number): Never | null {
  // A loop: `find` and `every` with a function would cost more than the arithmetic.
  for (const window of WINDOWS) {
    const limit = allowance[window];
    if (limit !== null && cost > limit) return { outcome: "never", window, limit, cost };
  }
  return null;
}

/** Whether `cost` more calls fit into every window. `counts` must be rolled to `now`. */
export function fits(counts: Counts, allowance: Allowance, cost: number, now: Instant): boolean {
  for (const window of WINDOWS) if (remainingIn(window, counts, allowance, now) < cost) return false;
  return true;
}

/**
 * The outcome after a charge, with the window that has the fewest calls remaining; on a tie the one with the longest wait: after it
 * no other window refuses the caller. `spare` calls are counted already but not used. `counts` must be rolled to `moment.now`.
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
  let left = Number.POSITIVE_INFINITY;
  let wait = 0;
  for (const one of WINDOWS) {
    const remaining = remainingIn(one, counts, allowance, moment.now);
    if (remaining > left || allowance[one] === null) continue;
    const itsWait = waitIn(one, counts, allowance, remaining, next, moment.now);
    if (remaining === left && itsWait < wait) continue;
    window = one;
    left = remaining;
    wait = itsWait;
  }
  const limit = allowance[window] ?? 0;
  const resetAt = Math.ceil((moment.wall + wait) / MILLISECONDS);
  const quota = { window, limit, remaining: Math.min(limit, left + spare), resetAt };
  return { outcome: "granted", quota, cost, at, wall: moment.wall, by };
}

/** The refusal of a call that does not fit, with the window of the longest wait. `counts` must be rolled to `moment.now`. */
export function refused(counts: Counts, allowance: Allowance, cost: number, moment: Moment): Refused {
  const waits = WINDOWS.map((one) => waitIn(one, counts, allowance, 0, cost, moment.now));
  const wait = Math.max(...waits);
  const window = WINDOWS[waits.indexOf(wait)] ?? "minute";
  const remaining = remainingIn(window, counts, allowance, moment.now);
  const resetAt = Math.ceil((moment.wall + wait) / MILLISECONDS);
  const retryAfterSeconds = Math.max(1, resetAt - Math.floor(moment.wall / MILLISECONDS));
  const quota = { window, limit: allowance[window] ?? 0, remaining, resetAt };
  return { outcome: "refused", quota, cost, retryAfterSeconds };
}

/**
 * The stricter of two outcomes, for a caller and its networks: a refusal before a grant. Of two refusals the longer wait; of two
 * grants the one with fewer calls left, then the longer wait.
 */
export function tighter<Outcome extends Taken>(one: Outcome, other: Outcome): Outcome {
  if (one.outcome !== other.outcome) return one.outcome === "granted" ? other : one;
  if (!("quota" in one && "quota" in other)) return one;
  const fewer = one.outcome === "granted" ? other.quota.remaining - one.quota.remaining : 0;
  return fewer < 0 || (fewer === 0 && other.quota.resetAt > one.quota.resetAt) ? other : one;
}

/** Milliseconds until `cost` calls fit into a window after `more` calls were used now; 0 where the window does not apply. */
function waitIn(
  window: Window,
  counts: Counts,
  allowance: Allowance,
  more: number,
  cost: number,
  now: Instant,
): number {
  const limit = allowance[window];
  if (limit === null || used(window, counts, now) + more + cost <= limit) return 0;
  if (window === "month") return (counts.month?.end ?? now) - now;
  const cell = more === 0 ? counts[window] : charged(counts[window], more);
  return waitFor(cell, WIDTHS[window], limit, cost, now);
}

/** Calls left in a window; Infinity where the window does not apply. */
function remainingIn(window: Window, counts: Counts, allowance: Allowance, now: Instant): number {
  return Math.max(0, (allowance[window] ?? Number.POSITIVE_INFINITY) - used(window, counts, now));
}

function used(window: Window, counts: Counts, now: Instant): number {
  return window === "month" ? (counts.month?.used ?? 0) : occupied(counts[window], WIDTHS[window], now);
}

/** One window as the X-RateLimit headers show it: all figures are of this window. */
export interface QuotaStatus {
  readonly window: Window;
  readonly limit: number;
  /** Calls left in this window. After a granted call no other window has fewer: these calls pass now. */
  readonly remaining: number;
  /**
   * Unix seconds. After a granted call: when the window has room for the same cost even if all of `remaining` are used now. After a
   * refused call: when it passes, if no other calls are made.
   */
  readonly resetAt: number;
}

export interface Granted {
  readonly outcome: "granted";
  readonly quota: QuotaStatus;
  readonly cost: number;
  /** When it was charged, by the clock that counted it; needed to refund it. */
  readonly at: Instant;
  /** When it was charged, by this process's clock. */
  readonly wall: Instant;
  /** By this process alone, or by the store of all replicas. */
  readonly by: "process" | "shared";
}

export interface Refused {
  readonly outcome: "refused";
  readonly quota: QuotaStatus;
  readonly cost: number;
  /** At least 1; the call then passes if no others are made. */
  readonly retryAfterSeconds: number;
  /** The IPv6 network that reached its limit, where it is not the caller itself. */
  readonly network?: string;
}

/** The cost is above a limit: waiting does not help. */
export interface Never {
  readonly outcome: "never";
  readonly window: Window;
  readonly limit: number;
  readonly cost: number;
}

/** The caller's usage is not known. */
export interface Unavailable {
  readonly outcome: "unavailable";
  readonly reason: string;
  readonly retryAfterSeconds: number;
}

export type Taken = Granted | Refused | Never | Unavailable;

/** By prefix length, narrow to wide: the network's limit as a multiple of one address's. */
const TIMES = { 56: 4, 48: 16 } as const;
/** As `clientAddress` writes an IPv6 /64. */
const NARROW = /^([\da-f]{1,4}:[\da-f]{1,4}:[\da-f]{1,4}):([\da-f]{1,4})::\/64$/;

/** The caller, and for an IPv6 address also the networks around it as callers: a call is charged to all of them or not at all. */
export function countedAs(caller: Caller): readonly Caller[] {
  const { kind, id, allowance } = caller;
  if (kind !== "address" || !id.endsWith("::/64")) return [caller];
  const [, site = "", subnet = ""] = NARROW.exec(id) ?? [];
  if (site === "") return [caller];
  const customer = (Number.parseInt(subnet, 16) & 0xff00).toString(16);
  return [
    caller,
    { kind, id: `${site}:${customer}::/56`, allowance: times(allowance, TIMES[56]) },
    { kind, id: `${site}:0::/48`, allowance: times(allowance, TIMES[48]) },
  ];
}

/** The outcome at the nth of `countedAs`: a refusal says which network's limit it is. */
export function ofNetwork<Outcome extends Taken>(
  taken: Outcome,
  counted: readonly Caller[],
  nth: number,
): Outcome {
  const network = counted[nth]?.id;
  return nth === 0 || taken.outcome !== "refused" || network === undefined ? taken : { ...taken, network };
}

function times({ minute, hour, month }: Allowance, factor: number): Allowance {
  const most = (limit: number) => Math.min(LARGEST_LIMIT, factor * limit);
  return { minute: most(minute), hour: hour === null ? null : most(hour), month };
}
