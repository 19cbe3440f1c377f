/** Calls of the running month outlive their organization: as a number of the identity's, whatever is deleted and counted at once. */

import { expect, test } from "bun:test";
import { dayAt } from "#domain/time/day.ts";
import type { Ledger } from "#ports/ledger.ts";
import {
  type Account,
  account,
  by,
  counted,
  madeKey,
  NOON,
  onBothLedgers,
} from "#test/store/ledger/ledgers.ts";

/** 2026-11-20. */
const TODAY = dayAt(NOON);
const [THIS_MONTH, LAST_MONTH] = ["2026-11", "2026-10"];

const calls = (member: Account, count: number, day = TODAY) => counted(member, { calls: count, day });

async function remove(ledger: Ledger, { organizationId }: Account): Promise<void> {
  const { outcome } = await ledger.organizations.remove(organizationId, by());
  expect(outcome).toBe("removed");
}

let keys = 0;
async function again(ledger: Ledger, { owner }: Account): Promise<Account> {
  keys += 1;
  const name = `again-${keys}`;
  const wanted = { ownerId: owner.id, attribution: null, marketingConsent: false };
  const made = await ledger.organizations.provision({ ...wanted, makeKey: async () => madeKey(name) }, by());
  return { owner, organizationId: made?.organization.id ?? "" };
}

onBothLedgers("calls of a deleted organization", (bench) => {
  test("are the identity's for the running month, and nothing else of its usage is left", async () => {
    const ledger = bench.ledger();
    const [one, other] = [await account(ledger, "a"), await account(ledger, "b")];
    await ledger.usage.apply("1", [calls(one, 30), calls(one, 5, TODAY - 30), calls(other, 2)], NOON);
    await remove(ledger, one);
    const owners = await bench.sql("SELECT identity_id, month FROM usage_monthly ORDER BY identity_id");
    expect(owners).toEqual([one, other].map(({ owner }) => ({ identity_id: owner.id, month: THIS_MONTH })));
    expect(await ledger.usage.monthCalls(THIS_MONTH, one.owner.id)).toBe(30);
    expect(await ledger.usage.monthCalls(LAST_MONTH, one.owner.id)).toBe(0);
    expect(await ledger.usage.monthCalls(THIS_MONTH, other.owner.id)).toBe(2);
  });

  test("add up over many organizations of one person, with what is written after each deletion", async () => {
    const ledger = bench.ledger();
    let member = await account(ledger, "a");
    for (let round = 1; round <= 5; round++) {
      await ledger.usage.apply(`before ${round}`, [calls(member, 10)], NOON);
      await remove(ledger, member);
      const late = [calls(member, 1), calls(member, 2, TODAY - 1)];
      expect(await ledger.usage.apply(`after ${round}`, late, NOON)).toBe(true);
      expect(await ledger.usage.apply(`after ${round}`, late, NOON)).toBe(false);
      member = await again(ledger, member);
      expect(await ledger.usage.monthCalls(THIS_MONTH, member.owner.id)).toBe(13 * round);
    }
    await ledger.usage.apply("now", [calls(member, 4)], NOON);
    expect(await ledger.usage.monthCalls(THIS_MONTH, member.owner.id)).toBe(69);
    expect(await ledger.usage.days(member.organizationId, TODAY - 5, TODAY)).toEqual([
      { day: TODAY, served: 1, rateLimited: 0, quotaExceeded: 0 },
    ]);
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
      member = await again(both[0], now);
    }
    for (const { usage } of both) {
      expect(await usage.monthCalls(THIS_MONTH, member.owner.id)).toBe(expected);
      expect(await usage.monthCalls(THIS_MONTH, steady.owner.id)).toBe(72);
    }
  });

  test("are dropped when their month is over, and no earlier", async () => {
    const ledger = bench.ledger();
    const one = await account(ledger, "a");
    const other = await account(ledger, "b");
    await ledger.usage.apply("1", [calls(one, 3), calls(other, 2)], NOON);
    await ledger.usage.claimMail(other.owner.id, THIS_MONTH, 80);
    await remove(ledger, one);
    expect(await ledger.usage.pruneMonths(THIS_MONTH)).toBe(0);
    expect(await ledger.usage.pruneMonths("2026-12")).toBe(1);
    expect(await ledger.usage.monthCalls(THIS_MONTH, other.owner.id)).toBe(2);
    expect(await bench.sql("SELECT * FROM quota_mails")).toEqual([]);
  });
});
