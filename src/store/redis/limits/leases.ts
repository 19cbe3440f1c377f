/** Fetches, spends and gives back the leases of one replica. Every token is charged in Redis before it is here. */

import type { Caller } from "#domain/limits/caller.ts";
import { rolledCounts } from "#domain/limits/counts.ts";
import {
  covers,
  type Demand,
  LEASE_ROOM,
  type Lease,
  leaseOf,
  noteDemand,
  tokensFor,
} from "#domain/limits/lease.ts";
import type { MonthCell } from "#domain/limits/month.ts";
import { granted } from "#domain/limits/quota-status.ts";
import type { Granted } from "#domain/limits/taken.ts";
import type { Clock } from "#ports.ts";
import type { Link } from "./link.ts";
import type { CountsReply } from "./scripts.ts";

/** What a replica has of the leases of one caller. */
export interface LeaseRecord {
  lease: Lease | null;
  /** Which of the returns of Redis the lease is of: in another one its tokens are lost. */
  leasedIn: number;
  /** While one is fetched, calls are charged one by one. */
  isFetching: boolean;
  readonly demand: Demand;
  /** False for a record of several addresses: tokens are one caller's. */
  readonly mayLease: boolean;
}

export function newLeaseRecord(mayLease: boolean): LeaseRecord {
  const demand = { since: 0, calls: 0, rate: 0 };
  return { lease: null, leasedIn: 0, isFetching: false, demand, mayLease };
}

const NOTHING_UNSPENT = { unspent: 0, unspentAt: 0 };

export interface LeaseDeps {
  readonly clock: Clock;
  readonly replicas: number;
  readonly isOn: boolean;
  readonly link: Link;
}

export function openLeases({ clock, replicas, isOn, link }: LeaseDeps) {
  const leased = new Map<LeaseRecord, Caller>();

  /** Pays with tokens of the lease; null where it does not cover the cost. */
  const spend = (record: LeaseRecord, { allowance }: Caller, cost: number): Granted | null => {
    const { lease } = record;
    const moment = { now: link.sharedNow(), wall: clock.now() };
    if (record.leasedIn !== link.returns() || !covers(lease, allowance, cost, moment.wall)) return null;
    lease.left -= cost;
    noteDemand(record.demand, cost, moment.wall);
    const counts = rolledCounts(lease.counts, moment.now);
    return granted(counts, allowance, cost, moment, "shared", lease.at, lease.left);
  };

  /**
   * Charges `cost` calls in Redis, and a lease with them where the demand is worth it. `month` is what is known of it here, if
   * the ledger was asked. Null when Redis does not answer.
   */
  const ask = async (
    record: LeaseRecord,
    caller: Caller,
    cost: number,
    month: MonthCell | null,
  ): Promise<CountsReply | null> => {
    const [sentAt, returns] = [clock.now(), link.returns()];
    noteDemand(record.demand, cost, sentAt);
    const tokens = isOn && record.mayLease && !record.isFetching ? tokensFor(record.demand) : 0;
    const isFetching = tokens > 0;
    record.isFetching ||= isFetching;
    const { unspent, unspentAt } = endLease(record);
    const leastRoom = LEASE_ROOM * replicas;
    const reply = await link.take(caller, { cost, unspent, unspentAt, tokens, leastRoom, month });
    if (isFetching) record.isFetching = false;
    const lease = reply && leaseOf(reply.tokens, reply.counts, caller.allowance, reply.now, sentAt);
    if (lease !== null) {
      record.lease = lease;
      record.leasedIn = returns;
      leased.set(record, caller);
    }
    return reply;
  };

  /** What is left of the lease, to be given back. */
  const endLease = (record: LeaseRecord) => {
    const { lease, leasedIn } = record;
    if (lease === null) return NOTHING_UNSPENT;
    record.lease = null;
    leased.delete(record);
    if (leasedIn !== link.returns()) return NOTHING_UNSPENT;
    return { unspent: lease.left, unspentAt: lease.at };
  };

  const giveBackLease = async (record: LeaseRecord, caller: Caller): Promise<void> => {
    const rest = endLease(record);
    if (rest.unspent > 0) await link.take(caller, { cost: 0, ...rest });
  };

  return {
    spend,
    ask,
    /** Gives back what is left of leases that have ended. */
    sweep: () => {
      const now = clock.now();
      for (const [record, caller] of leased)
        if (record.lease !== null && now >= record.lease.until) void giveBackLease(record, caller);
    },
    giveBackAll: async () => {
      await Promise.all([...leased].map(([record, caller]) => giveBackLease(record, caller)));
    },
  };
}
