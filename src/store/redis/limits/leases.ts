/** Leases of a replica: calls that Redis has charged already and that are spent here, while a caller is far from its limits. */

import { type Allowance, type Caller, type Counts, rolledCounts, WIDTHS } from "#domain/limits/counts.ts";
import { type Granted, granted } from "#domain/limits/quota-status.ts";
import type { Instant } from "#domain/time/day.ts";
import type { CountsReply, Link } from "./link.ts";

const LEASE_MILLISECONDS = 1000;
/** Two calls a second reach the smallest lease; with the largest one the cost of a round trip no longer matters. */
const [SMALLEST_LEASE, LARGEST_LEASE] = [4, 100_000];
/** Below this many calls of room for each token and replica no lease is given: near the limit every call asks Redis. */
const LEASE_ROOM = 4;

/**
 * Every token is charged in Redis before it can be spent, and spent in the cell it was charged to or not at all. So a
 * replica that dies loses tokens and never makes any, and no window sees more calls than it was charged for.
 */
interface Lease {
  left: number;
  /** When the tokens were charged, by the clock of Redis: unspent ones go back there. */
  readonly at: Instant;
  /** The end of spending, by this process's clock. */
  readonly until: Instant;
  /** The counts in Redis with these tokens charged, and the limits that they were charged under. */
  readonly counts: Counts;
  readonly allowance: Allowance;
  /** The return of Redis that the lease belongs to: after another return its tokens are lost. */
  readonly returns: number;
}

export class LeaseRecord {
  lease: Lease | null = null;
  /** While a lease is fetched, calls are charged one by one. */
  isFetching = false;
  /** The calls at this replica, from which more are expected; those before `since` count half for each second. */
  readonly demand = { since: 0, calls: 0 };
}

export function openLeases(link: Link, replicas: number, isOn: boolean) {
  const leased = new Map<LeaseRecord, Caller>();

  const endLease = (record: LeaseRecord) => {
    const { lease } = record;
    record.lease = null;
    leased.delete(record);
    if (lease === null || lease.returns !== link.returns()) return { unspent: 0, unspentAt: 0 };
    return { unspent: lease.left, unspentAt: lease.at };
  };
  return {
    /** Pays with tokens of the lease; null when the lease does not cover the cost. */
    spend: ({ lease, demand }: LeaseRecord, { allowance }: Caller, cost: number): Granted | null => {
      const moment = link.moment();
      if (lease?.returns !== link.returns() || !covers(lease, allowance, cost, moment.wall)) return null;
      lease.left -= cost;
      noteDemand(demand, cost, moment.wall);
      const counts = rolledCounts(lease.counts, moment.now);
      return granted(counts, allowance, cost, moment, "shared", lease.at, lease.left);
    },
    /** Charges `cost` calls in Redis, and a lease if the demand is worth it. Null when Redis does not answer. */
    ask: async (record: LeaseRecord, caller: Caller, cost: number, month: Counts["month"]) => {
      const [sentAt, returns] = [link.moment().wall, link.returns()];
      noteDemand(record.demand, cost, sentAt);
      // Addresses may share a record, and tokens belong to one caller.
      const mayLease = isOn && caller.kind === "org" && !record.isFetching;
      const tokens = mayLease ? tokensFor(record.demand) : 0;
      if (tokens > 0) record.isFetching = true;
      const charge = { cost, ...endLease(record), tokens, leastRoom: LEASE_ROOM * replicas, month };
      const reply = await link.take(caller, charge);
      if (tokens > 0) record.isFetching = false;
      if (reply !== null && reply.tokens > 0) {
        record.lease = leaseOf(reply, caller.allowance, sentAt, returns);
        leased.set(record, caller);
      }
      return reply;
    },
    giveBack: async (then: Instant): Promise<void> => {
      const ended = [...leased].filter(([{ lease }]) => lease !== null && lease.until <= then);
      await Promise.all(ended.map(([record, caller]) => link.take(caller, { cost: 0, ...endLease(record) })));
    },
  };
}

/** A lease ends with its cells at the latest. `sentAt` is before Redis's answer: the lease ends here no later than there. */
function leaseOf(
  { tokens, counts, now }: Pick<CountsReply, "tokens" | "counts" | "now">,
  allowance: Allowance,
  sentAt: Instant,
  returns: number,
): Lease {
  const ends = [now + LEASE_MILLISECONDS, counts.minute.start + WIDTHS.minute];
  if (allowance.hour !== null) ends.push(counts.hour.start + WIDTHS.hour);
  if (allowance.month !== null && counts.month !== null) ends.push(counts.month.end);
  return { left: tokens, at: now, until: sentAt + Math.min(...ends) - now, counts, allowance, returns };
}

/** Returns whether the lease pays `cost`: only under the limits it was charged under, and no longer after a clock was set back. */
function covers(lease: Lease, allowance: Allowance, cost: number, now: Instant): boolean {
  const rest = lease.until - now;
  return allowance === lease.allowance && cost <= lease.left && rest > 0 && rest <= LEASE_MILLISECONDS;
}

function noteDemand(demand: LeaseRecord["demand"], cost: number, now: Instant): void {
  const elapsed = now - demand.since;
  if (elapsed < 0 || elapsed >= LEASE_MILLISECONDS) {
    demand.calls = elapsed < 0 ? 0 : demand.calls / 2 ** Math.floor(elapsed / LEASE_MILLISECONDS);
    demand.since = now;
  }
  demand.calls += cost;
}

/** Returns the number of tokens worth leasing: as many as calls came; 0 for a caller that comes now and then. */
function tokensFor({ calls }: LeaseRecord["demand"]): number {
  return calls < SMALLEST_LEASE ? 0 : Math.floor(Math.min(calls, LARGEST_LEASE));
}
