/** Fetches, renews and gives back the leases of one replica. Every token is charged in Redis before it is here. */

import type { Caller } from "#domain/limits/caller.ts";
import { demandAt, isHalfUsed, joined, LEASE_ROOM, type Lease, tokensFor } from "#domain/limits/lease.ts";
import type { Instant } from "#domain/time/day.ts";
import type { Clock } from "#ports.ts";
import { type CallerRecord, leaseOf } from "./counts-caller.ts";
import type { CountsReply, CountsScripts } from "./counts-scripts.ts";

export interface LeaseDeps {
  readonly scripts: CountsScripts;
  readonly clock: Clock;
  readonly replicas: number;
  readonly isOn: boolean;
  readonly isLinked: () => boolean;
  readonly lost: (reason: unknown) => void;
  /** Takes note of what the store says; false when the store is not to be believed. */
  readonly heard: (record: CallerRecord, reply: CountsReply) => boolean;
}

/** After a lease that the store had no room for, so long none is asked for. */
const PAUSE_MILLISECONDS = 250;

export function leaseKeeper({ scripts, clock, replicas, isOn, isLinked, lost, heard }: LeaseDeps) {
  const leased = new Map<CallerRecord, Caller>();

  /** Null when the store is not to be believed. Rejects when it does not answer. */
  const ask = async (
    record: CallerRecord,
    caller: Caller,
    cost: number,
    monthUsed: number | null,
  ): Promise<CountsReply | null> => {
    const sentAt = clock.now();
    note(record, cost, sentAt);
    const tokens = wishOf(record, sentAt);
    const unspent = cost > 0 ? takeLease(record) : null;
    const asking = scripts.take(caller, {
      cost,
      tokens,
      leastRoom: LEASE_ROOM * replicas,
      unspent: unspent?.left ?? 0,
      unspentAt: unspent?.at ?? 0,
      monthUsed,
    });
    // Others wait for the tokens that come with this reply, instead of asking one by one.
    if (tokens > 0) wait(record, asking);
    const reply = await asking;
    if (!heard(record, reply)) return null;
    if (tokens > 0 && reply.tokens === 0) record.leaseFrom = clock.now() + PAUSE_MILLISECONDS;
    if (isLinked()) keep(record, caller, leaseOf(reply, caller.allowance, sentAt));
    return reply;
  };

  const wait = (record: CallerRecord, asking: Promise<unknown>) => {
    const over = asking.then(
      () => {},
      () => {},
    );
    const renewing = over.then(() => {
      if (record.renewing === renewing) record.renewing = null;
    });
    record.renewing = renewing;
  };

  const keep = (record: CallerRecord, caller: Caller, lease: Lease | null) => {
    if (lease === null) return;
    const older = record.lease;
    const both = older === null ? lease : joined(older, lease);
    record.lease = both ?? lease;
    leased.set(record, caller);
    if (older !== null && both === null && older.left > 0) giveBack(record, caller, older.left, older.at);
  };

  const wishOf = (record: CallerRecord, now: Instant): number => {
    if (!isOn || record.isShared || record.renewing !== null || now < record.leaseFrom) return 0;
    return tokensFor(record.demand);
  };

  const note = (record: CallerRecord, cost: number, now: Instant) => {
    const { since, calls, rate } = demandAt(record.demand, now);
    record.demand = { since, calls: calls + cost, rate };
  };

  const takeLease = (record: CallerRecord): Lease | null => {
    const { lease } = record;
    record.lease = null;
    leased.delete(record);
    return lease;
  };

  const renew = (record: CallerRecord, caller: Caller) => {
    ask(record, caller, 0, null).catch(lost);
  };

  const giveBack = (record: CallerRecord, caller: Caller, calls: number, at: Instant) => {
    if (!isLinked()) return;
    scripts.refund(caller, calls, at).then((reply) => void heard(record, reply), lost);
  };

  return {
    ask,
    giveBack,
    /** A call was paid with a token. */
    noteSpent: (record: CallerRecord, caller: Caller, cost: number, now: Instant) => {
      note(record, cost, now);
      const { lease } = record;
      if (lease !== null && isHalfUsed(lease, now) && wishOf(record, now) > 0) renew(record, caller);
    },
    /** Gives back what is left of leases that have ended. */
    sweep: () => {
      const now = clock.now();
      for (const [record, caller] of leased) {
        if (record.lease !== null && now < record.lease.until) continue;
        const lease = takeLease(record);
        if (lease !== null && lease.left > 0) giveBack(record, caller, lease.left, lease.at);
      }
    },
    /** The store is away: tokens stay charged there, and nobody spends them. */
    forget: () => {
      for (const record of leased.keys()) record.lease = null;
      leased.clear();
    },
    returnAll: async () => {
      const returning = [...leased].map(async ([record, caller]) => {
        const lease = takeLease(record);
        if (lease !== null && lease.left > 0 && isLinked())
          await scripts.refund(caller, lease.left, lease.at);
      });
      await Promise.allSettled(returning);
    },
  };
}
