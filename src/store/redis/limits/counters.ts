/** Limits and quotas that replicas share: counted in Redis, spent from leases far from the limit, and by shares while Redis is away. */

import type { Caller } from "#domain/limits/counts.ts";
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
import type { Counters } from "#ports/ledger.ts";
import {
  CLOSED,
  callerTable,
  LocalRecord,
  localCounts,
  type MemoryCountersDeps,
} from "#store/memory/limits/counters.ts";
import { connectRedis } from "#store/redis/connection/connection.ts";
import { LeaseRecord, openLeases } from "./leases.ts";
import { type CountsReply, type LinkDeps, openLink } from "./link.ts";

export interface RedisCountersDeps extends LinkDeps, MemoryCountersDeps {
  readonly url: string;
  /** The expected number of replicas: each grants its share of a limit while Redis is away. */
  readonly replicas: number;
  /** False asks Redis for every call. */
  readonly leases?: boolean;
}

class ReplicaRecord extends LocalRecord {
  readonly leases = new LeaseRecord();
  /** The return of Redis at which its month was last compared with the ledger's. */
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
  // Refreshed every second: other replicas write to the ledger what they grant.
  const local = localCounts({ ...deps, moment: link.moment, refreshMilliseconds: 1000 });
  let closed = false;

  /** Takes calls from Redis. It may lack what was granted without it: the first call after each return sends the month along. */
  const takeShared = async (record: ReplicaRecord, caller: Caller, cost: number): Promise<Taken> => {
    const { allowance, id } = caller;
    const returns = link.returns();
    const compares = allowance.month !== null && record.comparedAt !== returns;
    if (compares) await local.refreshMonth(record, id);
    if (closed) return CLOSED;
    if (!link.counts(allowance)) return local.take(record, caller, cost, callers.of);
    const lastMonth = compares ? record.counts.month : null;
    const reply = await leases.ask(record.leases, caller, cost, lastMonth);
    if (reply === null) return closed ? CLOSED : local.take(record, caller, cost, callers.of);
    if (reply.code === "month_unknown") {
      // Redis's clock is known from this reply. A month that Redis does not count is read from the ledger again.
      if (reply.counts.month === null) {
        if (compares && lastMonth === null) return local.unknownMonth();
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
        // For a refused call the same arithmetic shows which of the callers refuse.
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
