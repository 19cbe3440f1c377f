/** Two replicas on one Redis: together they never grant more than the limit, whichever dies, and far from it they need not ask Redis. */

import { expect, test } from "bun:test";
import type { Counters } from "#ports/ledger.ts";
import { killedChild } from "#test/support/killed-child.ts";
import { onRedis } from "#test/support/redis-server.ts";
import { seededRandom } from "#test/support/seeded-random.ts";
import { until } from "#test/support/until.ts";
import { fill, grant, grantedOf, org, redisFixture, take } from "./fixtures.ts";

const FORTY_DAYS = 40 * 86_400_000;

onRedis("the limits of two replicas", (server) => {
  const fixture = redisFixture(server);
  const two = async (leases: boolean): Promise<readonly [Counters, Counters]> => {
    const [a, b] = await Promise.all([
      fixture.open({ replicas: 2, leases }),
      fixture.open({ replicas: 2, leases }),
    ]);
    return [a, b] as const;
  };
  const used = async (id: string) => Number(await server.ask("HGET", `{crossrate:org:${id}}:limits`, "mc"));

  test("with leases too: never above the limit, and to the unit once unspent tokens are back", async () => {
    for (let round = 0; round < 5; round++) {
      await server.ask("FLUSHALL");
      const [a, b] = await two(true);
      const random = seededRandom(round);
      const caller = org(`org_${round}`, 500, 1_000_000);
      let granted = 0;
      // In waves: the first ones show the demand, the later ones have leases.
      for (let wave = 0; wave < 8; wave++) {
        const calls = Array.from({ length: 50 }, () =>
          take(random() < 0.5 ? a : b, caller, 1 + Math.floor(random() * 5)),
        );
        granted += grantedOf(await Promise.all(calls));
        expect(granted).toBeLessThanOrEqual(500);
      }
      await Promise.all([a.close(), b.close()]);
      const later = await fixture.open();
      expect(granted + (await fill(later, caller))).toBe(500);
    }
  });

  test("far from the limit most calls are answered from a lease, without a promise", async () => {
    const [a] = await two(true);
    const caller = org("org_busy", 1_000_000, 1_000_000_000);
    let direct = 0;
    for (let call = 0; call < 5_000; call++) {
      const taken = a.take(caller, 1);
      if (!(taken instanceof Promise)) direct += 1;
      expect((await taken).outcome).toBe("granted");
    }
    expect(direct).toBeGreaterThan(4_000);
  });

  test("near the limit every call queries Redis: what is left at one replica is known to the other", async () => {
    const [a, b] = await two(true);
    const caller = org("org_near", 40, 100_000);
    for (let call = 0; call < 36; call++) await grant(call % 2 === 0 ? a : b, caller);
    // Leases of the beginning have been given back or spent by then.
    await until("no token is out", async () => (await used("org_near")) === 36);
    for (let left = 3; left >= 0; left--) {
      expect((await grant(left % 2 === 0 ? a : b, caller)).quota.remaining).toBe(left);
    }
    expect((await take(a, caller)).outcome).toBe("refused");
    expect((await take(b, caller)).outcome).toBe("refused");
  });

  test("unspent tokens come back by themselves: a caller pays for what it called", async () => {
    const [a] = await two(true);
    const caller = org("org_short", 10_000, 1_000_000);
    for (let call = 0; call < 300; call++) await grant(a, caller);
    await until("the lease was given back", async () => {
      const month = await server.ask("HGET", "{crossrate:org:org_short}:limits", "used");
      return (await used("org_short")) === 300 && Number(month) === 300;
    });
  });

  test("a refund reaches the other replica", async () => {
    const [a, b] = await two(true);
    const caller = org("org_back", 12, 1000);
    const granted = await grant(a, caller, 12);
    expect((await take(b, caller)).outcome).toBe("refused");
    a.refund(caller, granted);
    await until("it is back", async () => (await take(b, caller, 12)).outcome === "granted");
  });

  test("a replica that is killed with a lease in its hands takes the tokens with it, and no replica makes new ones", async () => {
    const a = await fixture.open();
    const caller = org("org_killed", 2_000, 1_000_000);
    await killedChild(`${import.meta.dir}/lease-child.ts`, [server.url, JSON.stringify(caller), "600"], 0);
    // The child had spent 600 and held more.
    const held = (await used("org_killed")) - 600;
    expect(held).toBeGreaterThan(0);
    expect(600 + (await fill(a, caller))).toBe(2_000 - held);
  });

  test("a clock in another month than that of Redis makes no call unavailable: the month of Redis counts", async () => {
    const asked = new Set<number>();
    const monthUsed = async (_id: string, month: number) => {
      asked.add(month);
      return 7;
    };
    const counters = await fixture.open({ leases: false, monthUsed });
    const monthOf = async (id: string) =>
      Number(await server.ask("HGET", `{crossrate:org:${id}}:limits`, "used"));
    for (const [nth, step] of [FORTY_DAYS, -FORTY_DAYS, -FORTY_DAYS, FORTY_DAYS].entries()) {
      const id = `org_stepped_${nth}`;
      // Before Redis is asked again: its clock is an estimate by this process's clock.
      fixture.passHere(step);
      await grant(counters, org(id, 100, 100));
      expect(await monthOf(id)).toBe(8);
    }
    expect(asked.size).toBe(3);
  });
});
