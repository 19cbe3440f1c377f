/** Limits and quotas that replicas share: counted in Redis, spent from leases far from the limit, by shares while it is away. */

import type { Caller } from "#domain/limits/caller.ts";
import { refundedCounts } from "#domain/limits/counts.ts";
import { monthAt } from "#domain/limits/month.ts";
import { granted, refused } from "#domain/limits/quota-status.ts";
import type { Taken } from "#domain/limits/taken.ts";
import type { Counters, MonthUsed } from "#ports/counters.ts";
import type { Clock } from "#ports.ts";
import { callerTable, MOST_ADDRESSES } from "#store/memory/limits/caller-table.ts";
import { IDLE_MILLISECONDS } from "#store/memory/limits/counters.ts";
import {
  CLOSED,
  type LocalRecord,
  localCounts,
  neverTaken,
  newLocalRecord,
} from "#store/memory/limits/local-counts.ts";
import { connectRedis } from "#store/redis/connection/connection.ts";
import type { Emit } from "#telemetry.ts";
import { type LeaseRecord, newLeaseRecord, openLeases } from "./leases.ts";
import { openLink } from "./link.ts";

export interface RedisCountersDeps {
  readonly url: string;
  readonly clock: Clock;
  readonly emit: Emit;
  readonly monthUsed: MonthUsed;
  /** Waits, then calls; returns how to call it off. */
  readonly later: (milliseconds: number, run: () => void) => () => void;
  /** Replicas that there should be: each grants one part of so many while Redis is away. */
  readonly replicas: number;
  /** False asks Redis for every call. */
  readonly leases?: boolean;
  readonly addresses?: number;
}

/** What this replica granted to a caller without Redis, the last figure of the month that it saw, and its leases. */
interface ReplicaRecord extends LocalRecord, LeaseRecord {
  /** At which return of Redis the month there was last compared with the ledger's. */
  comparedAt: number;
}

const MONTH_REFRESH_MILLISECONDS = 1000;

/** Starts connecting. Until Redis has answered, and whenever it does not, this process grants its share. Never rejects for Redis. */
export function openRedisCounters(deps: RedisCountersDeps): Counters {
  const { clock, addresses = MOST_ADDRESSES } = deps;
  const redis = connectRedis(deps.url, "crossrate-limits");
  const link = openLink({ ...deps, redis, heartbeat: () => leases.sweep() });
  const leases = openLeases({ ...deps, link, isOn: deps.leases ?? true });
  const callers = callerTable<ReplicaRecord>({
    addresses,
    create: (isShared) => ({
      ...newLocalRecord(link.sharedNow()),
      ...newLeaseRecord(!isShared),
      comparedAt: 0,
    }),
    isIdle: ({ usedAt, lease }) => link.sharedNow() - usedAt >= IDLE_MILLISECONDS && lease === null,
  });
  const local = localCounts({
    ...deps,
    countingNow: link.sharedNow,
    wallNow: clock.now,
    monthRefreshMilliseconds: MONTH_REFRESH_MILLISECONDS,
  });
  let closed = false;

  /**
   * Redis may lack what was granted without it: the first call after each return brings the month along. `now` is the clock of
   * Redis as far as it is known here. Where that names another month than Redis does, Redis is asked again with its own.
   */
  const takeShared = async (
    record: ReplicaRecord,
    caller: Caller,
    cost: number,
    now = link.sharedNow(),
  ): Promise<Taken> => {
    const { allowance, id } = caller;
    const returns = link.returns();
    const compares = allowance.month !== null && record.comparedAt !== returns;
    if (compares) await local.refreshMonth(record, id, monthAt(now));
    if (closed) return CLOSED;
    if (!link.counts(allowance)) return local.take(record, caller, cost);
    const known = compares ? record.counts.month : null;
    const reply = await leases.ask(record, caller, cost, known);
    if (reply === null) return closed ? CLOSED : local.take(record, caller, cost);
    if (reply.code === "month_unknown") {
      const { start } = monthAt(reply.now);
      if (compares && known === null && monthAt(now).start === start) return local.unknownMonth();
      // A figure of a month that has not begun in Redis is of a clock that was ahead.
      const { counts } = record;
      if (counts.month !== null && counts.month.start > start) record.counts = { ...counts, month: null };
      record.comparedAt = 0;
      return takeShared(record, caller, cost, reply.now);
    }
    record.comparedAt = returns;
    const { minute, hour } = record.counts;
    record.counts = { minute, hour, month: reply.counts.month };
    const moment = { now: reply.now, wall: clock.now() };
    if (reply.code === "refused") return refused(reply.counts, allowance, cost, moment);
    return granted(reply.counts, allowance, cost, moment, "shared", reply.now, reply.tokens);
  };

  return {
    take: (caller, cost) => {
      if (closed) return CLOSED;
      const never = neverTaken(caller, cost);
      if (never !== null) return never;
      const record = callers.of(caller);
      record.usedAt = link.sharedNow();
      if (!link.counts(caller.allowance)) return local.take(record, caller, cost);
      return leases.spend(record, caller, cost) ?? takeShared(record, caller, cost);
    },
    refund: (caller, { cost, at, by }) => {
      if (by === "shared") {
        void link.take(caller, { cost: 0, unspent: cost, unspentAt: at });
        return;
      }
      const record = callers.of(caller);
      record.counts = refundedCounts(record.counts, cost, at);
    },
    state: () => ({ kind: "redis", ...link.state(), callers: callers.size, crowded: callers.crowded }),
    close: async () => {
      if (closed) return;
      closed = true;
      await leases.giveBackAll();
      link.close();
      redis.disconnect();
    },
  };
}
