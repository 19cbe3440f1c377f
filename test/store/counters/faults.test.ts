/** Limits under random faults of a real Redis, against the bound of docs/limits.md: one more window in any window, however often it goes. */

import { expect, test } from "bun:test";
import { WIDTHS } from "#domain/limits/counts.ts";
import type { Taken } from "#domain/limits/quota-status.ts";
import type { Counters } from "#ports/ledger.ts";
import { onBreakableRedis } from "#test/support/redis-server.ts";
import { seededRandom } from "#test/support/seeded-random.ts";
import {
  ageLife,
  fill,
  grantedOf,
  type OpenOptions,
  org,
  redisFixture,
  take,
  untilAnswered,
  untilApart,
  untilLinked,
} from "./fixtures.ts";

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
