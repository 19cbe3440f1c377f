/** The hourly job repairs every lost change, and repeating it changes nothing. */

import { expect, test } from "bun:test";
import {
  comparePrices,
  RECONCILED_MARK,
  reconcileBilling,
  reconcileIfDue,
} from "#accounts/billing/reconcile.ts";
import { noBilling } from "#gateways/billing/stripe.ts";
import { unreachable } from "#test/accounts/account/fixture.ts";
import { DAY } from "#test/gateways/billing/fixture.ts";
import { onSqlite } from "#test/store/ledger/ledgers.ts";
import { Refusal } from "#test/support/stripe/stripe.ts";
import { openWorld } from "./fixture.ts";

onSqlite("reconciling", (bench) => {
  test("a purchase without a notice is found, published to the key caches, and logged in one line", async () => {
    await using world = await openWorld([bench.ledger()]);
    await world.buy({ plan: "pro" });
    expect(await world.accountStatus()).toEqual({ tier: "free", status: "active" });
    const found = { notices: 0, customers: 1, changed: 1, failed: 0 };
    expect(await reconcileBilling(world.first.deps)).toEqual(found);
    expect(await world.accountStatus()).toEqual({ tier: "pro", status: "active" });
    expect(world.forgotten).toEqual([world.buyer.orgId]);
    expect(world.emitted).toEqual([JSON.stringify({ kind: "billing_reconciled", ...found })]);
  });

  test("a notice that was taken while the provider was away is applied without being sent again", async () => {
    await using world = await openWorld([bench.ledger()]);
    await world.buy({ plan: "pro" });
    await reconcileBilling(world.first.deps);
    await world.manage("switch:sub:price_basic_monthly");
    world.listen();
    world.stripe.stripe.outage({ kind: "error" });
    const { account, webhooks } = world.stripe.stripe;
    const updated = account.events.filter(({ type }) => type.startsWith("customer.subscription."));
    for (const event of updated) await webhooks.deliver(event);
    expect(await world.outcomes()).toContain("open");
    world.stripe.stripe.recover();
    expect(await reconcileBilling(world.first.deps)).toMatchObject({ notices: 2, changed: 1 });
    expect(await world.accountStatus()).toEqual({ tier: "basic", status: "active" });
    expect(await world.outcomes()).not.toContain("open");
  });

  test("two replicas at once end alike", async () => {
    await using world = await openWorld([bench.ledger(), await bench.another()]);
    const buyers = await Promise.all(Array.from({ length: 6 }, () => world.newBuyer()));
    for (const buyer of buyers) await world.buy({ plan: "pro" }, buyer);
    const runs = await Promise.all(world.replicas.map(({ deps }) => reconcileBilling(deps)));
    expect(runs.map(({ failed }) => failed)).toEqual([0, 0]);
    for (const buyer of buyers)
      expect(await world.accountStatus(buyer)).toEqual({ tier: "pro", status: "active" });
    expect(new Set(world.forgotten)).toEqual(new Set(buyers.map(({ orgId }) => orgId)));
  });

  test("the provider away: it rejects, and the next run continues from the last good one", async () => {
    await using world = await openWorld([bench.ledger()]);
    await reconcileBilling(world.first.deps);
    await world.buy({ plan: "pro" });
    world.stripe.stripe.outage({ kind: "error" });
    for (let day = 0; day < 3; day++) {
      await world.later(DAY);
      await expect(reconcileBilling(world.first.deps)).rejects.toMatchObject({ kind: "unavailable" });
    }
    world.stripe.stripe.outage({ kind: "error", path: "/v1/subscriptions" });
    await expect(reconcileBilling(world.first.deps)).rejects.toMatchObject({ kind: "unavailable" });
    world.stripe.stripe.recover();
    expect(await reconcileBilling(world.first.deps)).toMatchObject({ changed: 1, failed: 0 });
    expect(await world.accountStatus()).toEqual({ tier: "pro", status: "active" });
  });

  test("the ledger away: it rejects and has changed nothing", async () => {
    await using world = await openWorld([bench.ledger()]);
    await world.buy({ plan: "pro" });
    const { organizations } = bench.ledger();
    const { byBillingCustomer } = unreachable(organizations);
    const ledger = { ...bench.ledger(), organizations: { ...organizations, byBillingCustomer } };
    await expect(reconcileBilling({ ...world.first.deps, ledger })).rejects.toMatchObject({
      name: "LedgerUnavailable",
    });
    expect(await world.accountStatus()).toEqual({ tier: "free", status: "active" });
    expect(await reconcileBilling(world.first.deps)).toMatchObject({ changed: 1 });
  });

  test("one customer that cannot be read does not keep the others from it", async () => {
    await using world = await openWorld([bench.ledger()]);
    const [ada, bob] = [await world.newBuyer(), await world.newBuyer()];
    for (const buyer of [ada, bob]) await world.buy({ plan: "basic" }, buyer);
    await world.manage("switch:sub:price_sticker", ada);
    await world.manage("switch:sub:price_pro_monthly", bob);
    expect(await reconcileBilling(world.first.deps)).toMatchObject({ customers: 1, changed: 1, failed: 1 });
    expect(await world.accountStatus(bob)).toEqual({ tier: "pro", status: "active" });
    expect(world.emitted.join()).toContain("price_sticker");
    await world.manage("switch:sub:price_pro_monthly", ada);
    expect(await reconcileBilling(world.first.deps)).toMatchObject({ changed: 1, failed: 0 });
    expect(await world.accountStatus(ada)).toEqual({ tier: "pro", status: "active" });
  });

  test("one customer for whom Stripe gives no answer does not keep the others from it, and the run is not complete", async () => {
    await using world = await openWorld([bench.ledger()]);
    await reconcileBilling(world.first.deps);
    const buyers = await Promise.all(Array.from({ length: 6 }, () => world.newBuyer()));
    for (const buyer of buyers) await world.buy({ plan: "pro" }, buyer);
    await world.later(DAY);
    const organizations = await Promise.all(buyers.map(world.organization));
    const first = organizations.toSorted((a, b) => (a.id < b.id ? -1 : 1))[0];
    world.stripe.stripe.before(async (line, parameters) => {
      if (line === "GET /v1/subscriptions" && parameters.get("customer") === first?.billingCustomerId)
        throw new Refusal(500, "An unknown error occurred.", { type: "api_error" });
    });
    const mark = await bench.ledger().installation.read(RECONCILED_MARK);
    await expect(reconcileBilling(world.first.deps)).rejects.toMatchObject({ kind: "unavailable" });
    for (const buyer of buyers)
      expect(await world.accountStatus(buyer)).toMatchObject({
        tier: buyer.orgId === first?.id ? "free" : "pro",
      });
    expect(await bench.ledger().installation.read(RECONCILED_MARK)).toBe(mark);
  });

  test("with the secret key of another account no organization loses a plan", async () => {
    await using world = await openWorld([bench.ledger()]);
    await using other = await openWorld([bench.ledger()]);
    world.listen();
    await world.buy({ plan: "pro" });
    const deps = { ...world.first.deps, billing: other.stripe.billing };
    expect(await reconcileBilling(deps)).toMatchObject({ changed: 0, failed: 1 });
    expect(await world.accountStatus()).toEqual({ tier: "pro", status: "active" });
    expect(world.emitted.join()).toContain("another account");
  });

  test("where another price is charged than the table says the log names both", async () => {
    await using world = await openWorld([bench.ledger()]);
    const { deps } = world.first;
    await comparePrices(deps);
    expect(world.emitted).toEqual([]);
    const offers = [{ interval: "monthly", price_usd: 12 }] as const;
    await comparePrices({ ...deps, plans: { ...deps.plans, basic: { ...deps.plans.basic, offers } } });
    expect(world.emitted).toEqual([expect.stringMatching(/billing_price_differs.*10\.00 USD.*12\.00 USD/)]);
  });

  test("a start runs it when the last complete run is an hour old, and not before", async () => {
    await using world = await openWorld([bench.ledger()]);
    await reconcileBilling(world.first.deps);
    await world.buy({ plan: "pro" });
    await world.later(3_599_999);
    await reconcileIfDue(world.first.deps);
    expect(await world.accountStatus()).toMatchObject({ tier: "free" });
    await world.later(1);
    await reconcileIfDue(world.first.deps);
    expect(await world.accountStatus()).toMatchObject({ tier: "pro" });
    await world.manage("cancel-now:sub");
    // That run was by a clock a week ahead.
    await world.later(-7 * 24 * 3_600_000);
    await reconcileIfDue(world.first.deps);
    expect(await world.accountStatus()).toMatchObject({ tier: "free" });
  });

  test("without a provider there is nothing to do", async () => {
    await using world = await openWorld([bench.ledger()], { billing: () => noBilling() });
    const nothing = { notices: 0, customers: 0, changed: 0, failed: 0 };
    expect(await reconcileBilling(world.first.deps)).toEqual(nothing);
    expect(world.emitted).toEqual([]);
  });
});
