/** Counters of each kind in the test's hands, with a time that the test moves: also that of a real Redis. */

import { later as realLater } from "#assembly/process.ts";
import { allowanceOf, DEFAULT_PLANS } from "#domain/billing/plan.ts";
import type { Caller } from "#domain/limits/counts.ts";
import type { Granted, Taken } from "#domain/limits/quota-status.ts";
import type { Counters, MonthUsed } from "#ports/ledger.ts";
import { memoryCounters } from "#store/memory/limits/counters.ts";
import { openRedisCounters } from "#store/redis/limits/counters.ts";
import { LIFE_KEY } from "#store/redis/limits/link.ts";
import { closedAfterEach } from "#test/support/closed-after-each.ts";
import type { RedisServer } from "#test/support/redis-server.ts";
import { until } from "#test/support/until.ts";

export interface OpenOptions {
  readonly monthUsed?: MonthUsed;
  readonly replicas?: number;
  readonly leases?: boolean;
  readonly addresses?: number;
  /** Does not wait until Redis can be relied on. */
  readonly unlinked?: boolean;
  readonly emitted?: string[];
}

export const PRO: Caller = { kind: "org", id: "org_pro", allowance: allowanceOf(DEFAULT_PLANS, "pro") };
export const FREE: Caller = { kind: "org", id: "org_free", allowance: allowanceOf(DEFAULT_PLANS, "free") };
export const ADDRESS: Caller = {
  kind: "address",
  id: "192.0.2.7",
  allowance: allowanceOf(DEFAULT_PLANS, "anonymous"),
};

export function org(id: string, minute: number, month: number): Caller {
  return { kind: "org", id, allowance: { minute, hour: null, month } };
}

const nothingUsed: MonthUsed = async () => 0;

export type Fixture = ReturnType<typeof memoryFixture>;

export function memoryFixture() {
  // Near the end of a month: of a caller that was idle for hours the ledger is asked again.
  const start = Date.UTC(2026, 3, 30, 22, 30, 21, 250);
  let now = start;
  return {
    open: async ({ monthUsed = nothingUsed, addresses }: OpenOptions = {}) => {
      now = start;
      return memoryCounters({
        clock: { now: () => now },
        monthUsed,
        ...(addresses === undefined ? {} : { addresses }),
      });
    },
    now: () => now,
    pass: async (milliseconds: number) => {
      now += milliseconds;
    },
    /** The first instant of the next month, or what looks like it. */
    passMonth: async () => {
      now = Date.UTC(2026, 4, 1);
    },
    /** Back again, as after a clock that was ahead. */
    returnMonth: async () => {
      now = start;
    },
  };
}

/**
 * Redis has a clock of its own, which cannot be set. Moving what is stored back in time looks the same from inside: so
 * this time is the real one and what was passed on top.
 */
export function redisFixture(server: RedisServer): Fixture & { passHere(milliseconds: number): void } {
  let passed = 0;
  const opened = closedAfterEach();
  const stored = async () => (await server.ask("KEYS", "{crossrate:*}:limits")) as string[];
  const pass = async (milliseconds: number) => {
    passed += milliseconds;
    for (const key of await stored()) {
      for (const field of ["ms", "hs"]) {
        if ((await server.ask("HEXISTS", key, field)) === 1)
          await server.ask("HINCRBY", key, field, String(-milliseconds));
      }
    }
  };
  return {
    open: async ({
      monthUsed = nothingUsed,
      replicas = 1,
      leases = true,
      addresses,
      unlinked,
      emitted = [],
    } = {}) => {
      const options = {
        url: server.url,
        clock: { now: () => Date.now() + passed },
        emit: (event: object) => emitted.push(JSON.stringify(event)),
        monthUsed,
        later: realLater,
        replicas,
        leases,
        ...(addresses === undefined ? {} : { addresses }),
      };
      const counters = opened(openRedisCounters(options));
      if (unlinked !== true) await untilLinked(counters);
      return counters;
    },
    now: () => Date.now() + passed,
    pass,
    /** For this process only: Redis is away. */
    passHere: (milliseconds) => {
      passed += milliseconds;
    },
    passMonth: async () => {
      // A lease of the old month must have ended.
      await pass(2_000);
      for (const key of await stored()) await server.ask("HINCRBY", key, "month", "-31");
    },
    returnMonth: async () => {
      await pass(2_000);
      for (const key of await stored()) await server.ask("HINCRBY", key, "month", "62");
    },
  };
}

/** All windows but the hour are shared. */
export function untilLinked(counters: Counters): Promise<void> {
  return until("the limits are shared", () => counters.state().status === "ok");
}

/** Redis answers; one that was emptied or set back does not count every window yet. */
export function untilAnswered(counters: Counters): Promise<void> {
  const { state } = counters;
  return until(
    "Redis answers",
    () => /^Redis: it was emptied or set back within/.test(state().detail ?? "") || state().detail === null,
  );
}

export function untilApart(counters: Counters): Promise<void> {
  return until("the store is away", () => counters.state().status === "degraded");
}

/** As if this Redis had been in use for so much longer. */
export async function ageLife(server: RedisServer, milliseconds: number): Promise<void> {
  await until("it is in use", async () => (await server.ask("EXISTS", LIFE_KEY)) === 1);
  await server.ask("DECRBY", LIFE_KEY, String(milliseconds * 1000));
}

export function grantedOf(outcomes: readonly Taken[]): number {
  return outcomes.reduce((sum, one) => sum + (one.outcome === "granted" ? one.cost : 0), 0);
}

export async function take(counters: Counters, caller: Caller, cost = 1): Promise<Taken> {
  return await counters.take(caller, cost);
}

export async function grant(counters: Counters, caller: Caller, cost = 1): Promise<Granted> {
  const taken = await counters.take(caller, cost);
  if (taken.outcome !== "granted") throw new Error(`not granted: ${JSON.stringify(taken)}`);
  return taken;
}

/** Calls one by one until one is refused; how many were granted. */
export async function fill(counters: Counters, caller: Caller): Promise<number> {
  let granted = 0;
  while ((await take(counters, caller)).outcome === "granted") granted += 1;
  return granted;
}
