/** What one replica has of one caller, and what it granted without Redis and has not reported yet. */

import { type Caller, HOUR_MILLISECONDS, MINUTE_MILLISECONDS } from "#domain/limits/caller.ts";
import { occupied } from "#domain/limits/cell.ts";
import {
  type Counts,
  chargedCounts,
  chargedWindows,
  NO_COUNTS,
  refundedCounts,
  rolledCounts,
} from "#domain/limits/counts.ts";
import type { Demand, Lease } from "#domain/limits/lease.ts";
import { type MonthCell, monthAt, monthDay } from "#domain/limits/month.ts";
import type { Instant } from "#domain/time/day.ts";
import { type LocalRecord, newLocalRecord } from "#store/memory/limits/local-counts.ts";
import type { CountsScripts } from "./scripts.ts";

/**
 * `counts` has all that this replica granted, by Redis or without it; what is spent of a lease once that has ended. All instants are of the shared clock, but for the end of a
 * lease and what is compared with it.
 */
export interface ReplicaRecord extends LocalRecord {
  /** As of the last take. */
  caller: Caller;
  /** The life of Redis that has all of `counts` but for `unreported`. */
  reportedTo: string | null;
  /** Granted without Redis and not yet reported; null for nothing. */
  unreported: Counts | null;
  lease: Lease | null;
  /** No lease is asked for before: the store had no room for one. */
  leaseFrom: Instant;
  /** Pending while a lease is fetched. */
  renewing: Promise<void> | null;
  readonly demand: Demand;
  /** Counts several addresses together: nothing in it holds for one of them, it only limits, and is not reported. */
  readonly isShared: boolean;
}

export function newRecord(now: Instant, life: string | null, isShared: boolean): ReplicaRecord {
  return {
    ...newLocalRecord(now),
    caller: { kind: "address", id: "", allowance: { minute: 1, hour: null, month: null } },
    reportedTo: life,
    unreported: null,
    lease: null,
    leaseFrom: 0,
    renewing: null,
    demand: { since: 0, calls: 0, rate: 0 },
    isShared,
  };
}

/** Counts a grant of Redis among this replica's own; `month` is the figure that was last seen there. */
export function noteGranted(
  record: ReplicaRecord,
  cost: number,
  now: Instant,
  month: MonthCell | null,
): void {
  record.counts = chargedWindows(rolledCounts(record.counts, now), record.caller.allowance, cost, month);
}

/** Adds a grant that Redis does not have. */
export function noteUnreported(record: ReplicaRecord, cost: number, now: Instant): void {
  const counts = record.unreported ?? { ...NO_COUNTS, month: monthAt(now) };
  record.unreported = chargedCounts(rolledCounts(counts, now), record.caller.allowance, cost);
}

/** Takes back a local grant that Redis does not have. False where it has it. */
export function refundUnreported(record: ReplicaRecord, cost: number, at: Instant): boolean {
  if (record.unreported === null) return false;
  record.unreported = refundedCounts(record.unreported, cost, at);
  return true;
}

export function isReported({ reportedTo, unreported, isShared }: ReplicaRecord, life: string): boolean {
  return isShared || (reportedTo === life && unreported === null);
}

/**
 * Reports to a life of Redis what it does not have: to a new one all that this replica granted in the running windows, with the
 * month as far as it is known here; to the one that was there before, what was granted without it. Rejects when Redis does
 * not answer: then it is reported again, and counts twice at worst.
 */
export async function report(
  scripts: CountsScripts,
  record: ReplicaRecord,
  life: string,
  now: Instant,
): Promise<void> {
  const { reportedTo, unreported } = record;
  const isNew = reportedTo !== life;
  const { minute, hour, month } = rolledCounts((isNew ? record.counts : unreported) ?? NO_COUNTS, now);
  record.reportedTo = life;
  record.unreported = null;
  const given = {
    minute: occupied(minute, MINUTE_MILLISECONDS, now),
    hour: occupied(hour, HOUR_MILLISECONDS, now),
    month: isNew ? 0 : (month?.used ?? 0),
    monthDay: monthDay(month ?? monthAt(now)),
    monthKnown: isNew ? (month?.used ?? null) : null,
  };
  if (given.minute + given.hour + given.month + (given.monthKnown ?? 0) === 0) return;
  try {
    await scripts.report(record.caller, life, given);
  } catch (fault) {
    const meanwhile = rolledCounts(record.unreported ?? NO_COUNTS, now).minute;
    const granted = meanwhile.current + meanwhile.previous;
    record.reportedTo = reportedTo;
    record.unreported =
      unreported === null
        ? record.unreported
        : chargedCounts(rolledCounts(unreported, now), record.caller.allowance, granted);
    throw fault;
  }
}
