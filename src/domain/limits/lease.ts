/** Calls charged in advance, so that a replica need not ask the shared store for each: how many, how long, how spent. */

import type { Instant } from "#domain/time/day.ts";

/**
 * Every token is charged in the store before it can be spent, and spent in the cell it was charged to or not at all. So a
 * replica that dies loses tokens and never makes any, and no window sees more calls than it was charged for.
 */
export interface Lease {
  /** Tokens that may still be spent. */
  readonly left: number;
  readonly size: number;
  /** When they were charged, by the store's clock: where unspent ones go back to. */
  readonly at: Instant;
  /** Not spent from here on, by this process's clock. */
  readonly until: Instant;
  /** The cells that they were charged to, by their starts: leases on the same ones can be joined. */
  readonly minuteStart: Instant;
  readonly hourStart: Instant;
}

export const LEASE_MILLISECONDS = 1000;
/** More is not worth its risk: this many calls a second already are beside the cost of one round trip. */
export const LARGEST_LEASE = 100_000;
/** Two calls within one lease's time, doubled. */
const SMALLEST_LEASE = 4;

/** Below this many calls of room for each token and replica no lease is given: near the limit every call is asked for. */
export const LEASE_ROOM = 4;

/** True when `cost` can be taken from the lease. */
export function covers(lease: Lease | null, cost: number, now: Instant): lease is Lease {
  return lease !== null && cost <= lease.left && now < lease.until;
}

export function spent(lease: Lease, cost: number): Lease {
  const { left, size, at, until, minuteStart, hourStart } = lease;
  return { left: left - cost, size, at, until, minuteStart, hourStart };
}

/** One lease of two, when both were charged to the same cells; else null. */
export function joined(older: Lease, newer: Lease): Lease | null {
  if (older.minuteStart !== newer.minuteStart || older.hourStart !== newer.hourStart) return null;
  return { ...newer, left: older.left + newer.left, size: older.left + newer.size };
}

/** Calls of a caller at one replica, to judge how many more are to be expected. */
export interface Demand {
  readonly since: Instant;
  readonly calls: number;
  /** Calls in the stretch of one lease before. */
  readonly rate: number;
}

export const NO_DEMAND: Demand = { since: 0, calls: 0, rate: 0 };

export function demandAt(demand: Demand, now: Instant): Demand {
  const elapsed = now - demand.since;
  if (elapsed >= 0 && elapsed < LEASE_MILLISECONDS) return demand;
  const rate = elapsed < 0 ? 0 : Math.floor((demand.calls * LEASE_MILLISECONDS) / elapsed);
  return { since: now, calls: 0, rate };
}

/** Tokens worth leasing: twice what came so far, or what usually comes; none for a caller that comes now and then. */
export function tokensFor({ calls, rate }: Demand): number {
  const wish = Math.max(2 * calls, rate);
  return wish < SMALLEST_LEASE ? 0 : Math.min(wish, LARGEST_LEASE);
}

/** Half used in tokens or in time: time to fetch the next one beside the calls that it still covers. */
export function isHalfUsed(lease: Lease, now: Instant): boolean {
  return lease.left * 2 <= lease.size || now >= lease.until - LEASE_MILLISECONDS / 2;
}
