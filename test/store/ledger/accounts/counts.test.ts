/** Usage, billing events, audit, leases, installation: the promises of the port, on both databases. */

import { expect, test } from "bun:test";
import type { Lease } from "#domain/account/ledger.ts";
import type { Organization, Tier } from "#domain/account/organization.ts";
import { type Day, dayAt, formatDay, parseDay } from "#domain/time/day.ts";
import type { Ledger } from "#ports/ledger.ts";
import {
  type Account,
  account,
  audited,
  by,
  counted,
  NOON,
  onBothLedgers,
  provisioned,
} from "#test/store/ledger/ledgers.ts";
import { seededRandom } from "#test/support/seeded-random.ts";

const day = (text: string) => parseDay(text) as Day;

onBothLedgers("counts and notices", (bench) => {
  test("a batch is added once ever, also when ten send it at once on two connections", async () => {
    const member = await account(bench.ledger(), "a");
    const rows = [counted(member, { served: 5, rateLimited: 2, quotaExceeded: 1, calls: 12 })];
    const results = await bench.raced(10, ({ usage }) => usage.apply("batch 1", rows, NOON));
    expect(results.filter(Boolean).length).toBe(1);
    const { usage } = bench.ledger();
    expect(await usage.days(member.organizationId, day("2026-11-01"), day("2026-11-30"))).toEqual([
      { day: day("2026-11-20"), served: 5, rateLimited: 2, quotaExceeded: 1 },
    ]);
    expect(await usage.pruneBatches(NOON)).toBe(0);
    expect(await usage.pruneBatches(NOON + 1)).toBe(1);
  });

  test("sums are exact over many batches from two sides, by day and by month, beyond 32 bits", async () => {
    const random = seededRandom(7);
    const accounts = [await account(bench.ledger(), "a"), await account(bench.ledger(), "b")];
    const expected = new Map<string, number>();
    const add = (key: string, by: number) => expected.set(key, (expected.get(key) ?? 0) + by);
    const batches = Array.from({ length: 30 }, () =>
      Array.from({ length: 40 }, () => {
        const member = accounts[random() < 0.5 ? 0 : 1] as Account;
        const on = day("2026-10-25") + Math.floor(random() * 20);
        const served = Math.floor(random() * 1e9);
        add(`${member.organizationId} ${formatDay(on)}`, served);
        add(`${member.organizationId} ${formatDay(on).slice(0, 7)}`, served * 2);
        const refused = { rateLimited: served * 3, quotaExceeded: served * 2 };
        return counted(member, { day: on, served, ...refused, calls: served * 2 });
      }),
    );
    await bench.raced(30, ({ usage }, nth) => usage.apply(`batch ${nth}`, batches[nth] ?? [], NOON));
    const found = new Map<string, number>();
    const { usage } = bench.ledger();
    for (const { owner, organizationId } of accounts) {
      const days = await usage.days(organizationId, day("2026-10-25"), day("2026-11-30"));
      expect(days.map((one) => one.day)).toEqual([...days.map((one) => one.day)].sort((a, b) => a - b));
      for (const one of days) {
        expect([one.rateLimited, one.quotaExceeded]).toEqual([one.served * 3, one.served * 2]);
        found.set(`${organizationId} ${formatDay(one.day)}`, one.served);
      }
      for (const month of ["2026-10", "2026-11"])
        found.set(`${organizationId} ${month}`, await usage.monthCalls(month, owner.id));
    }
    expect(Object.fromEntries([...found].sort())).toEqual(Object.fromEntries([...expected].sort()));
  });

  test("a billing event is taken until it is processed, once, in one step with its change", async () => {
    const { organizationId } = await account(bench.ledger(), "a");
    const { billingEvents, organizations } = bench.ledger();
    const event = { id: "evt_1", type: "customer.subscription.updated", objectId: "sub_1" };
    expect(await billingEvents.receive(event, NOON)).toBe("new");
    expect(await billingEvents.receive(event, NOON + 1)).toBe("received");
    expect(await billingEvents.unprocessed(NOON, 10)).toEqual([]);
    expect(await billingEvents.unprocessed(NOON + 1, 10)).toMatchObject([{ ...event, receivedAt: NOON }]);
    const settle = async (id: string, tier: Tier, at: number) => {
      const from = (await organizations.byId(organizationId)) as Organization;
      return await billingEvents.settle(id, "applied", { from, patch: { tier } }, at);
    };
    expect(await settle("evt_2", "pro", NOON)).toBe(false);
    expect(await settle("evt_1", "basic", NOON + 2)).toBe(true);
    expect(await settle("evt_1", "pro", NOON + 3)).toBe(false);
    expect((await organizations.byId(organizationId))?.tier).toBe("basic");
    expect(await billingEvents.receive(event, NOON + 4)).toBe("processed");
    const processed = { processedAt: NOON + 2, outcome: "applied" };
    expect(await billingEvents.byId("evt_1")).toEqual({ ...event, receivedAt: NOON, ...processed });
    expect(await billingEvents.unprocessed(NOON + 9, 10)).toEqual([]);
    const actions = await audited(bench.ledger(), "billing_event:evt_1");
    expect(actions).toEqual(["billing_event.received", "billing_event.processed"]);
  });

  test("the audit log pages newest first, each entry once, also within one millisecond", async () => {
    const { audit } = bench.ledger();
    for (let nth = 0; nth < 25; nth++) {
      const detail = { nth, words: ["a"] };
      const note = { action: "operator.note", subject: `note:${nth}`, detail } as const;
      await audit.append(note, { at: NOON + Math.floor(nth / 10), actor: "operator" });
    }
    const seen: string[] = [];
    let page = await audit.list({}, 10);
    while (page.length > 0) {
      seen.push(...page.map(({ subject }) => subject));
      page = await audit.list({ before: page.at(-1) as (typeof page)[number] }, 10);
    }
    expect(seen).toEqual(Array.from({ length: 25 }, (_, nth) => `note:${24 - nth}`));
    const [third] = await audit.list({ subject: "note:3" }, 5);
    expect(third).toMatchObject({ actor: "operator", detail: { nth: 3, words: ["a"] } });
  });

  test("a lease has one holder, a rising epoch, and runs out by the ledger's clock", async () => {
    let now = NOON;
    const leaseClock = { now: () => now };
    const { leases: a } = await bench.another({ leaseClock });
    const { leases: b } = await bench.another({ leaseClock });
    const first = (await a.acquire("compact", "a", 1000)) as Lease;
    expect(first).toEqual({ name: "compact", holder: "a", epoch: 1, expiresAt: NOON + 1000 });
    expect(await b.acquire("compact", "b", 1000)).toBeNull();
    expect((await b.acquire("other", "b", 1000))?.epoch).toBe(1);
    now += 900;
    const renewed = (await a.renew(first, 1000)) as Lease;
    expect(renewed).toMatchObject({ epoch: 1, expiresAt: NOON + 1900 });
    now += 999;
    expect(await b.acquire("compact", "b", 1000)).toBeNull();
    now += 1;
    // Nobody took it meanwhile: it goes on under its epoch, and is held again.
    expect(await a.renew(renewed, 1000)).toMatchObject({ epoch: 1 });
    expect(await b.acquire("compact", "b", 1000)).toBeNull();
    now += 1000;
    const second = (await b.acquire("compact", "b", 1000)) as Lease;
    expect(await a.renew(renewed, 1000)).toBeNull();
    expect(second.epoch).toBe(2);
    await a.release(renewed);
    expect(await a.acquire("compact", "a", 1000)).toBeNull();
    await b.release(second);
    // One that was released is not renewed, but acquired.
    expect(await b.renew(second, 1000)).toBeNull();
    expect((await a.acquire("compact", "a", 1000))?.epoch).toBe(3);
  });

  test("after a database that was behind has taken over, a lease that it did not know is no one's", async () => {
    let now = NOON;
    const { leases } = await bench.another({ leaseClock: { now: () => now } });
    await leases.acquire("compact", "a", 1000);
    const before = await bench.sql("SELECT holder, epoch, expires_at FROM leases");
    now += 1000;
    const unknown = (await leases.acquire("compact", "b", 1000)) as Lease;
    const [{ holder, epoch, expires_at }] = before as [Record<string, unknown>];
    await bench.sql(`UPDATE leases SET holder = '${holder}', epoch = ${epoch}, expires_at = ${expires_at}`);
    const known = (await leases.acquire("compact", "c", 1000)) as Lease;
    expect(known.epoch).toBe(unknown.epoch);
    expect(await leases.renew(unknown, 1000)).toBeNull();
    await leases.release(unknown);
    expect(await leases.renew(known, 1000)).toMatchObject({ holder: "c" });
  });

  test("by the database's own clock a fresh lease holds and an expired one is free", async () => {
    const { leases } = bench.ledger();
    const held = (await leases.acquire("job", "a", 60_000)) as Lease;
    expect(await leases.acquire("job", "b", 60_000)).toBeNull();
    // Within a day of this machine's clock, in milliseconds: the unit is right.
    expect(Math.abs(held.expiresAt - Date.now())).toBeLessThan(86_400_000);
    await leases.acquire("ran out", "a", 0);
    expect((await leases.acquire("ran out", "b", 60_000))?.epoch).toBe(2);
  });

  test("fifty who want one lease at once: one gets it", async () => {
    const results = await bench.raced(50, ({ leases }, nth) =>
      leases.acquire("job", `holder ${nth}`, 60_000),
    );
    expect(results.filter((lease) => lease !== null).length).toBe(1);
  });

  test("an installation value is inserted once, or overwritten", async () => {
    const { installation } = bench.ledger();
    expect(await installation.read("pepper")).toBeNull();
    expect(await installation.keepFirst("pepper", "aa")).toBe("aa");
    expect(await installation.keepFirst("pepper", "bb")).toBe("aa");
    await installation.write("pepper", "cc");
    expect(await installation.read("pepper")).toBe("cc");
  });
});

