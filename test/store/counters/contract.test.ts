/** What all counters promise to admission, whether they count in memory or in Redis. */

import { beforeEach, describe, expect, test } from "bun:test";
import type { Caller } from "#domain/limits/counts.ts";
import type { Counters } from "#ports/ledger.ts";
import { onRedis } from "#test/support/redis-server.ts";
import { seededRandom } from "#test/support/seeded-random.ts";
import {
  ADDRESS,
  type Fixture,
  FREE,
  fill,
  grant,
  grantedOf,
  memoryFixture,
  org,
  PRO,
  redisFixture,
  take,
} from "./fixtures.ts";

const refused = (quota: object, network?: string) => {
  return { outcome: "refused", quota, ...(network === undefined ? {} : { network }) };
};

function meetsContract(makeFixture: () => Fixture, leases: boolean): void {
  let fixture: Fixture;
  let counters: Counters;
  const open = (options = {}) => fixture.open({ leases, ...options });
  fixture = makeFixture();
  beforeEach(async () => {
    counters = await open();
  });

  test("of 400 concurrent calls of mixed cost the limit is granted, and not a unit more", async () => {
    const random = seededRandom(400);
    const costs = Array.from({ length: 400 }, () => 1 + Math.floor(random() * 6));
    const outcomes = await Promise.all(costs.map((cost) => take(counters, PRO, cost)));
    const stormed = grantedOf(outcomes);
    expect(stormed).toBeLessThanOrEqual(500);
    expect(stormed + (await fill(counters, PRO))).toBe(500);
    expect((await take(counters, PRO)).outcome).toBe("refused");
  });

  test("a refused call costs nothing in any window", async () => {
    const caller = org("org_both", 10, 15);
    await grant(counters, caller, 8);
    expect(await take(counters, caller, 3)).toMatchObject(
      refused({ window: "minute", limit: 10, remaining: 2 }),
    );
    await fixture.pass(120_000);
    // 7 of the month are left: the minute would allow 10.
    expect(await take(counters, caller, 8)).toMatchObject(
      refused({ window: "month", limit: 15, remaining: 7 }),
    );
    await grant(counters, caller, 7);
  });

  test("the headers report the window with the fewest calls left", async () => {
    const caller = org("org_few", 10, 12);
    const { quota } = await grant(counters, caller, 3);
    expect(quota).toMatchObject({ window: "minute", limit: 10, remaining: 7 });
    await fixture.pass(120_000);
    const { quota: later } = await grant(counters, caller, 2);
    expect(later).toMatchObject({ window: "month", limit: 12, remaining: 7 });
  });

  test("a charge of nothing returns the quota status, and costs nothing", async () => {
    await grant(counters, FREE, 5);
    for (let look = 0; look < 20; look++) expect((await grant(counters, FREE, 0)).quota.remaining).toBe(7);
    await grant(counters, FREE, 7);
    expect((await grant(counters, FREE, 0)).quota.remaining).toBe(0);
  });

  test("a batch above the limit of a minute can never pass, and is refused as such", async () => {
    const never = { outcome: "never" as const, window: "minute" as const, limit: 12, cost: 13 };
    expect(await take(counters, FREE, 13)).toEqual(never);
    await grant(counters, FREE, 12);
  });

  test("without a key the minute and the hour of the address count, of each address its own", async () => {
    let granted = 0;
    for (let minute = 0; minute < 9; minute++) {
      granted += await fill(counters, ADDRESS);
      await fixture.pass(121_000);
    }
    // Nine bursts of twelve would be 108.
    expect(granted).toBe(100);
    expect(await take(counters, ADDRESS)).toMatchObject(refused({ window: "hour" }));
    await grant(counters, { ...ADDRESS, id: "192.0.2.8" });
  });

  describe("an IPv6 address counts in the networks around it too:", () => {
    /** The nth /64 of a customer with a /56; of a site with a /48. */
    const inNet = (net: number): Caller => ({ ...ADDRESS, id: `2001:db8:7:${net.toString(16)}::/64` });
    const ofCustomer = (nth: number) => inNet(0x200 + nth);
    const ofSite = (nth: number) => inNet(nth * 0x100);
    const grantedIn = async (callers: readonly Caller[]) => {
      let granted = 0;
      for (const caller of callers) granted += await fill(counters, caller);
      return granted;
    };
    const some = (count: number, caller: (nth: number) => Caller) =>
      Array.from({ length: count }, (_, nth) => caller(nth));

    test("a /56 has four times the limit, a /48 sixteen times, of the minute", async () => {
      expect(await grantedIn(some(10, ofCustomer))).toBe(48);
      expect(await take(counters, ofCustomer(99))).toMatchObject(
        refused({ window: "minute", limit: 48, remaining: 0 }, "2001:db8:7:200::/56"),
      );
      expect(await grantedIn(some(40, ofSite))).toBe(192 - 48);
      expect(await take(counters, ofSite(99))).toMatchObject(
        refused({ window: "minute", limit: 192, remaining: 0 }, "2001:db8:7:0::/48"),
      );
      // The next site, and every IPv4 address, has its own.
      expect(await fill(counters, { ...ADDRESS, id: "2001:db8:8:200::/64" })).toBe(12);
      expect(await fill(counters, ADDRESS)).toBe(12);
    });

    test("and of the hour", async () => {
      let granted = 0;
      for (let minute = 0; minute < 58; minute += 2) {
        granted += await grantedIn(some(10, ofCustomer));
        await fixture.pass(120_000);
      }
      expect(granted).toBe(400);
      expect(await take(counters, ofCustomer(50))).toMatchObject({ quota: { window: "hour", limit: 400 } });
      await grant(counters, ofSite(1));
    });

    test("a refused call costs nothing in any of them", async () => {
      await grantedIn([ofCustomer(0), ofCustomer(1), ofCustomer(2)]);
      await grant(counters, ofCustomer(3), 10);
      expect(await take(counters, ofCustomer(4), 3)).toMatchObject(refused({ limit: 48, remaining: 2 }));
      // Neither did its own address pay, nor the site.
      expect((await grant(counters, ofCustomer(4), 2)).quota).toMatchObject({ limit: 48, remaining: 0 });
      // By its own limit, while the networks have room.
      await grant(counters, ofSite(5), 12);
      expect(await take(counters, ofSite(5))).toMatchObject({ quota: { limit: 12, remaining: 0 } });
      expect((await take(counters, ofSite(5))) as object).not.toHaveProperty("network");
      expect(await grantedIn(some(40, ofSite))).toBe(192 - 48 - 12);
    });

    test("the headers report the window with the fewest calls left, whichever network's it is", async () => {
      await grantedIn([ofCustomer(0), ofCustomer(1), ofCustomer(2)]);
      await grant(counters, ofCustomer(3), 4);
      const quota = { window: "minute", limit: 48, remaining: 7 };
      expect(await grant(counters, ofCustomer(4))).toMatchObject({ quota });
      expect(await take(counters, ofCustomer(4), 0)).toMatchObject({ quota });
      expect((await grant(counters, ofSite(9))).quota).toMatchObject({ limit: 12, remaining: 11 });
    });

    test("what is given back is given back to all of them", async () => {
      await grantedIn([ofCustomer(0), ofCustomer(1), ofCustomer(2)]);
      const last = await grant(counters, ofCustomer(3), 12);
      expect((await take(counters, ofCustomer(4))).outcome).toBe("refused");
      counters.refund(ofCustomer(3), last);
      expect(await grantedIn([ofCustomer(4), ofCustomer(5)])).toBe(12);
    });

    test("of many concurrent calls from many addresses the limit is granted, and not a unit more", async () => {
      const callers = [...some(200, ofCustomer), ...some(200, ofSite)];
      const outcomes = await Promise.all(callers.map((caller) => take(counters, caller)));
      expect(grantedOf(outcomes)).toBe(192);
      expect(grantedOf(outcomes.slice(0, 200))).toBe(48);
    });

    test("a caller that waits for the stated time is not refused again", async () => {
      await grantedIn(some(10, ofCustomer));
      const refused = await take(counters, ofCustomer(60));
      if (refused.outcome !== "refused") throw new Error("not refused");
      await fixture.pass(refused.retryAfterSeconds * 1000);
      await grant(counters, ofCustomer(60));
    });
  });

  test("what is given back can be taken again", async () => {
    const first = await grant(counters, FREE, 12);
    expect((await take(counters, FREE)).outcome).toBe("refused");
    counters.refund(FREE, first);
    // A refund does not wait, and precedes the next charge.
    await grant(counters, FREE, 12);
  });

  test("a caller that waits for the stated time is not refused again, whatever its cost", async () => {
    const random = seededRandom(17);
    let refusals = 0;
    for (let step = 0; refusals < 25; step++) {
      const caller: Caller = random() < 0.5 ? ADDRESS : FREE;
      const cost = 1 + Math.floor(random() * 12);
      const taken = await take(counters, caller, cost);
      if (taken.outcome === "refused") {
        refusals += 1;
        expect(taken.retryAfterSeconds).toBeGreaterThanOrEqual(1);
        expect(taken.quota.resetAt * 1000).toBeGreaterThan(fixture.now() - 500);
        await fixture.pass(taken.retryAfterSeconds * 1000);
        expect((await take(counters, caller, cost)).outcome).toBe("granted");
      }
      if (step % 3 === 0) await fixture.pass(Math.floor(random() * 20_000));
    }
  });

  test("the month begins with the ledger's figure, queried once for all waiting calls", async () => {
    let queries = 0;
    counters = await open({
      monthUsed: async (id: string) => {
        queries += 1;
        await Promise.resolve();
        return id === FREE.id ? 9_995 : 0;
      },
    });
    const outcomes = await Promise.all(Array.from({ length: 12 }, () => take(counters, FREE)));
    expect(grantedOf(outcomes)).toBe(5);
    expect(queries).toBeGreaterThan(0);
    expect(queries).toBeLessThan(12);
    expect(await take(counters, FREE)).toMatchObject(refused({ window: "month", remaining: 0 }));
  });

  test("at the end of the month the quota is whole again, without a question to the ledger", async () => {
    let queries = 0;
    counters = await open({ monthUsed: async () => (queries++ === 0 ? 9_999 : 9_999_999) });
    await grant(counters, FREE);
    expect((await take(counters, FREE)).outcome).toBe("refused");
    await fixture.passMonth();
    await grant(counters, FREE);
    expect(queries).toBe(1);
  });

  test("after a clock that was a month ahead the month goes on with the ledger's figure", async () => {
    counters = await open({ monthUsed: async () => 9_995 });
    expect((await grant(counters, FREE)).quota.remaining).toBe(4);
    await fixture.passMonth();
    await grant(counters, FREE);
    await fixture.returnMonth();
    expect((await grant(counters, FREE)).quota.remaining).toBe(4);
  });

  test("while the ledger cannot return a month's use, the quota is unavailable; once it can, it is not", async () => {
    let isAway = true;
    counters = await open({
      monthUsed: async () => {
        if (isAway) throw new Error("the disk is full");
        return 0;
      },
    });
    expect(await take(counters, FREE)).toMatchObject({
      outcome: "unavailable",
      reason: expect.stringContaining("the disk is full"),
    });
    // Who has no key has no month.
    await grant(counters, ADDRESS);
    isAway = false;
    await grant(counters, FREE);
    isAway = true;
    await grant(counters, FREE);
  });

  test("a plan that changes holds from the next call on", async () => {
    await grant(counters, org("org_plan", 120, 1000), 60);
    expect((await take(counters, org("org_plan", 12, 1000))).outcome).toBe("refused");
    expect((await grant(counters, org("org_plan", 500, 1000))).quota.remaining).toBe(439);
  });

  test("after closing, everything is unavailable", async () => {
    await counters.close();
    await counters.close();
    expect((await take(counters, FREE)).outcome).toBe("unavailable");
  });
}

describe("the counters in memory", () => {
  meetsContract(memoryFixture, false);
});

onRedis("the counters in Redis", (server) => {
  describe("queried for every call", () => meetsContract(() => redisFixture(server), false));
  describe("with leases", () => meetsContract(() => redisFixture(server), true));
});
