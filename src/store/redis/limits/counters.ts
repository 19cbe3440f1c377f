/** Limits and quotas that replicas share: counted in Redis, spent from leases far from the limit, by shares while it is away. */

import {
  type Allowance,
  type Caller,
  type Counts,
  type MonthCell,
  rolledCounts,
  WIDTHS,
} from "#domain/limits/counts.ts";
import {
  countedAs,
  fits,
  type Granted,
  granted,
  type Moment,
  neverTaken,
  ofNetwork,
  type Refused,
  refused,
  type Taken,
  tighter,
} from "#domain/limits/quota-status.ts";
import type { Instant } from "#domain/time/day.ts";
import type { Counters } from "#ports/ledger.ts";
import {
  CLOSED,
  callerTable,
  LocalRecord,
  localCounts,
  type MemoryCountersDeps,
} from "#store/memory/limits/counters.ts";
import { connectRedis } from "#store/redis/connection/connection.ts";
import { type CountsReply, type Link, type LinkDeps, openLink } from "./link.ts";

export interface RedisCountersDeps extends LinkDeps, MemoryCountersDeps {
  readonly url: string;
  /** Replicas that there should be: each grants one part of so many while Redis is away. */
  readonly replicas: number;
  /** False asks Redis for every call. */
  readonly leases?: boolean;
}

/** What this replica granted to a caller without Redis, the last figure of the month that it saw, and its leases. */
class ReplicaRecord extends LocalRecord {
  readonly leases = new LeaseRecord();
  /** At which return of Redis the month there was last compared with the ledger's. */
  comparedAt = 0;
}

/** Starts connecting. Until Redis has answered, and whenever it does not, this process grants its share. Never rejects for Redis. */
export function openRedisCounters(deps: RedisCountersDeps): Counters {
  const { clock, addresses } = deps;
  const redis = connectRedis(deps.url, "crossrate-limits");
  const link = openLink(redis, deps, () => void leases.giveBack(clock.now()));
  const leases = openLeases(link, deps.replicas, deps.leases ?? true);
  const callers = callerTable<ReplicaRecord>({
    now: () => link.moment().now,
    addresses,
    create: () => new ReplicaRecord(),
  });
  // Other replicas write to the ledger what they grant.
  const local = localCounts({ ...deps, moment: link.moment, refreshMilliseconds: 1000 });
  let closed = false;

  /** Redis may lack what was granted without it: the first call after each return brings the month along. */
  const takeShared = async (record: ReplicaRecord, caller: Caller, cost: number): Promise<Taken> => {
    const { allowance, id } = caller;
    const returns = link.returns();
    const compares = allowance.month !== null && record.comparedAt !== returns;
    if (compares) await local.refreshMonth(record, id);
    if (closed) return CLOSED;
    if (!link.counts(allowance)) return local.take(record, caller, cost, callers.of);
    const known = compares ? record.counts.month : null;
    const reply = await leases.ask(record.leases, caller, cost, known);
    if (reply === null) return closed ? CLOSED : local.take(record, caller, cost, callers.of);
    if (reply.code === "month_unknown") {
      // Its clock is known from this reply. A month that it has no count of is read from the ledger again.
      if (reply.counts.month === null) {
        if (compares && known === null) return local.unknownMonth();
        record.comparedAt = 0;
        record.counts = { ...record.counts, month: null };
      }
      return takeShared(record, caller, cost);
    }
    record.comparedAt = returns;
    record.counts = { ...record.counts, month: reply.counts.month };
    const moment = { now: reply.now, wall: clock.now() };
    if (reply.around.length === 0) return outcomeOf(reply, caller, cost, moment);
    const counted = countedAs(caller);
    return counted
      .map((one, nth) => {
        const counts = reply.around[nth - 1] ?? reply.counts;
        // Of a refused call the same arithmetic says which of them refuse.
        const code = fits(counts, one.allowance, cost, reply.now) ? "charged" : reply.code;
        return ofNetwork(outcomeOf({ ...reply, counts, code }, one, cost, moment), counted, nth);
      })
      .reduce(tighter);
  };

  return {
    take: (caller, cost) => {
      if (closed) return CLOSED;
      const never = neverTaken(caller.allowance, cost);
      if (never !== null) return never;
      const record = callers.of(caller);
      if (!link.counts(caller.allowance)) return local.take(record, caller, cost, callers.of);
      return leases.spend(record.leases, caller, cost) ?? takeShared(record, caller, cost);
    },
    refund: (caller, { cost, at, by }) => {
      if (by === "shared") void link.take(caller, { cost: 0, unspent: cost, unspentAt: at });
      else for (const counted of countedAs(caller)) local.refund(callers.of(counted), cost, at);
    },
    state: () => ({ kind: "redis", ...link.state(), ...callers.state() }),
    close: async () => {
      if (closed) return;
      closed = true;
      await leases.giveBack(Number.POSITIVE_INFINITY);
      link.close();
      redis.disconnect();
    },
  };
}

function outcomeOf(
  reply: CountsReply,
  { allowance }: Caller,
  cost: number,
  moment: Moment,
): Granted | Refused {
  if (reply.code === "refused") return refused(reply.counts, allowance, cost, moment);
  return granted(reply.counts, allowance, cost, moment, "shared", reply.now, reply.tokens);
}

