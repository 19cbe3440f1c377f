/** What one replica knows of one caller: the shared counts as last seen, a lease on them, and what it granted alone. */

import {
  type Allowance,
  type Caller,
  HOUR_MILLISECONDS,
  impossibleIn,
  MINUTE_MILLISECONDS,
} from "#domain/limits/caller.ts";
import {
  type Counts,
  chargedCounts,
  fits,
  NO_COUNTS,
  refundedCounts,
  rolledCounts,
} from "#domain/limits/counts.ts";
import { type Demand, LEASE_MILLISECONDS, type Lease, NO_DEMAND } from "#domain/limits/lease.ts";
import { monthAt } from "#domain/limits/month.ts";
import { granted, type Moment, refused } from "#domain/limits/standing.ts";
import type { Standing, Taken } from "#domain/limits/taken.ts";
import type { Instant } from "#domain/time/day.ts";
import type { CountsReply } from "./counts-scripts.ts";

/** All instants are of the shared clock, but for the lease's end. */
export interface CallerRecord {
  /** As last asked; the hand-over needs it after the caller has left. */
  caller: Caller;
  /** The shared counts as last seen, and since when the store has counted them. */
  seen: Counts;
  born: Instant;
  lease: Lease | null;
  demand: Demand;
  /** No lease is asked for before: the store had no room for one. */
  leaseFrom: Instant;
  /** A lease that is being fetched. */
  renewing: Promise<void> | null;
  /** What this replica granted since the store went away; null while there is nothing. */
  alone: Alone | null;
  usedAt: Instant;
  /** Stands for several callers: nothing in it is true of one of them, it only limits. */
  readonly isShared: boolean;
}

export interface Alone {
  /** This replica's own grants that the store has not been told. */
  owed: Counts;
  /** The shared counts as last seen, and on top what all replicas may have granted since. The month: see takeAlone. */
  total: Counts;
  /** When the ledger was last asked for the month. */
  askedAt: Instant;
}

export function newRecord(isShared: boolean, now: Instant): CallerRecord {
  const caller: Caller = { kind: "address", id: "", allowance: { minute: 1, hour: null, month: null } };
  const none = { born: 0, lease: null, demand: NO_DEMAND, leaseFrom: 0, renewing: null, alone: null };
  return { caller, seen: NO_COUNTS, ...none, usedAt: now, isShared };
}

/** The lease that came with a reply. It ends with the cell that it was charged to, at the latest. */
export function leaseOf(reply: CountsReply, allowance: Allowance, sentAt: Instant): Lease | null {
  if (reply.tokens === 0) return null;
  const { minute, hour, month } = reply.counts;
  let most = Math.min(LEASE_MILLISECONDS, minute.start + MINUTE_MILLISECONDS - reply.now);
  if (allowance.hour !== null) most = Math.min(most, hour.start + HOUR_MILLISECONDS - reply.now);
  if (allowance.month !== null && month !== null) most = Math.min(most, month.end - reply.now);
  // Counted from before the store could have charged it: the store's clock has not come further than ours since.
  const charged = { minuteStart: minute.start, hourStart: allowance.hour === null ? 0 : hour.start };
  return { left: reply.tokens, size: reply.tokens, at: reply.now, until: sentAt + most, ...charged };
}

/** The beginning of a time alone, or what is granted in it so far. Everything seen counts. */
export function aloneOf(record: CallerRecord, now: Instant): Alone {
  const nothing = { ...NO_COUNTS, month: monthAt(now) };
  record.alone ??= {
    owed: nothing,
    total: record.isShared ? NO_COUNTS : record.seen,
    askedAt: 0,
  };
  const { alone } = record;
  alone.owed = rolledCounts(alone.owed, now);
  alone.total = rolledCounts(alone.total, now);
  return alone;
}

/**
 * Every call counts as many times as there are replicas, on top of what was last seen: so each grants its part of what is
 * left, and all of them together no more than that when they have seen the same. The month is not divided: of it the
 * ledger tells what the others grant. A limit below the number of replicas gives each of them that one call.
 */
export function takeAlone(
  alone: Alone,
  { allowance }: Caller,
  cost: number,
  replicas: number,
  moment: Moment,
): Taken {
  const sliding: Allowance = { ...allowance, month: null };
  const weight = Math.min(replicas, allowance.minute, allowance.hour ?? replicas);
  const weighed = weight * cost;
  if (impossibleIn(sliding, weighed) !== null) {
    const reason = "replicas cannot agree on a batch of this size while the shared counters are away";
    return { outcome: "unavailable", reason, retryAfterSeconds: 5 };
  }
  const { month } = alone.total;
  const isMonthUsed = allowance.month !== null && month !== null && month.used + cost > allowance.month;
  if (cost > 0 && isMonthUsed) return refused(alone.total, allowance, cost, moment);
  if (cost > 0 && !fits(alone.total, sliding, weighed, moment.now))
    return { ...apportioned(refused(alone.total, sliding, weighed, moment), weight), cost };
  if (cost > 0) {
    alone.owed = chargedCounts(alone.owed, allowance, cost);
    const counts = chargedCounts(alone.total, sliding, weighed);
    alone.total = { ...counts, month: month === null ? null : { ...month, used: month.used + cost } };
  }
  const ofWindows = apportioned(granted(alone.total, sliding, weighed, moment, "process"), weight);
  const ofMonth = granted(alone.total, allowance, cost, moment, "process").standing;
  const isMonthTighter = ofMonth.window === "month" && ofMonth.remaining <= ofWindows.standing.remaining;
  return { ...ofWindows, cost, standing: isMonthTighter ? ofMonth : ofWindows.standing };
}

function apportioned<T extends { readonly standing: Standing }>(taken: T, weight: number): T {
  const { standing } = taken;
  return { ...taken, standing: { ...standing, remaining: Math.floor(standing.remaining / weight) } };
}

export function refundAlone(alone: Alone, cost: number, at: Instant): void {
  alone.owed = refundedCounts(alone.owed, cost, at);
  // Once, not as often as there are replicas: it errs on the side of the limit.
  alone.total = refundedCounts(alone.total, cost, at);
}
