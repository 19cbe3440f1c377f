/** The arithmetic exists twice, in TypeScript and in the scripts of Redis: over any course of time both agree. */

import { afterAll, beforeAll, beforeEach, expect, spyOn, test } from "bun:test";
import { Redis } from "ioredis";
import { later } from "#assembly/process.ts";
import { monthAt } from "#domain/limits/counts.ts";
import { granted, refused } from "#domain/limits/quota-status.ts";
import { memoryCounters } from "#store/memory/limits/counters.ts";
import { openRedisCounters } from "#store/redis/limits/counters.ts";
import {
  type CountsReply,
  countsScripts,
  keyOf,
  LIFE_KEY,
  MOST_CALLS,
  TAKE_SCRIPT,
} from "#store/redis/limits/link.ts";
import { onRedis } from "#test/support/redis-server.ts";
import { seededRandom } from "#test/support/seeded-random.ts";
import { FREE, grant, org, untilLinked } from "./fixtures.ts";

/** The script with a clock that the test sets; everything else as it is. */
const CLOCKED = TAKE_SCRIPT.replace(
  /local time = [^\n]*\nlocal now = [^\n]*\n/,
  "local now = tonumber(redis.call('GET', 'now'))\n",
);

const LIFE = "1776097821000000";

const MINUTE_ONLY = { minute: 10, hour: null, month: null };

/** What a ledger says that has seven calls of the running month. */
const sevenAt = (now: number) => ({ ...monthAt(now), used: 7 });

