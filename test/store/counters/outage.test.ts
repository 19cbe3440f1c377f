/** Redis killed, paused, emptied, started again under calls: shares while it is away, one count again after, no month twice. */

import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { Counters } from "#ports/counters.ts";
import { type RedisServer, redisServer } from "#test/store/hot-book/redis-server.ts";
import { optionalTool } from "#test/support/require-tool.ts";
import { until } from "#test/support/until.ts";
import {
  ADDRESS,
  fill,
  grant,
  grantedOf,
  type OpenOptions,
  org,
  redisFixture,
  take,
  untilApart,
  untilLinked,
} from "./fixtures.ts";

setDefaultTimeout(30_000);
const program = optionalTool("redis-server", "the shared limits");

describe.skipIf(program === null)("while Redis is away", () => {
  let current: RedisServer;
  const server = new Proxy({} as RedisServer, { get: (_, name) => Reflect.get(current, name) });
  const fixture = redisFixture(server);
  beforeEach(async () => {
    current = redisServer(program ?? "");
    await current.start();
  });
  afterEach(async () => {
    current.goOn();
    await current.end();
  });

  const two = async (options: OpenOptions = {}): Promise<readonly [Counters, Counters]> => {
    const [a, b] = await Promise.all([
      fixture.open({ replicas: 2, ...options }),
      fixture.open({ replicas: 2, ...options }),
    ]);
    return [a, b] as const;
  };
  const kill = async (...counters: readonly Counters[]) => {
    await current.kill();
    for (const one of counters) await untilApart(one);
  };
  const restart = async (...counters: readonly Counters[]) => {
    await current.start();
    for (const one of counters) await untilLinked(one);
  };

  test("each replica grants its part of the minute and the hour, at least one call", async () => {
    const [a, b] = await two();
    await kill(a, b);
    const caller = org("org_part", 501, 100_000);
    expect(await fill(a, caller)).toBe(250);
    expect(await fill(b, caller)).toBe(250);
    expect(await fill(a, ADDRESS)).toBe(6);
    const single = org("org_single", 1, 100);
    expect(await fill(a, single)).toBe(1);
    expect(await take(a, caller)).toMatchObject({
      outcome: "refused",
      quota: { window: "minute", limit: 501 },
    });
  });

  test("what was granted before counts: no caller gets the limit twice", async () => {
    const [a, b] = await two();
    const caller = org("org_before", 100, 100_000);
    expect(await fill(a, caller)).toBe(100);
    await kill(a, b);
    expect((await take(a, caller)).outcome).toBe("refused");
  });

  test("a batch larger than the share is unavailable, not refused for ever", async () => {
    const [a] = await two();
    await kill(a);
    const caller = org("org_batch", 100, 100_000);
    expect((await take(a, caller, 60)).outcome).toBe("unavailable");
    await grant(a, caller, 50);
  });

  test("a caller that waits for the stated time is not refused again", async () => {
    const [a] = await two();
    await kill(a);
    const caller = org("org_wait", 10, 100_000);
    for (let round = 0; round < 6; round++) {
      await fill(a, caller);
      const taken = await take(a, caller, 2);
      if (taken.outcome !== "refused") throw new Error(taken.outcome);
      await fixture.passHere(taken.retryAfterSeconds * 1000);
      await grant(a, caller, 2);
    }
  });

  test("started again empty: all that either replica granted in this minute is known again before a call is let through", async () => {
    const [a, b] = await two({ leases: false });
    const caller = org("org_empty", 100, 100_000);
    for (let call = 0; call < 40; call++) await grant(a, caller);
    for (let call = 0; call < 30; call++) await grant(b, caller);
    await kill(a, b);
    await restart(a, b);
    expect((await fill(a, caller)) + (await fill(b, caller))).toBe(30);
  });

  test("the same with leases out, and with calls granted meanwhile", async () => {
    const [a, b] = await two();
    const caller = org("org_leased", 400, 100_000);
    let granted = 0;
    for (let call = 0; call < 60; call++) {
      await grant(a, caller);
      await grant(b, caller);
      granted += 2;
    }
    await kill(a, b);
    for (let call = 0; call < 50; call++) {
      await grant(a, caller);
      granted += 1;
    }
    await restart(a, b);
    granted += (await fill(a, caller)) + (await fill(b, caller));
    expect(granted).toBeLessThanOrEqual(400);
    // At most the tokens that were out are lost.
    expect(granted).toBeGreaterThan(300);
  });

  // Of two callers, each last seen by another replica: whichever replica comes back first, for one of them the order
  // matters.
  test("started again empty: what was granted alone is charged on top of the most that any replica saw", async () => {
    const [a, b] = await two({ leases: false });
    const callers = [org("org_first", 200, 100_000), org("org_second", 200, 100_000)] as const;
    for (const [nth, caller] of callers.entries()) {
      const [earlier, later] = nth === 0 ? [a, b] : [b, a];
      for (let call = 0; call < 40; call++) await grant(earlier, caller);
      for (let call = 0; call < 40; call++) await grant(later, caller);
    }
    await kill(a, b);
    for (const caller of callers) {
      for (let call = 0; call < 20; call++) {
        await grant(a, caller);
        await grant(b, caller);
      }
    }
    await restart(a, b);
    for (const caller of callers) expect((await fill(a, caller)) + (await fill(b, caller))).toBe(80);
  });

  test("the hour of an address survives it", async () => {
    const [a, b] = await two({ leases: false });
    const caller = { ...ADDRESS, allowance: { minute: 90, hour: 100, month: null } };
    for (let call = 0; call < 30; call++) await grant(a, caller);
    for (let call = 0; call < 40; call++) await grant(b, caller);
    await kill(a, b);
    await restart(a, b);
    expect(Number(await server.ask("HGET", `{crossrate:address:${ADDRESS.id}}:limits`, "hc"))).toBe(70);
    expect(await fill(a, { ...caller, allowance: { ...caller.allowance, minute: 1000 } })).toBe(30);
  });

  test("emptied in the middle of a month: memory preserves the month's count", async () => {
    const [a, b] = await two({ monthUsed: async () => 0, leases: false });
    const caller = org("org_month", 500, 100);
    for (let call = 0; call < 50; call++) await grant(a, caller);
    for (let call = 0; call < 40; call++) await grant(b, caller);
    await kill(a, b);
    await restart(a, b);
    expect((await fill(a, caller)) + (await fill(b, caller))).toBe(10);
  });

  test("nor by replicas that remember nothing: the ledger does", async () => {
    let flushed = 0;
    const monthUsed = async () => flushed;
    const a = await fixture.open({ monthUsed });
    const caller = org("org_ledger", 500, 100);
    for (let call = 0; call < 90; call++) await grant(a, caller);
    flushed = 90;
    await a.close();
    await current.kill();
    await current.start();
    const b = await fixture.open({ monthUsed });
    expect(await fill(b, caller)).toBe(10);
  });

  test("the month is counted on from the ledger's figure, and unavailable only when it is not known", async () => {
    let answer: number | null = 95;
    const monthUsed = async () => {
      if (answer === null) throw new Error("the ledger is away too");
      return answer;
    };
    const a = await fixture.open({ monthUsed });
    await kill(a);
    const caller = org("org_counted", 500, 100);
    expect(await fill(a, caller)).toBe(5);
    answer = null;
    expect(await take(a, caller)).toMatchObject({ outcome: "refused", quota: { window: "month" } });
    expect(await take(a, org("org_unknown", 500, 100))).toMatchObject({
      outcome: "unavailable",
      reason: expect.stringContaining("the ledger is away too"),
    });
    await grant(a, ADDRESS);
  });

  test("calls granted while it was away are reported to it when it is back as it was", async () => {
    const [a, b] = await two({ leases: false });
    const caller = org("org_paused", 100, 1000);
    for (let call = 0; call < 10; call++) await grant(a, caller);
    current.pause();
    // The first ones wait until Redis has failed them; whether it has charged them it cannot say.
    await Promise.all([take(a, ADDRESS), take(b, ADDRESS)]);
    await untilApart(a);
    await untilApart(b);
    for (let call = 0; call < 20; call++) {
      await grant(a, caller);
      await grant(b, caller);
    }
    current.goOn();
    await untilLinked(a);
    await untilLinked(b);
    expect((await fill(a, caller)) + (await fill(b, caller))).toBe(50);
    expect(Number(await server.ask("HGET", "{crossrate:org:org_paused}:limits", "used"))).toBe(100);
  });

  test("a flush under open connections is noticed by the first caller whose count is lost", async () => {
    const a = await fixture.open({ leases: false });
    const caller = org("org_flushed", 100, 1000);
    for (let call = 0; call < 60; call++) await grant(a, caller);
    await server.ask("FLUSHALL");
    let granted = 0;
    // Whatever comes of each single call while it recovers.
    for (let call = 0; call < 100; call++) granted += grantedOf([await take(a, caller)]);
    await untilLinked(a);
    granted += await fill(a, caller);
    expect(granted).toBeLessThanOrEqual(40);
  });

  test.each([
    ["queried for every call", false],
    ["with leases", true],
  ])(
    "killed, emptied and paused under 20 callers at a time, %s: no call fails, no caller gets too much, and it heals",
    async (_, leases) => {
      const emitted: string[] = [];
      const [a, b] = await two({ emitted, leases });
      const callers = Array.from({ length: 20 }, (_, nth) => org(`org_${nth}`, 200, 1_000_000));
      const granted = new Map<string, number>();
      let isOver = false;
      const work = callers.map(async (caller, nth) => {
        for (let call = 0; !isOver; call++) {
          const taken = await take((call + nth) % 2 === 0 ? a : b, caller);
          expect(["granted", "refused"]).toContain(taken.outcome);
          granted.set(caller.id, (granted.get(caller.id) ?? 0) + grantedOf([taken]));
          // Leaves the loop to others: memory answers without waiting.
          await Bun.sleep(1);
        }
      });
      await kill(a, b);
      await restart(a, b);
      current.pause();
      await untilApart(a);
      await untilApart(b);
      current.goOn();
      await untilLinked(a);
      await untilLinked(b);
      await server.ask("FLUSHALL");
      await untilApart(a);
      await untilLinked(a);
      await untilLinked(b);
      isOver = true;
      await Promise.all(work);
      for (const caller of callers) {
        const rest = (await fill(a, caller)) + (await fill(b, caller));
        // One replica is away or back a moment before the other: then a share comes on top, never more.
        expect((granted.get(caller.id) ?? 0) + rest).toBeLessThanOrEqual(300);
      }
      expect(emitted.filter((text) => text.includes("grants its share")).length).toBeGreaterThan(1);
      expect(emitted.at(-1)).toContain("redis_recovered");
    },
  );

  test("absent at the start: calls are granted by shares at once, and shared when it is there", async () => {
    await current.kill();
    const a = await fixture.open({ unlinked: true, replicas: 2 });
    const caller = org("org_early", 100, 1000);
    expect(await fill(a, caller)).toBe(50);
    expect(a.state()).toMatchObject({ kind: "redis", status: "degraded", lastSeenAt: null });
    await current.start();
    await untilLinked(a);
    expect(await fill(a, caller)).toBe(50);
    expect(a.state()).toMatchObject({ status: "ok", detail: null });
  });

  test("closing while it is away ends the connection for good", async () => {
    const a = await fixture.open();
    await kill(a);
    await a.close();
    await current.start();
    await until(
      "no connection is left",
      async () => !String(await server.ask("CLIENT", "LIST")).includes("crossrate-limits"),
    );
  });
});
