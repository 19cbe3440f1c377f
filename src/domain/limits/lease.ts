/** Calls charged in advance, so that a replica need not ask the shared store for each: how many, how long, how spent. */

import type { Instant } from "#domain/time/day.ts";
import { type Allowance, HOUR_MILLISECONDS, MINUTE_MILLISECONDS } from "./caller.ts";
import type { Counts } from "./counts.ts";

/**
 * Every token is charged in the store before it can be spent, and spent in the cell it was charged to or not at all. So a
 * replica that dies loses tokens and never makes any, and no window sees more calls than it was charged for.
 */
export interface Lease {
  /** Tokens that may still be spent. */
  left: number;
  /** When they were charged, by the store's clock: where unspent ones go back to. */
  readonly at: Instant;
  /** Not spent from here on, by this process's clock. */
  readonly until: Instant;
  /** The store's counts with these tokens charged, and the limits that there was room in. */
  readonly counts: Counts;
  readonly allowance: Allowance;
}

const LEASE_MILLISECONDS = 1000;
/** More is not worth its risk: this many calls a second already are beside the cost of one round trip. */
const LARGEST_LEASE = 100_000;
/** Two calls within one lease's time, doubled. */
const SMALLEST_LEASE = 4;

/** Below this many calls of room for each token and replica no lease is given: near the limit every call asks the store. */
export const LEASE_ROOM = 4;

/**
 * Tokens charged at `at` to the cells of `counts`; null for none. It ends with those cells, at the latest. `sentAt` is when the
 * store was asked, by this process's clock: the store's clock has not come further than this one since.
 */
export function leaseOf(
  tokens: number,
  counts: Counts,
  allowance: Allowance,
  at: Instant,
  sentAt: Instant,
): Lease | null {
  if (tokens === 0) return null;
  const { hour, month } = allowance;
  let most = Math.min(LEASE_MILLISECONDS, counts.minute.start + MINUTE_MILLISECONDS - at);
  if (hour !== null) most = Math.min(most, counts.hour.start + HOUR_MILLISECONDS - at);
  if (month !== null && counts.month !== null) most = Math.min(most, counts.month.end - at);
  return { left: tokens, at, until: sentAt + most, counts, allowance };
}

/**
 * True when `cost` can be taken from the lease: its tokens are for the limits that it was charged under, so that another plan
 * holds from the next call on. A clock that was set back does not make it last longer.
 */
export function covers(
  lease: Lease | null,
  { minute, hour, month }: Allowance,
  cost: number,
  now: Instant,
): lease is Lease {
  if (lease === null || cost > lease.left || now >= lease.until) return false;
  const charged = lease.allowance;
  const isSamePlan = charged.minute === minute && charged.hour === hour && charged.month === month;
  return isSamePlan && lease.until - now <= LEASE_MILLISECONDS;
}

/** Calls of a caller at one replica, to judge how many more are to be expected. */
export interface Demand {
  since: Instant;
  calls: number;
  /** Calls in the stretch of one lease before. */
  rate: number;
}

/** Counts `cost` calls at `now`. */
export function noteDemand(demand: Demand, cost: number, now: Instant): void {
  const elapsed = now - demand.since;
  if (elapsed < 0 || elapsed >= LEASE_MILLISECONDS) {
    demand.rate = elapsed < 0 ? 0 : Math.floor((demand.calls * LEASE_MILLISECONDS) / elapsed);
    demand.since = now;
    demand.calls = 0;
  }
  demand.calls += cost;
}

/** Tokens worth leasing: twice what came so far, or what usually comes; none for a caller that comes now and then. */
export function tokensFor({ calls, rate }: Demand): number {
  const wish = Math.max(2 * calls, rate);
  return wish < SMALLEST_LEASE ? 0 : Math.min(wish, LARGEST_LEASE);
}