onRedis("the scripts of the limits", (server) => {
  let redis: Redis;
  beforeAll(() => {
    redis = new Redis(server.url);
  });
  const empty = async () => {
    await redis.flushall();
    await redis.set(LIFE_KEY, LIFE);
  };
  beforeEach(empty);
  afterAll(() => redis.disconnect());

  test("keep what counts a month until it is over, and other counts as long as they count", async () => {
    let now = 0;
    const scripts = countsScripts(redis, () => ({ life: LIFE, now }), CLOCKED);
    const TWO_WINDOWS = 7_500_000;
    const [member, stranger] = [org("org_1", 10, 100), { ...org("org_2", 10, 100), allowance: MINUTE_ONLY }];
    for (const day of ["2026-01-01T00:00:00Z", "2026-02-28T23:59:59.999Z", "2028-02-10T12:00:00Z"]) {
      now = Date.parse(day);
      await empty();
      await redis.set("now", now);
      const wish = { cost: 1, month: sevenAt(now) };
      for (const caller of [member, stranger]) await scripts.take(caller, wish);
      const left = async (caller: typeof member) => await redis.pttl(keyOf(caller));
      const [ofMonth, ofMinute] = [await left(member), await left(stranger)];
      const wanted = monthAt(now).end - now + TWO_WINDOWS;
      expect([ofMonth <= wanted, ofMonth > wanted - 1_000]).toEqual([true, true]);
      expect([ofMinute <= TWO_WINDOWS, ofMinute > TWO_WINDOWS - 1_000]).toEqual([true, true]);
    }
  });

  test("take the larger figure of the running month, and none of another one; who takes another for the running one charges none", async () => {
    const now = Date.UTC(2026, 1, 28, 23, 59);
    const { start, end } = monthAt(now);
    let meant = now;
    const scripts = countsScripts(redis, () => ({ life: LIFE, now: meant }), CLOCKED);
    await redis.set("now", now);
    const taken = async (at: number, used: number) => {
      const month = { ...monthAt(at), used };
      const { code, counts } = await scripts.take(org("org_1", 100, 1_000), { cost: 1, month });
      return code === "charged" ? counts.month?.used : code;
    };
    expect([await taken(now, 50), await taken(now, 20)]).toEqual([51, 52]);
    expect([await taken(start - 1, 900), await taken(end, 900)]).toEqual([53, 54]);
    for (meant of [start - 1, end]) expect(await taken(meant, 900)).toBe("month_unknown");
    meant = now;
    expect(await taken(now, 0)).toBe(55);
  });

  test("name another life of Redis once after a loss, not once for each replica that finds it", async () => {
    const { meet } = countsScripts(redis, () => ({ life: LIFE, now: 0 }));
    const { life, beats } = await meet(0);
    expect([life, (await meet(beats)).life]).toEqual([LIFE, LIFE]);
    const found = (await meet(beats + 100)).life;
    expect(found).not.toBe(LIFE);
    expect((await meet(beats + 100)).life).toBe(found);
  });

  test("decide a whole turn of calls by several callers in their order, in one way there and back", async () => {
    const random = seededRandom(78);
    // The month ends while the turns go on.
    let now = Date.UTC(2026, 0, 31, 20);
    const scripts = countsScripts(redis, () => ({ life: LIFE, now }), CLOCKED);
    const callers = [1, 5, 20, 60].map((minute) => ({
      ...org(`org_${minute}`, minute, 900),
      allowance: { minute, hour: minute * 12, month: 900 },
    }));
    const memory = memoryCounters({ clock: { now: () => now }, monthUsed: async () => 7 });
    await redis.set("now", now);
    for (const caller of callers) {
      await memory.take(caller, 0);
      await scripts.take(caller, { cost: 0, month: sevenAt(now) });
    }
    const outcomes = new Set<string>();
    for (let turn = 0; turn < 60; turn++) {
      await redis.set("now", now);
      await redis.config("RESETSTAT");
      const calls = Array.from({ length: 1 + Math.floor(random() * 100) }, () => {
        const caller = callers[Math.floor(random() * callers.length)] as (typeof callers)[0];
        return { caller, cost: Math.floor(random() * Math.min(4, caller.allowance.minute + 1)) };
      });
      const replies = await Promise.all(calls.map(({ caller, cost }) => scripts.take(caller, { cost })));
      for (const [nth, { caller, cost }] of calls.entries()) {
        const { code, now: at, counts } = replies[nth] as CountsReply;
        const moment = { now: at, wall: at };
        expect(await memory.take(caller, cost)).toEqual(
          code === "charged"
            ? granted(counts, caller.allowance, cost, moment, "process")
            : refused(counts, caller.allowance, cost, moment),
        );
        outcomes.add(code);
      }
      const ways = /cmdstat_eval(?:sha)?:calls=(\d+)/g;
      const sent = [...(await redis.info("commandstats")).matchAll(ways)];
      const most = Math.ceil(calls.length / MOST_CALLS);
      expect(sent.reduce((sum, [, times]) => sum + Number(times), 0)).toBeLessThanOrEqual(most);
      now += Math.floor(random() < 0.8 ? random() * 20_000 : random() * 9_000_000);
    }
    expect([...outcomes].sort()).toEqual(["charged", "refused"]);
    expect(monthAt(now).start).toBe(Date.UTC(2026, 1, 1));
  });

  test("reject all calls of a turn whose script fails, and send the next turn again", async () => {
    const scripts = countsScripts(redis, () => ({ life: LIFE, now: 0 }), CLOCKED);
    const turn = () =>
      Promise.allSettled(
        ["a", "b", "a"].map((id) =>
          scripts.take({ ...org(id, 10, 100), allowance: MINUTE_ONLY }, { cost: 1 }),
        ),
      );
    await redis.set("now", "no number");
    expect((await turn()).map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
    await redis.set("now", 0);
    const counted = (await turn()).map((call) =>
      call.status === "fulfilled" ? call.value.counts.minute.current : call.reason,
    );
    expect(counted).toEqual([1, 1, 2]);
  });

  test("after a clock that was set back into an earlier month, and is right again, the month goes on where it was", async () => {
    const RIGHT = Date.UTC(2026, 10, 2);
    let now = RIGHT;
    const set = async (to: number) => {
      now = to;
      await redis.set("now", to);
    };
    await set(RIGHT);
    // Of every script: the machine of Redis is this one, with this clock.
    const define = Redis.prototype.defineCommand;
    const clocked = /redis\.call\('TIME'\)/;
    const time = "{ tostring(floor(redis.call('GET', 'now') / 1000)), '0' }";
    using _ = spyOn(Redis.prototype, "defineCommand").mockImplementation(function (this: Redis, name, given) {
      return define.call(this, name, { ...given, lua: given.lua.replace(clocked, time) });
    });
    const counters = openRedisCounters({
      ...{ url: server.url, clock: { now: () => now }, emit: () => {}, later, replicas: 1 },
      monthUsed: async () => (now === RIGHT ? 9_995 : 0),
    });
    await untilLinked(counters);
    expect((await grant(counters, FREE)).quota).toMatchObject({ window: "month", remaining: 4 });
    await set(RIGHT - 2 * 86_400_000);
    expect((await grant(counters, FREE)).quota.window).toBe("minute");
    await set(RIGHT);
    // The answer to the first call may be what shows that the clock has jumped.
    await grant(counters, FREE);
    const { quota } = await grant(counters, FREE);
    expect(quota.window).toBe("month");
    expect(quota.remaining).toBeLessThanOrEqual(4);
    await counters.close();
  });
});