const LEASE_MILLISECONDS = 1000;
/** Two calls a second come to the smallest; the largest is beside the cost of one round trip. */
const [SMALLEST_LEASE, LARGEST_LEASE] = [4, 100_000];
/** Below this many calls of room for each token and replica no lease is given: near the limit every call asks Redis. */
const LEASE_ROOM = 4;

/**
 * Every token is charged in Redis before it can be spent, and spent in the cell it was charged to or not at all. So a
 * replica that dies loses tokens and never makes any, and no window sees more calls than it was charged for.
 */
interface Lease {
  left: number;
  /** When they were charged, by the clock of Redis: where unspent ones go back to. */
  readonly at: Instant;
  /** Not spent from here on, by this process's clock. */
  readonly until: Instant;
  /** The counts in Redis with these tokens charged, and the limits that there was room in. */
  readonly counts: Counts;
  readonly allowance: Allowance;
  /** Which of the returns of Redis it is of: in another one its tokens are lost. */
  readonly returns: number;
}

/** What a replica has of the leases of one caller. */
export class LeaseRecord {
  lease: Lease | null = null;
  /** While one is fetched, calls are charged one by one. */
  isFetching = false;
  /** The calls at this replica, to judge how many more are to be expected; those before `since` count half for each second. */
  readonly demand = { since: 0, calls: 0 };
}

/** `isOn` false asks Redis for every call. */
function openLeases(link: Link, replicas: number, isOn: boolean) {
  const leased = new Map<LeaseRecord, Caller>();

  const endLease = (record: LeaseRecord) => {
    const { lease } = record;
    record.lease = null;
    leased.delete(record);
    if (lease === null || lease.returns !== link.returns()) return { unspent: 0, unspentAt: 0 };
    return { unspent: lease.left, unspentAt: lease.at };
  };
  return {
    /** Pays with tokens of the lease; null where it does not cover the cost. */
    spend: ({ lease, demand }: LeaseRecord, { allowance }: Caller, cost: number): Granted | null => {
      const moment = link.moment();
      if (lease?.returns !== link.returns() || !covers(lease, allowance, cost, moment.wall)) return null;
      lease.left -= cost;
      noteDemand(demand, cost, moment.wall);
      const counts = rolledCounts(lease.counts, moment.now);
      return granted(counts, allowance, cost, moment, "shared", lease.at, lease.left);
    },
    /** Charges `cost` calls in Redis, and a lease where the demand is worth it. Null when Redis does not answer. */
    ask: async (record: LeaseRecord, caller: Caller, cost: number, month: MonthCell | null) => {
      const [sentAt, returns] = [link.moment().wall, link.returns()];
      noteDemand(record.demand, cost, sentAt);
      // Addresses may share a record, and tokens are one caller's.
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
    /** Gives back what is left of leases that have ended by then. */
    giveBack: async (then: Instant): Promise<void> => {
      const ended = [...leased].filter(([{ lease }]) => lease !== null && lease.until <= then);
      await Promise.all(ended.map(([record, caller]) => link.take(caller, { cost: 0, ...endLease(record) })));
    },
  };
}

type Leased = Pick<CountsReply, "tokens" | "counts" | "now">;

/**
 * The tokens of a reply. A lease ends with the cells that they are charged to, at the latest. `sentAt` is when Redis was asked,
 * by this process's clock: the clock of Redis has not come further than this one since.
 */
export function leaseOf(reply: Leased, allowance: Allowance, sentAt: Instant, returns: number): Lease {
  const { tokens, counts, now } = reply;
  const ends = [now + LEASE_MILLISECONDS, counts.minute.start + WIDTHS.minute];
  if (allowance.hour !== null) ends.push(counts.hour.start + WIDTHS.hour);
  if (allowance.month !== null && counts.month !== null) ends.push(counts.month.end);
  return { left: tokens, at: now, until: sentAt + Math.min(...ends) - now, counts, allowance, returns };
}

/** Whether the lease pays `cost`: under the limits that it was charged under, and not longer by a clock that was set back. */
export function covers(lease: Lease, allowance: Allowance, cost: number, now: Instant): boolean {
  const rest = lease.until - now;
  return allowance === lease.allowance && cost <= lease.left && rest > 0 && rest <= LEASE_MILLISECONDS;
}

export function noteDemand(demand: LeaseRecord["demand"], cost: number, now: Instant): void {
  const elapsed = now - demand.since;
  if (elapsed < 0 || elapsed >= LEASE_MILLISECONDS) {
    demand.calls = elapsed < 0 ? 0 : demand.calls / 2 ** Math.floor(elapsed / LEASE_MILLISECONDS);
    demand.since = now;
  }
  demand.calls += cost;
}

/** Tokens worth leasing: as many calls as came; none for a caller that comes now and then. */
export function tokensFor({ calls }: LeaseRecord["demand"]): number {
  return calls < SMALLEST_LEASE ? 0 : Math.floor(Math.min(calls, LARGEST_LEASE));
}
