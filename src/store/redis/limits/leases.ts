/** Fetches and gives back the leases of one replica. Every token is charged in Redis before it is here. */

import type { Caller } from "#domain/limits/caller.ts";
import { LEASE_ROOM, type Lease, leaseOf, noteDemand, tokensFor } from "#domain/limits/lease.ts";
import type { Instant } from "#domain/time/day.ts";
import type { Clock } from "#ports.ts";
import type { Link } from "./link.ts";
import { noteGranted, type ReplicaRecord } from "./record.ts";
import type { CountsReply, CountsScripts } from "./scripts.ts";

export interface LeaseDeps {
  readonly scripts: CountsScripts;
  readonly clock: Clock;
  readonly replicas: number;
  readonly isOn: boolean;
  readonly link: () => Link;
}

/** After a lease that the store had no room for, none is asked for during this time. */
const PAUSE_MILLISECONDS = 250;

export function openLeases({ scripts, clock, replicas, isOn, link }: LeaseDeps) {
  const leased = new Set<ReplicaRecord>();

  /** Charges `cost` calls in Redis, and a lease with them where the demand is worth it. Rejects when Redis does not answer. */
  const ask = async (
    record: ReplicaRecord,
    caller: Caller,
    cost: number,
    monthUsed: number | null,
  ): Promise<CountsReply> => {
    const [sentAt, life] = [clock.now(), link().life()];
    noteDemand(record.demand, cost, sentAt);
    const tokens = wishOf(record, sentAt);
    const unspent = takeLease(record);
    const asking = scripts.take(caller, {
      cost,
      tokens,
      leastRoom: LEASE_ROOM * replicas,
      unspent: unspent?.left ?? 0,
      unspentAt: unspent?.at ?? 0,
      monthUsed,
    });
    // Others wait for the tokens that come with this reply, instead of asking one by one.
    if (tokens > 0) record.renewing = endOf(asking, record);
    const reply = await asking;
    link().answered(reply.now);
    if (tokens > 0 && reply.tokens === 0) record.leaseFrom = clock.now() + PAUSE_MILLISECONDS;
    const lease = leaseOf(reply.tokens, reply.counts, caller.allowance, reply.now, sentAt);
    if (lease !== null && link().isLinked() && link().life() === life) {
      record.lease = lease;
      leased.add(record);
    }
    return reply;
  };

  const wishOf = (record: ReplicaRecord, now: Instant): number => {
    if (!isOn || record.isShared || record.renewing !== null || now < record.leaseFrom) return 0;
    return tokensFor(record.demand);
  };

  const endOf = (asking: Promise<unknown>, record: ReplicaRecord): Promise<void> => {
    const ended = () => {
      record.renewing = null;
    };
    return asking.then(ended, ended);
  };

  const takeLease = (record: ReplicaRecord): Lease | null => {
    const { lease } = record;
    if (lease === null) return null;
    record.lease = null;
    leased.delete(record);
    noteGranted(record, lease.size - lease.left, link().sharedNow(), record.counts.month);
    return lease;
  };

  const giveBack = (caller: Caller, calls: number, at: Instant): void => {
    if (calls > 0 && link().isLinked()) scripts.refund(caller, calls, at).catch(link().lost);
  };

  return {
    ask,
    giveBack,
    /** Gives back what is left of leases that have ended. */
    sweep: () => {
      const now = clock.now();
      for (const record of leased) {
        if (record.lease !== null && now < record.lease.until) continue;
        const lease = takeLease(record);
        if (lease !== null) giveBack(record.caller, lease.left, lease.at);
      }
    },
    /** The store is away: tokens stay charged there, and are spent by no replica. */
    forget: () => {
      for (const record of leased) takeLease(record);
    },
    returnAll: async () => {
      if (!link().isLinked()) return;
      const rests = [...leased].map((record) => [record.caller, takeLease(record)] as const);
      await Promise.allSettled(
        rests.map(async ([caller, lease]) => {
          if (lease !== null && lease.left > 0) await scripts.refund(caller, lease.left, lease.at);
        }),
      );
    },
  };
}
