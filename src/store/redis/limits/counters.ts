/** Limits and quotas that replicas share: counted in Redis, spent from leases far from the limit, by shares while it is away. */

import { type Caller, HOUR_MILLISECONDS, impossibleIn } from "#domain/limits/caller.ts";
import { isFaded, rolledCounts } from "#domain/limits/counts.ts";
import { covers, spent } from "#domain/limits/lease.ts";
import { monthAt, monthDay } from "#domain/limits/month.ts";
import { granted, refused } from "#domain/limits/standing.ts";
import type { Granted, Taken } from "#domain/limits/taken.ts";
import type { Instant } from "#domain/time/day.ts";
import type { Counters, MonthUsed } from "#ports/counters.ts";
import type { Clock } from "#ports.ts";
import { callerTable } from "#store/memory/limits/caller-table.ts";
import { MOST_ADDRESSES } from "#store/memory/limits/counters.ts";
import { monthFigures } from "#store/memory/limits/month-figures.ts";
import { connectRedis } from "#store/redis/connection/connection.ts";
import type { Tell } from "#telemetry.ts";
import { apartTaker, CLOSED, unavailable } from "./counts-apart.ts";
import { type CallerRecord, newRecord, refundAlone } from "./counts-caller.ts";
import { handOver } from "./counts-hand-over.ts";
import { leaseKeeper } from "./counts-leases.ts";
import { keepLink } from "./counts-link.ts";
import { type CountsReply, countsScripts } from "./counts-scripts.ts";

export interface RedisCountersDeps {
  readonly url: string;
  readonly clock: Clock;
  readonly tell: Tell;
  readonly monthUsed: MonthUsed;
  /** Waits, then calls; returns how to call it off. */
  readonly later: (milliseconds: number, run: () => void) => () => void;
  /** A name that no other process has, nor this one had before: made at random at boot. */
  readonly replica: string;
  /** Replicas that there should be: each grants one part of so many while Redis is away. */
  readonly replicas: number;
  /** False has every call asked for in Redis. */
  readonly leases?: boolean;
  readonly addresses?: number;
}

const IDLE_MILLISECONDS = 2 * HOUR_MILLISECONDS;

/** Starts connecting. Until Redis has answered, and whenever it does not, this process grants its share. Never rejects for Redis. */
export function openRedisCounters(deps: RedisCountersDeps): Counters {
  const { clock, later, replicas, addresses = MOST_ADDRESSES } = deps;
  const redis = connectRedis(deps.url, "crossrate-limits");
  const scripts = countsScripts(redis);
  const months = monthFigures(deps.monthUsed, later);
  let closed = false;

  const table = (capacity: number) =>
    callerTable<CallerRecord>({
      capacity,
      create: (_, isShared) => newRecord(isShared, link.sharedNow()),
      isIdle: (record) =>
        link.sharedNow() - record.usedAt >= IDLE_MILLISECONDS &&
        record.lease === null &&
        record.alone === null,
    });
  const [orgs, others] = [table(Number.POSITIVE_INFINITY), table(addresses)];
  const recordOf = ({ kind, id }: Caller) => (kind === "org" ? orgs : others).of(id);

  const leases = leaseKeeper({
    scripts,
    clock,
    replicas,
    isOn: deps.leases ?? true,
    isLinked: () => link.isLinked(),
    lost: (reason) => link.lost(reason),
    heard: (record, reply) => heard(record, reply),
  });
  const apart = apartTaker({
    clock,
    replicas,
    months,
    link: () => link,
    isClosed: () => closed,
    takeShared: (record, caller, cost) => takeShared(record, caller, cost),
  });
  const link = keepLink({
    ...deps,
    redis,
    scripts,
    handOver: (lost) =>
      handOver(scripts, lost ? [...orgs.values(), ...others.values()] : apart.owing(), lost, () =>
        link.sharedNow(),
      ),
    linked: apart.over,
    parted: leases.forget,
    beat: leases.sweep,
  });

  /** False when the store had lost the caller: then its answer is worth nothing, and every other one neither. */
  const heard = (record: CallerRecord, reply: CountsReply): boolean => {
    if (reply.born !== record.born && !record.isShared && !isFaded(record.seen, reply.now)) {
      link.lost("it was emptied");
      return false;
    }
    link.heard(reply.now);
    if (record.isShared || !link.isLinked()) return true;
    record.seen = reply.counts;
    record.born = reply.born;
    return true;
  };

  const grant = (record: CallerRecord, caller: Caller, cost: number, now: Instant): Taken | null => {
    const { lease } = record;
    if (!covers(lease, cost, now)) return null;
    record.lease = spent(lease, cost);
    leases.noteSpent(record, caller, cost, now);
    const moment = { now: link.sharedNow(), wall: now };
    record.seen = rolledCounts(record.seen, moment.now);
    return granted(record.seen, caller.allowance, cost, moment, "shared", lease.at, record.lease.left);
  };

  const takeShared = async (record: CallerRecord, caller: Caller, cost: number): Promise<Taken> => {
    if (record.renewing !== null) {
      await record.renewing;
      const leased = link.isLinked() ? grant(record, caller, cost, clock.now()) : null;
      if (leased !== null) return leased;
    }
    if (!link.isLinked()) return apart.take(record, caller, cost);
    try {
      let reply = await leases.ask(record, caller, cost, null);
      if (reply?.code === "month_unknown") {
        const month = monthAt(reply.now);
        const used = await months.ask(caller.id, monthDay(month));
        const seen = record.seen.month?.start === month.start ? record.seen.month.used : null;
        if (used === null && seen === null) return unavailable(`the ledger: ${months.fault()}`);
        reply = await leases.ask(record, caller, cost, Math.max(used ?? 0, seen ?? 0));
      }
      if (closed) return CLOSED;
      if (reply === null || !link.isLinked()) return apart.take(record, caller, cost);
      const moment = { now: reply.now, wall: clock.now() };
      if (reply.code !== "charged") return refused(reply.counts, caller.allowance, cost, moment);
      const spare = record.isShared ? 0 : reply.tokens;
      return granted(reply.counts, caller.allowance, cost, moment, "shared", reply.now, spare);
    } catch (fault) {
      link.lost(fault);
      return apart.take(record, caller, cost);
    }
  };

  return {
    take: (caller, cost) => {
      if (closed) return CLOSED;
      const impossible = impossibleIn(caller.allowance, cost);
      if (impossible !== null) {
        const limit = caller.allowance[impossible] ?? 0;
        return { outcome: "never", window: impossible, limit, cost };
      }
      const record = recordOf(caller);
      record.caller = caller;
      record.usedAt = link.sharedNow();
      if (!link.isLinked()) return apart.take(record, caller, cost);
      return grant(record, caller, cost, clock.now()) ?? takeShared(record, caller, cost);
    },
    refund: (caller, given: Granted) => {
      const record = recordOf(caller);
      if (given.cost === 0 || closed) return;
      if (given.by === "process") {
        if (record.alone !== null) refundAlone(record.alone, given.cost, given.at);
        else leases.giveBack(record, caller, given.cost, given.at);
      } else leases.giveBack(record, caller, given.cost, given.at);
    },
    state: () => ({
      kind: "redis",
      ...link.state(),
      callers: orgs.size + others.size,
      crowded: others.crowded,
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
