/** The lifecycle of a subscription, from the first page to the end, by nothing but the provider's own notices over HTTP. */

import { expect, test } from "bun:test";
import { DAY } from "#test/gateways/billing/fixture.ts";
import { onSqlite } from "#test/store/ledger/ledgers.ts";
import { openWorld } from "./fixture.ts";

onSqlite("the lifecycle of a subscription", (bench) => {
  test("bought as basic, upgraded to pro, cancelled at the end of the period, kept until then, bought again", async () => {
    await using world = await openWorld([bench.ledger()]);
    world.listen();
    const buyer = await world.newBuyer();
    expect(await world.accountStatus(buyer)).toEqual({ tier: "free", status: "active" });
    await world.buy(buyer, { plan: "basic" });
    expect(await world.accountStatus(buyer)).toEqual({ tier: "basic", status: "active" });
    await world.manage(buyer, "switch:sub:price_pro_monthly");
    expect(await world.accountStatus(buyer)).toEqual({ tier: "pro", status: "active" });

    await world.manage(buyer, "cancel-later:sub");
    await world.later(20 * DAY);
    expect(await world.accountStatus(buyer)).toEqual({ tier: "pro", status: "active" });
    await world.later(11 * DAY);
    expect(await world.accountStatus(buyer)).toEqual({ tier: "free", status: "canceled" });
    expect(await world.organization(buyer)).toMatchObject({ billingSubscriptionId: null, tier: "free" });

    await world.buy(buyer, { plan: "pro", interval: "yearly" });
    expect(await world.accountStatus(buyer)).toEqual({ tier: "pro", status: "active" });
    expect(world.stripe.stripe.account.customers.size).toBe(1);
  });

  test("a payment that fails leaves the plan for seven days, then it is free, and a payment brings it back", async () => {
    await using world = await openWorld([bench.ledger()]);
    world.listen();
    const buyer = await world.newBuyer();
    await world.buy(buyer, { plan: "pro" });
    await world.manage(buyer, "card-bad");
    await world.later(30 * DAY);
    expect(await world.accountStatus(buyer)).toEqual({ tier: "pro", status: "past_due" });
    await world.later(7 * DAY - 1);
    expect(await world.accountStatus(buyer)).toEqual({ tier: "pro", status: "past_due" });
    await world.later(1);
    expect(await world.accountStatus(buyer)).toEqual({ tier: "free", status: "past_due" });

    await world.manage(buyer, "card-good:sub");
    expect(await world.accountStatus(buyer)).toEqual({ tier: "pro", status: "active" });
    expect(await world.organization(buyer)).toMatchObject({ pastDueSince: null });
    // The next missing payment has a grace of its own.
    await world.manage(buyer, "card-bad");
    await world.later(30 * DAY);
    expect(await world.accountStatus(buyer)).toEqual({ tier: "pro", status: "past_due" });
  });

  test("cancelled at once, and a customer deleted at the provider: free at once, and both can buy again", async () => {
    await using world = await openWorld([bench.ledger()]);
    world.listen();
    const [ada, bob] = [await world.newBuyer(), await world.newBuyer()];
    for (const buyer of [ada, bob]) await world.buy(buyer, { plan: "pro" });
    await world.manage(ada, "cancel-now:sub");
    const { stripe, organization } = world;
    const { billingCustomerId } = await organization(bob);
    await fetch(`${stripe.stripe.base}/v1/customers/${billingCustomerId}`, {
      method: "DELETE",
      headers: { authorization: `Bearer ${stripe.stripe.secretKey}` },
    });
    await stripe.stripe.webhooks.settled();
    for (const buyer of [ada, bob]) {
      expect(await world.accountStatus(buyer)).toEqual({ tier: "free", status: "canceled" });
      // The same plan within the hour is a page of its own, not the one that is used up.
      await world.buy(buyer, { plan: "pro" });
      expect(await world.accountStatus(buyer)).toEqual({ tier: "pro", status: "active" });
    }
    expect((await organization(bob)).billingCustomerId).not.toBe(billingCustomerId);
  });

  test("every change of plan is published to the key caches and is in the audit log", async () => {
    await using world = await openWorld([bench.ledger()]);
    world.listen();
    const buyer = await world.newBuyer();
    await world.buy(buyer);
    // Three notices come of a purchase, and one of them changes something.
    expect(world.changedKeys).toEqual([buyer.keyId]);
    await world.manage(buyer, "switch:sub:price_pro_monthly");
    await world.manage(buyer, "cancel-later:sub");
    expect(world.changedKeys).toEqual([buyer.keyId, buyer.keyId]);
    await world.manage(buyer, "cancel-now:sub");
    expect(world.changedKeys).toHaveLength(3);
    const entries = await bench.ledger().audit.list({ subject: `organization:${buyer.orgId}` }, 20);
    const changes = entries.filter(
      ({ actor, action }) => actor === "billing" && action === "organization.changed",
    );
    expect(changes.map(({ detail }) => [detail["tierBefore"], detail["tier"]]).reverse()).toEqual([
      ["free", "basic"],
      ["basic", "pro"],
      ["pro", "free"],
    ]);
    expect(await world.outcomes()).not.toContain("open");
  });
});
