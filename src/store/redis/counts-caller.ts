/** What one replica knows of one caller: the shared counts as last seen, a lease on them, and what it granted alone. */

import type { Instant } from "#domain/day.ts";
import {
  type Allowance,
  type Caller,
  HOUR_MILLISECONDS,
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
import type { CountsReply } from "./counts-scripts.ts";

/** All instants are of the shared clock, but for the lease's end. */
export interface CallerRecord {
  /** As last asked; the hand-over needs it after the caller has left. */
  caller: Caller;
  /** The shared counts as last seen. */
  seen: Counts;
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
  /** This replica's own grants, against its share. */
  own: Counts;
  /** Those of them that the store has not been told. */
  owed: Counts;
  /** The shared counts as last seen and those grants on top. The month: as far as the ledger knows, and then counted on. */
  total: Counts;
  /** When the ledger was last asked for the month. */
  askedAt: Instant;
}

export function newRecord(isShared: boolean, now: Instant): CallerRecord {
  const caller: Caller = { kind: "address", id: "", allowance: { minute: 1, hour: null, month: null } };
  const none = { lease: null, demand: NO_DEMAND, leaseFrom: 0, renewing: null, alone: null };
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
    own: NO_COUNTS,
    owed: nothing,
    total: record.isShared ? NO_COUNTS : record.seen,
    askedAt: 0,
  };
  const { alone } = record;
  alone.own = rolledCounts(alone.own, now);
  alone.owed = rolledCounts(alone.owed, now);
  alone.total = rolledCounts(alone.total, now);
  return alone;
}

/** Grants of this replica's share, and never more than the whole limit as far as it knows. */
export function takeAlone(
  alone: Alone,
  caller: Caller,
  cost: number,
  replicas: number,
  moment: Moment,
): Taken {
  const { allowance } = caller;
  const share = shareOf(allowance, replicas);
  const { now } = moment;
  if (cost > share.minute || (share.hour !== null && cost > share.hour)) {
    const reason = "replicas cannot agree on a batch of this size while the shared counters are away";
    return { outcome: "unavailable", reason, retryAfterSeconds: 5 };
  }
  const isFree = cost === 0;
  const fitsOwn = isFree || fits(alone.own, share, cost, now);
  const fitsTotal = isFree || fits(alone.total, allowance, cost, now);
  if (fitsOwn && fitsTotal && !isFree) {
    alone.own = chargedCounts(alone.own, allowance, cost);
    alone.owed = chargedCounts(alone.owed, allowance, cost);
    alone.total = chargedCounts(alone.total, allowance, cost);
  }
  const refusals = [
    fitsOwn ? null : refused(alone.own, share, cost, moment),
    fitsTotal ? null : refused(alone.total, allowance, cost, moment),
  ].filter((one) => one !== null);
  refusals.sort((a, b) => b.retryAfterSeconds - a.retryAfterSeconds);
  const [longest] = refusals;
  if (longest !== undefined) return { ...longest, standing: whole(longest.standing, allowance) };
  const own = granted(alone.own, share, cost, moment, "process");
  const total = granted(alone.total, allowance, cost, moment, "process");
  const tighter = own.standing.remaining < total.standing.remaining ? own : total;
  const resetAt = Math.max(own.standing.resetAt, total.standing.resetAt);
  return { ...tighter, standing: { ...whole(tighter.standing, allowance), resetAt } };
}

export function refundAlone(alone: Alone, cost: number, at: Instant): void {
  alone.own = refundedCounts(alone.own, cost, at);
  alone.owed = refundedCounts(alone.owed, cost, at);
  alone.total = refundedCounts(alone.total, cost, at);
}

function shareOf(allowance: Allowance, replicas: number): Allowance {
  const of = (limit: number) => Math.max(1, Math.floor(limit / replicas));
  return {
    minute: of(allowance.minute),
    hour: allowance.hour === null ? null : of(allowance.hour),
    month: null,
  };
}

/** The caller's limit is what it is, also while only a part of it is granted here. */
function whole(standing: Standing, allowance: Allowance): Standing {
  return { ...standing, limit: allowance[standing.window] ?? standing.limit };
}
