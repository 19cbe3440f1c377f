/** Limits and quotas that replicas share: counted in Redis, spent from leases far from the limit, by shares while it is away. */

import type { Caller } from "#domain/limits/caller.ts";
import { refundedCounts, rolledCounts } from "#domain/limits/counts.ts";
import { covers, noteDemand } from "#domain/limits/lease.ts";
import { monthAt } from "#domain/limits/month.ts";
import { granted, refused } from "#domain/limits/quota-status.ts";
import type { Granted, Taken } from "#domain/limits/taken.ts";
import type { Counters, MonthUsed } from "#ports/counters.ts";
import type { Clock } from "#ports.ts";
import { callerTable, MOST_ADDRESSES } from "#store/memory/limits/caller-table.ts";
import { IDLE_MILLISECONDS } from "#store/memory/limits/counters.ts";
import { CLOSED, type LocalTaken, localCounts, neverTaken } from "#store/memory/limits/local-counts.ts";
import { connectRedis } from "#store/redis/connection/connection.ts";
import type { Emit } from "#telemetry.ts";
import { openLeases } from "./leases.ts";
import { openLink } from "./link.ts";
import {
  isReported,
  newRecord,
  noteGranted,
  noteUnreported,
  type ReplicaRecord,
  refundUnreported,
  report,
} from "./record.ts";
import { type CountsReply, countsScripts } from "./scripts.ts";

export interface RedisCountersDeps {
  readonly url: string;
  readonly clock: Clock;
  readonly emit: Emit;
  readonly monthUsed: MonthUsed;
  /** Waits, then calls; returns how to call it off. */
  readonly later: (milliseconds: number, run: () => void) => () => void;
  /** A name that no other process has, nor this one had before: made at random at boot. */
  readonly replica: string;
  /** Replicas that there should be: each grants one part of so many while Redis is away. */
  readonly replicas: number;
  /** False asks Redis for every call. */
  readonly leases?: boolean;
  readonly addresses?: number;
}

const MONTH_REFRESH_MILLISECONDS = 1000;
/** Reports under way at once: Redis answers others in between. */
const REPORTS = 200;

/** Starts connecting. Until Redis has answered, and whenever it does not, this process grants its share. Never rejects for Redis. */
export function openRedisCounters(deps: RedisCountersDeps): Counters {
  const { clock, addresses = MOST_ADDRESSES } = deps;
  const redis = connectRedis(deps.url, "crossrate-limits");
  const scripts = countsScripts(redis, () => link.life() ?? "");
  /** Those that have granted something without Redis. */
  const unreported = new Set<ReplicaRecord>();
  /** The life to which every record has been reported. */
  let reportedTo: string | null = null;
  let closed = false;

  const reportAll = async (life: string): Promise<void> => {
    const behind = life === reportedTo ? [...unreported] : callers.values();
    for (let from = 0; from < behind.length; from += REPORTS) {
      const some = behind.slice(from, from + REPORTS).filter((record) => !isReported(record, life));
      const reports = some.map((record) => report(scripts, record, life, link.sharedNow()));
      for (const result of await Promise.allSettled(reports))
        if (result.status === "rejected") throw result.reason;
    }
    for (const record of behind) if (record.unreported === null) unreported.delete(record);
    reportedTo = life;
  };

  const leases = openLeases({ ...deps, scripts, isOn: deps.leases ?? true, link: () => link });
  const link = openLink({
    ...deps,
    redis,
    scripts,
    report: reportAll,
    parted: leases.forget,
    heartbeat: leases.sweep,
  });
  const callers = callerTable({
    addresses,
    create: (isShared) => newRecord(link.sharedNow(), link.life(), isShared),
    isIdle: (record) =>
      link.sharedNow() - record.usedAt >= IDLE_MILLISECONDS &&
      record.lease === null &&
      record.unreported === null,
  });
  const local = localCounts({
    ...deps,
    countingNow: link.sharedNow,
    wallNow: clock.now,
    monthRefreshMilliseconds: MONTH_REFRESH_MILLISECONDS,
  });

  const takeLocally = (record: ReplicaRecord, caller: Caller, cost: number): Taken | Promise<Taken> => {
    const note = (taken: LocalTaken): Taken => {
      if (taken.outcome !== "granted" || cost === 0 || record.isShared) return taken;
      noteUnreported(record, cost, taken.at);
      unreported.add(record);
      return taken;
    };
    const taken = local.take(record, caller, cost);
    return taken instanceof Promise ? taken.then(note) : note(taken);
  };

  /** Pays with tokens of the lease; null where it does not cover the cost. */
  const spend = (record: ReplicaRecord, caller: Caller, cost: number): Granted | null => {
    const { lease } = record;
    const moment = { now: link.sharedNow(), wall: clock.now() };
    if (!covers(lease, cost, moment.wall)) return null;
    lease.left -= cost;
    noteDemand(record.demand, cost, moment.wall);
    const counts = rolledCounts(lease.counts, moment.now);
    return granted(counts, caller.allowance, cost, moment, "shared", lease.at, lease.left);
  };

  const takeShared = async (record: ReplicaRecord, caller: Caller, cost: number): Promise<Taken> => {
    if (record.renewing !== null) {
      await record.renewing;
      const leased = link.isLinked() ? spend(record, caller, cost) : null;
      if (leased !== null) return leased;
    }
    if (closed) return CLOSED;
    if (!link.isLinked()) return takeLocally(record, caller, cost);
    let reply: CountsReply;
    try {
      reply = await leases.ask(record, caller, cost, null);
      if (reply.code === "month_unknown") {
        if (!(await local.refreshMonth(record, caller.id, monthAt(reply.now)))) return local.unknownMonth();
        reply = await leases.ask(record, caller, cost, record.counts.month?.used ?? 0);
      }
    } catch (fault) {
      link.lost(fault);
      return closed ? CLOSED : takeLocally(record, caller, cost);
    }
    const moment = { now: reply.now, wall: clock.now() };
    const isCharged = reply.code === "charged";
    noteGranted(record, isCharged ? cost : 0, reply.now, record.isShared ? null : reply.counts.month);
    if (!isCharged) return refused(reply.counts, caller.allowance, cost, moment);
    return granted(reply.counts, caller.allowance, cost, moment, "shared", reply.now, reply.tokens);
  };

  return {
    take: (caller, cost) => {
      if (closed) return CLOSED;
      const never = neverTaken(caller, cost);
      if (never !== null) return never;
      const record = callers.of(caller);
      record.caller = caller;
      record.usedAt = link.sharedNow();
      if (!link.isLinked()) return takeLocally(record, caller, cost);
      return spend(record, caller, cost) ?? takeShared(record, caller, cost);
    },
    refund: (caller, { cost, at, by }) => {
      if (cost === 0 || closed) return;
      const record = callers.of(caller);
      record.counts = refundedCounts(record.counts, cost, at);
      if (by === "process" && (record.isShared || refundUnreported(record, cost, at))) return;
      leases.giveBack(caller, cost, at);
    },
    state: () => ({
      kind: "redis",
      ...link.state(),
      callers: callers.size,
      crowded: callers.crowded,
    }),
    close: async () => {
      if (closed) return;
      closed = true;
      await leases.returnAll();
      link.close();
      redis.disconnect();
    },
  };
}
