/** Notices of other accounts, unsigned, without a known price, or without effect: what billing does not manage is unchanged. */

import { expect, test } from "bun:test";
import { reconcileBilling } from "#accounts/billing/reconcile.ts";
import { by, onSqlite } from "#test/store/ledger/ledgers.ts";
import { END, openWorld, signed } from "./fixture.ts";

onSqlite("notices about other things", (bench) => {
  test("customers of another product belong to no organization", async () => {
    await using world = await openWorld([bench.ledger()]);
    world.listen();
    const buyer = await world.newBuyer();
    await world.stripe.buy({ orgId: "org_elsewhere" });
    await world.stripe.stripe.webhooks.settled();
    expect(new Set(await world.outcomes())).toEqual(new Set(["ignored", "unknown_customer"]));
    expect(await world.accountStatus(buyer)).toEqual({ tier: "free", status: "active" });
    // A payment for what no account can use: one that was closed, for example.
    expect(world.emitted.join()).toContain(
      '"organization":"org_elsewhere","reason":"it does not exist any more"',
    );
  });

  test("a subscription made by hand for an organization is found by its metadata", async () => {
    await using world = await openWorld([bench.ledger()]);
    world.listen();
    const buyer = await world.newBuyer();
    const { customerId } = await world.stripe.buy({ orgId: buyer.orgId, plan: "pro" });
    await world.stripe.stripe.webhooks.settled();
    expect(await world.accountStatus(buyer)).toEqual(END.pro);
    expect(await world.organization(buyer)).toMatchObject({ billingCustomerId: customerId });
    // A second customer with the same metadata changes nothing and is logged.
    await world.stripe.buy({ orgId: buyer.orgId, email: "other@example.com", plan: "basic" });
    await world.stripe.stripe.webhooks.settled();
    expect(await world.accountStatus(buyer)).toEqual(END.pro);
    expect(world.emitted.join()).toContain("has another customer");
  });

  test("a price that no plan has changes nothing until it is listed, and the log names it", async () => {
    await using world = await openWorld([bench.ledger()]);
    world.listen();
    const buyer = await world.newBuyer();
    await world.buy(buyer, { plan: "basic" });
    await world.manage(buyer, "switch:sub:price_sticker");
    expect(await world.accountStatus(buyer)).toEqual({ tier: "basic", status: "active" });
    expect(world.emitted.join()).toContain("price_sticker");
    expect(await world.outcomes()).toContain("open");
    const prices = [
      ...world.stripe.prices,
      { plan: "pro", interval: "monthly", priceId: "price_sticker" },
    ] as const;
    const deps = { ...world.first.deps, billing: world.stripe.open({ prices }) };
    expect(await reconcileBilling(deps)).toMatchObject({ changed: 1, failed: 0 });
    expect(await world.accountStatus(buyer)).toEqual(END.pro);
  });

  test("a plan that the operator gave is not taken by a subscription that ended before", async () => {
    await using world = await openWorld([bench.ledger()]);
    world.listen();
    const buyer = await world.newBuyer();
    await world.buy(buyer);
    await world.manage(buyer, "cancel-now:sub");
    await bench.ledger().organizations.change(buyer.orgId, { tier: "plus", status: "active" }, by());
    for (let nth = 0; nth < world.stripe.stripe.account.events.length; nth++)
      await world.first.notices.receive(...signed(world, nth));
    await reconcileBilling(world.first.deps);
    expect(await world.accountStatus(buyer)).toEqual({ tier: "plus", status: "active" });
    await world.buy(buyer, { plan: "pro" });
    expect(await world.accountStatus(buyer)).toEqual(END.pro);
  });

  test("of two subscriptions of one customer the higher plan counts, and both are logged", async () => {
    await using world = await openWorld([bench.ledger()]);
    world.listen();
    const buyer = await world.newBuyer();
    await world.buy(buyer, { plan: "basic" });
    const { billingCustomerId: customerId } = await world.organization(buyer);
    const { subscriptionId } = await world.stripe.buy({ orgId: buyer.orgId, customerId, plan: "pro" });
    await world.stripe.stripe.webhooks.settled();
    expect(await world.accountStatus(buyer)).toEqual(END.pro);
    expect(world.emitted.join()).toContain(subscriptionId);
  });
});
