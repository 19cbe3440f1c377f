/** 400 mixed-cost calls at once against one key, over HTTP: never above the limit, to the unit; and a client that obeys. */

import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { type RedisServer, redisServer } from "#test/support/redis-server.ts";
import { optionalTool } from "#test/support/require-tool.ts";
import { until } from "#test/support/until.ts";
import { bearer, join, limitsIn, type Member } from "./client.ts";
import { dataDirectory, NOON } from "./history.ts";
import { fixedClock, openReplica, type Replica } from "./replica.ts";
import { countOf, crowd, grantedCost, type Outcome } from "./shares.ts";
import { usageInLedger } from "./usage.ts";

const CALLS = 400;
const LARGEST_COST = 12;
const program = optionalTool("redis-server", "limits that replicas share");

let dataDir = "";
let redis: RedisServer | null = null;
let open: Replica[] = [];
beforeAll(async () => {
  dataDir = await dataDirectory();
  if (program === null) return;
  redis = redisServer(program);
  await redis.start();
});
afterEach(async () => {
  await Promise.all(open.map((replica) => replica.close()));
  open = [];
});
afterAll(() => redis?.end());

async function replicas(count: number, settings: Record<string, string> = {}): Promise<Replica[]> {
  const clock = fixedClock();
  const all = { REPLICAS: String(count), ...settings };
  const plans = { plus: { minute: 300, month: 300 } };
  open = await Promise.all(
    Array.from({ length: count }, () => openReplica({ dataDir, clock, settings: all, plans })),
  );
  for (const { crossrate } of open) {
    await until("the limits are counted", () => crossrate.accounts?.counters.state().status === "ok");
  }
  return open;
}

/** What the ledger has in the end: after the servers have closed. */
async function usageOf({ organizationId }: Member) {
  await Promise.all(open.map((replica) => replica.close()));
  const [reader] = await replicas(1);
  return await usageInLedger(reader as Replica, fixedClock(), [organizationId]);
}

function judge(outcomes: readonly Outcome[], limit: number) {
  expect(outcomes.filter(({ status }) => status !== 200 && status !== 429)).toEqual([]);
  const granted = grantedCost(outcomes);
  expect(granted).toBeLessThanOrEqual(limit);
  expect(granted).toBeGreaterThan(limit - LARGEST_COST);
  for (const { status, limits, retryAfter } of outcomes) {
    expect(limits?.limit).toBe(limit);
    expect(limits?.remaining).toBeLessThanOrEqual(limit);
    expect(retryAfter === null).toBe(status === 200);
    if (retryAfter !== null) expect(retryAfter).toBeGreaterThanOrEqual(1);
  }
}

const SETUPS = [
  ["one replica, in memory", 1, false],
  ["two replicas with Redis", 2, true],
] as const;

describe.each(SETUPS)("%s", (_, count, shared) => {
  const settings = (): Record<string, string> => (shared ? { REDIS_URL: redis?.url ?? "" } : {});
  describe.skipIf(shared && program === null)("400 calls at once", () => {
    test.each([
      ["basic", 120],
      ["plus", 300],
    ] as const)(
      "on the plan %s no more than %d are granted, and the ledger has each of them",
      async (tier, limit) => {
        const all = await replicas(count, settings());
        const [first] = all as [Replica];
        const member = await join(first.url);
        await first.setTier(member.organizationId, tier);
        const outcomes = await crowd(all, member.key, CALLS);
        judge(outcomes, limit);
        expect(await usageOf(member)).toEqual({
          calls: grantedCost(outcomes),
          served: countOf(outcomes, 200),
          rateLimited: countOf(outcomes, 429),
        });
      },
    );
  });
});

test("a client that obeys the headers is never refused", async () => {
  const clock = fixedClock(NOON + 777);
  const replica = await openReplica({ dataDir, clock });
  open = [replica];
  for (const headers of [bearer((await join(replica.url)).key), { "x-forwarded-for": "203.0.113.9" }]) {
    for (let nth = 0; nth < 150; nth++) {
      const answer = await fetch(`${replica.url}/v1/latest?symbols=USD`, { headers });
      expect(answer.status).toBe(200);
      const limits = limitsIn(answer);
      if (limits?.remaining === 0) clock.at = Math.max(clock.at, limits.reset * 1000);
    }
  }
});
