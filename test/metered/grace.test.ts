/** The end of the grace of a missing payment takes effect to the millisecond, though keys are cached for seconds. */

import { expect, test } from "bun:test";
import { bearer, join, limitsIn } from "./client.ts";
import { NOON } from "./history.ts";
import { fixedClock, openReplica } from "./replica.ts";

const DAY = 86_400_000;

test("seven days after a payment went missing the next call has the limits of the free plan, and the account says so too", async () => {
  const clock = fixedClock();
  const replica = await openReplica({ clock });
  const { key, token, organizationId } = await join(replica.url);
  const missing = { tier: "basic", status: "past_due", pastDueSince: NOON - 7 * DAY + 1000 } as const;
  const by = { at: NOON, actor: "system" } as const;
  await replica.crossrate.accounts?.ledger.organizations.change(organizationId, missing, by);
  const now = async () => {
    const called = await fetch(`${replica.url}/v1/latest?symbols=USD`, { headers: bearer(key) });
    const account = await fetch(`${replica.url}/v1/account`, { headers: bearer(token) });
    return [limitsIn(called)?.limit, (await account.json()).org.tier];
  };
  clock.at = NOON + 999;
  expect(await now()).toEqual([120, "basic"]);
  clock.at = NOON + 1000;
  expect(await now()).toEqual([12, "free"]);
});
