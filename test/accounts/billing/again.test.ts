/** Buying the same plan again within the hour, after the customer of the first purchase was deleted at the provider. */

import { expect, test } from "bun:test";
import { onBothLedgers } from "#test/store/ledger/ledgers.ts";
import { openWorld } from "./fixture.ts";

onBothLedgers("bought again", (bench) => {
  test("the same plan within the hour is a page of its own, not the one that is used up", async () => {
    await using world = await openWorld([bench.ledger()]);
    world.listen();
    const buyer = await world.newBuyer();
    await world.buy(buyer, { plan: "pro" });
    const { base, secretKey, webhooks } = world.stripe.stripe;
    const { billingCustomerId: first } = await world.organization(buyer);
    const headers = { authorization: `Bearer ${secretKey}` };
    await fetch(`${base}/v1/customers/${first}`, { method: "DELETE", headers });
    await webhooks.settled();
    expect(await world.accountStatus(buyer)).toEqual({ tier: "free", status: "canceled" });
    await world.buy(buyer, { plan: "pro" });
    expect(await world.accountStatus(buyer)).toEqual({ tier: "pro", status: "active" });
    expect((await world.organization(buyer)).billingCustomerId).not.toBe(first);
  });
});
