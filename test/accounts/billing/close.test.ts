/** DELETE /v1/account after a purchase made here: the subscription ends first, or nothing does; later notices find no account. */

import { expect, test } from "bun:test";
import { reconcileBilling } from "#accounts/billing/reconcile.ts";
import { closeAccount } from "#test/accounts/account/bodies.ts";
import { accountFixture } from "#test/accounts/account/fixture.ts";
import { onSqlite } from "#test/store/ledger/ledgers.ts";
import { type Buyer, openWorld, type World } from "./fixture.ts";

onSqlite("closing an account that pays", (bench) => {
  const close = async (world: World, buyer: Buyer) => {
    const fixture = await accountFixture(bench.ledger(), world.stripe.now(), {
      billing: world.stripe.billing,
    });
    const by = { at: world.stripe.now(), actor: `identity:${buyer.ownerId}` } as const;
    return await closeAccount(fixture, buyer.ownerId, by);
  };
  const statusesOf = (world: World) =>
    [...world.stripe.stripe.account.subscriptions.values()].map(({ status }) => status);

  test("the subscription is cancelled, and its notice finds no account", async () => {
    await using world = await openWorld([bench.ledger()]);
    world.listen();
    const buyer = await world.newBuyer();
    await world.buy(buyer, { plan: "pro" });
    const { webhooks, account } = world.stripe.stripe;
    webhooks.endpoint(null);
    expect(await close(world, buyer)).toEqual({
      result: "success",
      deleted: true,
      org_id: buyer.orgId,
      subscription_cancelled: true,
    });
    world.listen();
    const [event] = account.events.slice(-1);
    expect(event && (await webhooks.deliver(event))).toBe(200);
    expect(statusesOf(world)).toEqual(["canceled"]);
    expect((await world.outcomes()).at(-1)).toBe("unknown_customer");
    expect(await reconcileBilling(world.first.deps)).toMatchObject({ notices: 0, failed: 0 });
    // Events outlive the account.
    expect(await world.outcomes()).toContain("applied");
  });

  test("a page that is paid after the account was closed is logged", async () => {
    await using world = await openWorld([bench.ledger()]);
    const buyer = await world.newBuyer();
    const page = await world.stripe.billing.checkout(world.stripe.order({ orgId: buyer.orgId }));
    await close(world, buyer);
    world.listen();
    await world.stripe.press(page.url, "pay");
    await world.stripe.stripe.webhooks.settled();
    expect(world.emitted.join()).toContain(
      `"organization":"${buyer.orgId}","reason":"it does not exist any more"`,
    );
  });
});
