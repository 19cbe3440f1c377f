/** The arithmetic is there twice, in TypeScript and in the scripts of Redis: over any course of time they say the same. */

import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { Redis } from "ioredis";
import { MILLISECONDS_PER_DAY } from "#domain/day.ts";
import { monthAt, monthDay } from "#domain/limits/month.ts";
import { granted, refused } from "#domain/limits/standing.ts";
import { memoryCounters } from "#store/memory/counters.ts";
import cells from "#store/redis/counts.lua" with { type: "text" };
import takeScript from "#store/redis/take-counts.lua" with { type: "text" };
import { optionalTool } from "#test/require-tool.ts";
import { seededRandom } from "#test/seeded-random.ts";
import { redisServer } from "#test/store/hot-book/redis-server.ts";
import { org, realLater } from "./rigs.ts";

const program = optionalTool("redis-server", "the scripts of the shared limits");

/** The scripts with a clock that the test sets; everything else as it is. */
const CLOCKED = cells.replace(
  /local time = [^\n]*\nlocal now = [^\n]*\n/,
  "local now = tonumber(redis.call('GET', 'now'))\n",
);

describe.skipIf(program === null)("the scripts", () => {
  const server = redisServer(program ?? "");
  let redis: Redis;
  beforeAll(async () => {
    await server.start();
    redis = new Redis(server.url);
  });
  beforeEach(() => redis.flushall());
  afterAll(async () => {
    redis.disconnect();
    await server.end();
  });

  test("have a clock that can be replaced here", () => {
    expect(CLOCKED).not.toBe(cells);
    expect(CLOCKED).not.toContain("'TIME'");
  });

  test("name the month as the calendar does, for four centuries", async () => {
    const script = `${CLOCKED}\nreturn current_month()`;
    const random = seededRandom(12);
    for (let draw = 0; draw < 2_000; draw++) {
      const day = Math.floor(random() * 400 * 365.2425);
      const at = day * MILLISECONDS_PER_DAY + (draw % 2 === 0 ? 0 : MILLISECONDS_PER_DAY - 1);
      await redis.set("now", at);
      expect(await redis.eval(script, 0)).toBe(monthDay(monthAt(at)));
    }
  });

  test("decide like the counters in memory, call by call", async () => {
    const random = seededRandom(77);
    let now = Date.UTC(2026, 0, 30, 12);
    let outcomes = 0;
    for (let round = 0; round < 12; round++) {
      const minute = 1 + Math.floor(random() * 60);
      const caller = {
        ...org(`org_${round}`, minute, 3_000),
        allowance: { minute, hour: minute * 12, month: 3_000 },
      };
      const memory = memoryCounters({
        clock: { now: () => now },
        monthUsed: async () => 7,
        later: realLater,
      });
      for (let call = 0; call < 250; call++) {
        const cost = Math.floor(random() * (minute + 1));
        await redis.set("now", now);
        const limits = [cost, minute, minute * 12, 3_000];
        const reply = (await redis.eval(
          `${CLOCKED}\n${takeScript}`,
          1,
          caller.id,
          ...limits,
          0,
          8,
          0,
          0,
          7,
          10_000_000,
        )) as number[];
        const [code, at = 0, ms = 0, mc = 0, mp = 0, hs = 0, hc = 0, hp = 0, month = 0, used = 0] = reply;
        const counts = {
          minute: { start: ms, current: mc, previous: mp },
          hour: { start: hs, current: hc, previous: hp },
          month: { ...monthAt(month * MILLISECONDS_PER_DAY), used },
        };
        const moment = { now: at, wall: at };
        const inMemory = await memory.take(caller, cost);
        const inRedis =
          code === 1
            ? granted(counts, caller.allowance, cost, moment, "process")
            : refused(counts, caller.allowance, cost, moment);
        expect(inMemory).toEqual(inRedis);
        outcomes += code ?? 0;
        const kind = random();
        now += Math.floor(
          kind < 0.7 ? random() * 3_000 : kind < 0.97 ? random() * 100_000 : random() * 9_000_000,
        );
      }
      now += 3 * MILLISECONDS_PER_DAY;
    }
    expect(outcomes).toBeGreaterThan(500);
    expect(outcomes).toBeLessThan(2_700);
  });
});