/** 2026-11-20. */
const TODAY = dayAt(NOON);
const THIS_MONTH = "2026-11";

const calls = (member: Account, count: number, day = TODAY) => counted(member, { calls: count, day });

async function remove(ledger: Ledger, { organizationId }: Account): Promise<void> {
  const { outcome } = await ledger.organizations.remove(organizationId, by());
  expect(outcome).toBe("removed");
}

onBothLedgers("calls of a deleted organization", (bench) => {
  test("are the owner's for the running month, and no older ones; those of others stay", async () => {
    const { usage } = bench.ledger();
    const both = [await account(bench.ledger(), "a"), await account(bench.ledger(), "b")] as const;
    const rows = both.flatMap((member) => [calls(member, 30), calls(member, 5, TODAY - 30)]);
    await usage.apply("1", rows, NOON);
    await remove(bench.ledger(), both[0]);
    const monthsOf = ({ owner }: Account) =>
      Promise.all([THIS_MONTH, "2026-10"].map((month) => usage.monthCalls(month, owner.id)));
    expect(await Promise.all(both.map(monthsOf))).toEqual([
      [30, 0],
      [30, 5],
    ]);
    // Nor does clean-up: those of a person without an organization go when their month is over.
    expect(await usage.claimMail(both[0].owner.id, THIS_MONTH, 80)).toBe(true);
    expect(await usage.pruneMonths(THIS_MONTH)).toBe(0);
    expect(await usage.claimMail(both[0].owner.id, THIS_MONTH, 80)).toBe(false);
    expect(await usage.pruneMonths("2026-12")).toBe(1);
  });

  test("that are counted by two others while it is deleted are all there, once", async () => {
    const both = [bench.ledger(), await bench.another()] as const;
    const steady = await account(both[0], "steady");
    let member = await account(both[0], "a");
    let expected = 0;
    for (let round = 0; round < 6; round++) {
      const now = member;
      const counting = Array.from({ length: 12 }, (_, nth) => {
        expected += nth + 1;
        const rows = [calls(now, nth + 1), calls(steady, 1)];
        return both[nth % 2]?.usage.apply(`${round} ${nth}`, rows, NOON);
      });
      const removing = (async () => {
        await counting[round * 2];
        await remove(both[1], now);
      })();
      await Promise.all([...counting, removing]);
      member = await provisioned(both[0], now.owner, `again-${round}`);
    }
    for (const { usage } of both) {
      expect(await usage.monthCalls(THIS_MONTH, member.owner.id)).toBe(expected);
      expect(await usage.monthCalls(THIS_MONTH, steady.owner.id)).toBe(72);
    }
  });
});
