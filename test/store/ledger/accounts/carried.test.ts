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
const THIS_MONTH = "2026-11";

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
});
