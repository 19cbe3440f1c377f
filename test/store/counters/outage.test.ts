/** Redis killed, paused, emptied, started again under calls: shares while it is away and until it knows the window, no month twice. Then random faults, against docs/limits.md. */

import { expect, test } from "bun:test";
import { WIDTHS } from "#domain/limits/counts.ts";
import type { Taken } from "#domain/limits/quota-status.ts";
import type { Counters } from "#ports/ledger.ts";
import { BEATS_KEY } from "#store/redis/limits/link.ts";
import { onBreakableRedis } from "#test/support/redis-server.ts";
import { seededRandom } from "#test/support/seeded-random.ts";
import { until } from "#test/support/until.ts";
import {
  ADDRESS,
  ageLife,
  fill,
  grant,
  grantedOf,
  type OpenOptions,
  org,
  redisFixture,
  take,
  untilAnswered,
  untilApart,
  untilLinked,
} from "./fixtures.ts";

onBreakableRedis("limits while Redis is away", (server) => {
  const fixture = redisFixture(server);
  const two = async (options: OpenOptions = {}) => {
    const open = () => fixture.open({ replicas: 2, ...options });
    return await Promise.all([open(), open()]);
  };
  const kill = async (...counters: readonly Counters[]) => {
    await server.kill();
    for (const one of counters) await untilApart(one);
  };
  const restart = async (...counters: readonly Counters[]) => {
    await server.start();
    for (const one of counters) await untilAnswered(one);
  };
  /** As if Redis had counted for so long. */
  const age = async (milliseconds: number, ...counters: readonly Counters[]) => {
    await ageLife(server, milliseconds);
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

  test("a batch larger than the share is unavailable, not refused for ever; one that waits for the stated time is granted", async () => {
    const [a] = await two();
    await kill(a);
    const caller = org("org_batch", 100, 100_000);
    expect((await take(a, caller, 60)).outcome).toBe("unavailable");
    await grant(a, caller, 50);
    const taken = await take(a, caller, 20);
    if (taken.outcome !== "refused") throw new Error(taken.outcome);
    await fixture.passHere(taken.retryAfterSeconds * 1000);
    await grant(a, caller, 20);
  });

  test("started again empty: each replica grants its share until Redis has counted for a minute", async () => {
    const [a, b] = await two();
    const caller = org("org_empty", 100, 100_000);
    await kill(a, b);
    await restart(a, b);
    expect(a.state()).toMatchObject({ status: "degraded", detail: expect.stringContaining("last minute") });
    expect(await grant(a, caller)).toMatchObject({ by: "process", quota: { limit: 100 } });
    expect((await fill(a, caller)) + (await fill(b, caller))).toBe(99);
    await age(WIDTHS.minute, a, b);
    const fresh = org("org_fresh", 100, 100_000);
    expect(await fill(a, fresh)).toBe(100);
    expect((await take(b, fresh)).outcome).toBe("refused");
  });

  test("started again as it was seconds ago, from a file: nothing that it has forgotten is granted again", async () => {
    const [a, b] = await two();
    const caller = org("org_set_back", 100, 100_000);
    await server.ask("SAVE");
    const saved = Number(await server.ask("GET", BEATS_KEY));
    expect(await fill(a, caller)).toBe(100);
    // Each has been answered since.
    await until(
      "it is known to be older",
      async () => Number(await server.ask("GET", BEATS_KEY)) >= saved + 4,
    );
    await kill(a, b);
    expect((await fill(a, caller)) + (await fill(b, caller))).toBe(100);
    await restart(a, b);
    expect(a.state()).toMatchObject({ status: "degraded", detail: expect.stringContaining("set back") });
    expect((await fill(a, caller)) + (await fill(b, caller))).toBe(0);
    await age(WIDTHS.minute, a, b);
    expect((await grant(a, org("org_after", 100, 100_000))).by).toBe("shared");
  });

  test("what has an hour is counted by shares for an hour", async () => {
    const [a, b] = await two();
    await kill(a, b);
    await restart(a, b);
    await age(WIDTHS.minute, a, b);
    expect(a.state()).toMatchObject({ status: "ok", detail: expect.stringContaining("last hour") });
    expect((await grant(a, org("org_minute", 100, 100_000))).by).toBe("shared");
    expect((await grant(a, ADDRESS)).by).toBe("process");
    expect((await fill(a, ADDRESS)) + (await fill(b, ADDRESS))).toBe(11);
    await age(WIDTHS.hour, a, b);
    await until("the hour is shared", () => a.state().detail === null);
    expect((await grant(a, ADDRESS)).by).toBe("shared");
  });

  test("emptied in the middle of a month: it begins with the larger of the ledger's figure and the last one seen", async () => {
    let written = 0;
    const [a, b] = await two({ monthUsed: async () => written, leases: false });
    const [seen, read] = [org("org_seen", 500, 100), org("org_read", 500, 100)];
    for (const caller of [seen, read]) {
      for (let call = 0; call < 50; call++) await grant(a, caller);
      for (let call = 0; call < 40; call++) await grant(b, caller);
    }
    // The last calls are not written yet: one replica has seen them.
    written = 85;
    await kill(a, b);
    await restart(a, b);
    await age(WIDTHS.minute, a, b);
    expect((await fill(b, seen)) + (await fill(a, seen))).toBe(10);
    expect((await fill(a, read)) + (await fill(b, read))).toBe(15);
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

  test("back as it was, it goes on from what it had, and the month from the ledger's figure", async () => {
    let written = 0;
    const [a, b] = await two({ leases: false, monthUsed: async () => written });
    const caller = org("org_paused", 100, 1000);
    for (let call = 0; call < 10; call++) await grant(a, caller);
    server.pause();
    // The first ones wait until Redis has failed them; whether it has charged them it cannot say.
    await Promise.all([take(a, ADDRESS), take(b, ADDRESS)]);
    await untilApart(a);
    await untilApart(b);
    for (let call = 0; call < 20; call++) {
      await grant(a, caller);
      await grant(b, caller);
    }
    written = 50;
    server.goOn();
    await untilLinked(a);
    await untilLinked(b);
    expect((await fill(a, caller)) + (await fill(b, caller))).toBe(90);
    expect(Number(await server.ask("HGET", "{crossrate:org:org_paused}:limits", "used"))).toBe(140);
  });

  test("a flush under open connections is noticed by the first call: none is counted in an emptied Redis", async () => {
    const a = await fixture.open({ leases: false });
    const caller = org("org_flushed", 100, 1000);
    for (let call = 0; call < 60; call++) await grant(a, caller);
    await server.ask("FLUSHALL");
    expect((await grant(a, caller)).by).toBe("process");
    expect(1 + (await fill(a, caller))).toBe(100);
    expect(await server.ask("KEYS", "{crossrate:*}:limits")).toEqual([]);
  });

  test("absent at the start: calls are granted by shares at once, and shared when it is there", async () => {
    await server.kill();
    const a = await fixture.open({ unlinked: true, replicas: 2 });
    const caller = org("org_early", 100, 1000);
    expect(await fill(a, caller)).toBe(50);
    expect(a.state()).toMatchObject({ kind: "redis", status: "degraded" });
    await server.start();
    await untilLinked(a);
    // It has lost nothing that this replica knew: the limit is whole at once.
    expect(await fill(a, caller)).toBe(100);
    expect(a.state()).toMatchObject({ status: "ok", detail: null });
  });

  test("closing while it is away ends the connection for good", async () => {
    const a = await fixture.open();
    await kill(a);
    await a.close();
    await server.start();
    await until(
      "no connection is left",
      async () => !String(await server.ask("CLIENT", "LIST")).includes("crossrate-limits"),
    );
  });
});

onBreakableRedis("limits under random faults", (server) => {
  const fixture = redisFixture(server);
  const open = (replicas: number, options: OpenOptions = {}): Promise<Counters[]> =>
    Promise.all(Array.from({ length: replicas }, () => fixture.open({ replicas, ...options })));

  /** Each fault ends with a Redis that answers; it may have lost everything. */
  const FAULTS: readonly ((all: readonly Counters[]) => Promise<unknown>)[] = [
    async (all) => {
      await server.kill();
      await Promise.all(all.map(untilApart));
      await server.start();
    },
    async (all) => {
      server.pause();
      await Promise.all(all.map(untilApart));
      server.goOn();
    },
    () => server.ask("FLUSHALL"),
    () => server.ask("CLIENT", "KILL", "TYPE", "normal"),
    // One replica is back at most before it goes again.
    async () => {
      await server.kill();
      await server.start();
      await server.kill();
      await server.start();
    },
  ];

  test.each([
    [1, true],
    [2, true],
    [2, false],
    [3, true],
  ])(
    "%i replicas, leases %p: at most twice the limit in a minute, and exact again after",
    async (replicas, leases) => {
      const random = seededRandom(replicas * 2 + Number(leases));
      const emitted: string[] = [];
      const all = await open(replicas, { leases, emitted });
      const limits = [30, 200, 5_000];
      // Of the second round Redis has counted in another life before.
      for (const round of ["first", "second"]) {
        const callers = limits.map((limit) => org(`org_${round}_${limit}`, limit, 1_000_000_000));
        const granted = limits.map(() => 0);
        const began = performance.now();
        let isOver = false;
        const work = callers.flatMap((caller, nth) =>
          all.map(async (counters) => {
            while (!isOver) {
              const taken = await take(counters, caller, 1 + Math.floor(random() * 3));
              expect(["granted", "refused"]).toContain(taken.outcome);
              granted[nth] = (granted[nth] ?? 0) + grantedOf([taken]);
              await Bun.sleep(Math.floor(random() * 3));
            }
          }),
        );
        for (let fault = 0; fault < 4; fault++) {
          await FAULTS[Math.floor(random() * FAULTS.length)]?.(all);
          await Promise.all(all.map(untilAnswered));
        }
        isOver = true;
        await Promise.all(work);
        // What is left is used up, so that the bound is reached where it can be.
        for (const [nth, caller] of callers.entries())
          for (const counters of all) granted[nth] = (granted[nth] ?? 0) + (await fill(counters, caller));
        const isOneMinute = performance.now() - began < 60_000;
        for (const [nth, limit] of limits.entries())
          if (isOneMinute) expect(granted[nth]).toBeLessThanOrEqual(2 * limit);
        // A Redis that was emptied last may not have been noticed yet: one call each does.
        for (const counters of all) await take(counters, org("org_probe", 1_000, 1_000_000));
        await Promise.all(all.map(untilAnswered));
        // Another age is another life: a replica that counts in this one would first have to notice.
        if (all.some((counters) => counters.state().status !== "ok")) {
          await ageLife(server, WIDTHS.minute);
          await Promise.all(all.map(untilLinked));
        }
        expect(emitted.some((text) => text.includes("grants its share"))).toBe(true);
        expect(emitted.at(-1)).toContain("redis_recovered");
        const fresh = org(`org_${round}_fresh`, 100, 1_000_000);
        let exact = 0;
        for (const counters of all) exact += await fill(counters, fresh);
        expect(exact).toBe(100);
      }
    },
  );

  test("no month is granted twice by one replica, whatever happens to Redis", async () => {
    let served = 0;
    const [a] = (await open(1, { monthUsed: async () => served })) as [Counters];
    const caller = org("org_month", 1_000_000, 400);
    for (let round = 0; served < 400 && round < 12; round++) {
      for (let call = 0; call < 50; call++) served += grantedOf([await take(a, caller)]);
      const random = seededRandom(round);
      await FAULTS[Math.floor(random() * FAULTS.length)]?.([a]);
      await untilAnswered(a);
    }
    served += await fill(a, caller);
    expect(served).toBeLessThanOrEqual(400);
    // Tokens of leases that went with an outage are lost, no more than that.
    expect(served).toBeGreaterThan(300);
  });

  test("steps of the process's clock change neither the limit nor how long a lease is spent", async () => {
    const [a] = (await open(1)) as [Counters];
    const caller = org("org_clock", 300, 1_000_000);
    const random = seededRandom(5);
    let granted = 0;
    for (let step = 0; step < 40; step++) {
      for (let call = 0; call < 5; call++) granted += grantedOf([await take(a, caller)]);
      fixture.passHere(Math.floor((random() - 0.5) * 600_000));
    }
    granted += await fill(a, caller);
    expect(granted).toBeLessThanOrEqual(300);

    const busy = org("org_lease", 1_000_000, 1_000_000_000);
    const isLeased = (taken: Taken | Promise<Taken>) =>
      !(taken instanceof Promise) && taken.outcome === "granted" && taken.by === "shared";
    while (!isLeased(a.take(busy, 1))) await Bun.sleep(0);
    fixture.passHere(-30_000);
    expect(isLeased(a.take(busy, 1))).toBe(false);
  });
});
