/**
 * Notices lost, to two replicas at once, of other things, and while the provider or the ledger is out of order: the plan is what the
 * provider has. Twice and in any order: test/model.
 */

import { expect, test } from "bun:test";
import { openBillingNotices } from "#accounts/billing/notice.ts";
import { reconcileBilling } from "#accounts/billing/reconcile.ts";
import type { Ledger } from "#ports/ledger.ts";
import { unreachable } from "#test/accounts/account/fixture.ts";
import { by, onBothLedgers, onSqlite } from "#test/store/ledger/ledgers.ts";
import { openWorld, PRO, signed } from "./fixture.ts";

onSqlite("notices", (bench) => {
  test("all but one lost, the one that arrives suffices, and the job changes nothing", async () => {
    await using world = await openWorld([bench.ledger()]);
    await world.buy({ plan: "basic" });
    await world.manage("switch:sub:price_pro_monthly");
    world.listen();
    const { webhooks, account } = world.stripe.stripe;
    const [created] = account.events.filter(({ type }) => type === "customer.subscription.created");
    if (created !== undefined) await webhooks.deliver(created);
    expect(await world.accountStatus()).toEqual(PRO);
    expect(await reconcileBilling(world.first.deps)).toMatchObject({ changed: 0, failed: 0 });
  });

  test("customers of another product belong to no organization", async () => {
    await using world = await openWorld([bench.ledger()]);
    world.listen();
    await world.stripe.buy({ orgId: "org_elsewhere" });
    await world.stripe.stripe.webhooks.settled();
    expect(new Set(await world.outcomes())).toEqual(new Set(["ignored", "unknown_customer"]));
    expect(await world.accountStatus()).toEqual({ tier: "free", status: "active" });
    // A payment for what no account can use: one that was closed, for example.
    expect(world.emitted.join()).toContain(
      '"organization":"org_elsewhere","reason":"it does not exist any more"',
    );
  });

  test("what is not signed is refused and not stored; of a row of them the log has one line", async () => {
    await using world = await openWorld([bench.ledger()]);
    await world.buy();
    const [body, header] = signed(world);
    const { receive } = world.first.notices;
    const refusals = async () => {
      for (const wrong of [null, "", header.replace(/v1=.*/, `v1=${"0".repeat(64)}`), `${header}0`])
        await expect(receive(body, wrong)).rejects.toMatchObject({ code: "invalid_request", status: 400 });
    };
    await refusals();
    expect(await world.outcomes()).toEqual([]);
    await receive(body, header);
    await refusals();
    expect(world.emitted).toEqual(Array(2).fill(expect.stringContaining("billing_event_refused")));
  });

  test("whose customer was deleted at the provider buys the same plan again within the hour", async () => {
    await using world = await openWorld([bench.ledger()]);
    world.listen();
    await world.buy({ plan: "pro" });
    const { base, secretKey, webhooks } = world.stripe.stripe;
    const { billingCustomerId: first } = await world.organization();
    const headers = { authorization: `Bearer ${secretKey}` };
    await fetch(`${base}/v1/customers/${first}`, { method: "DELETE", headers });
    await webhooks.settled();
    expect(await world.accountStatus()).toEqual({ tier: "free", status: "canceled" });
    await world.buy({ plan: "pro" });
    expect(await world.accountStatus()).toEqual(PRO);
  });

  test("a subscription made by hand for an organization is found by its metadata", async () => {
    await using world = await openWorld([bench.ledger()]);
    world.listen();
    const { customerId } = await world.stripe.buy({ orgId: world.buyer.orgId, plan: "pro" });
    await world.stripe.stripe.webhooks.settled();
    expect(await world.accountStatus()).toEqual(PRO);
    expect(await world.organization()).toMatchObject({ billingCustomerId: customerId });
    // A second customer with the same metadata changes nothing and is logged.
    await world.stripe.buy({ orgId: world.buyer.orgId, email: "other@example.com", plan: "basic" });
    await world.stripe.stripe.webhooks.settled();
    expect(await world.accountStatus()).toEqual(PRO);
    expect(world.emitted.join()).toContain("has another customer");
  });

  test("a price that no plan has changes nothing until it is listed, and the log names it", async () => {
    await using world = await openWorld([bench.ledger()]);
    world.listen();
    await world.buy({ plan: "basic" });
    await world.manage("switch:sub:price_sticker");
    expect(await world.accountStatus()).toEqual({ tier: "basic", status: "active" });
    expect(world.emitted.join()).toContain("price_sticker");
    expect(await world.outcomes()).toContain("open");
    const prices = [
      ...world.stripe.prices,
      { plan: "pro", interval: "monthly", priceId: "price_sticker" },
    ] as const;
    const deps = { ...world.first.deps, billing: world.stripe.open({ prices }) };
    expect(await reconcileBilling(deps)).toMatchObject({ changed: 1, failed: 0 });
    expect(await world.accountStatus()).toEqual(PRO);
  });

  test("a plan that the operator gave is not taken by a subscription that ended before", async () => {
    await using world = await openWorld([bench.ledger()]);
    world.listen();
    await world.buy({ plan: "pro" });
    await world.manage("cancel-now:sub");
    await bench.ledger().organizations.change(world.buyer.orgId, { tier: "plus", status: "active" }, by());
    for (let nth = 0; nth < world.stripe.stripe.account.events.length; nth++)
      await world.first.notices.receive(...signed(world, nth));
    await reconcileBilling(world.first.deps);
    expect(await world.accountStatus()).toEqual({ tier: "plus", status: "active" });
    await world.buy({ plan: "pro" });
    expect(await world.accountStatus()).toEqual(PRO);
  });

  test("of two subscriptions of one customer the higher plan counts, and both are logged", async () => {
    await using world = await openWorld([bench.ledger()]);
    world.listen();
    await world.buy({ plan: "basic" });
    const { billingCustomerId: customerId } = await world.organization();
    const { subscriptionId } = await world.stripe.buy({ orgId: world.buyer.orgId, customerId, plan: "pro" });
    await world.stripe.stripe.webhooks.settled();
    expect(await world.accountStatus()).toEqual(PRO);
    expect(world.emitted.join()).toContain(subscriptionId);
  });
});

onSqlite("notices with something out of order", (bench) => {
  const broken: [string, (ledger: Ledger) => Partial<Ledger>][] = [
    ["events", ({ billingEvents }) => ({ billingEvents: unreachable(billingEvents) })],
    ["organizations", ({ organizations }) => ({ organizations: unreachable(organizations) })],
    [
      "settling",
      ({ billingEvents }) => ({
        billingEvents: { ...billingEvents, settle: unreachable(billingEvents).settle },
      }),
    ],
  ];
  test.each(broken)(
    "the ledger's %s: service_unavailable, and afterwards it is applied",
    async (_, breaking) => {
      await using world = await openWorld([bench.ledger()]);
      await world.buy({ plan: "pro" });
      const ledger = { ...bench.ledger(), ...breaking(bench.ledger()) };
      const lost = openBillingNotices({ ...world.first.deps, ledger });
      await expect(lost.receive(...signed(world))).rejects.toMatchObject({ code: "service_unavailable" });
      expect(await world.accountStatus()).toEqual({ tier: "free", status: "active" });
      expect(await world.first.notices.receive(...signed(world))).toBe("applied");
      expect(await world.accountStatus()).toEqual(PRO);
    },
  );

  test("the lookup of keys to notify: the plan is in force all the same", async () => {
    await using world = await openWorld([bench.ledger()]);
    await world.buy({ plan: "pro" });
    const ledger = { ...bench.ledger(), keys: unreachable(bench.ledger().keys) };
    expect(await openBillingNotices({ ...world.first.deps, ledger }).receive(...signed(world))).toBe(
      "applied",
    );
    expect(await world.accountStatus()).toEqual(PRO);
  });

  test("a suspension during a slow call of the provider stays in force", async () => {
    const ledger = bench.ledger();
    let orgId = "";
    await using world = await openWorld([ledger], {
      billing: ({ billing }) => ({
        ...billing,
        subscriptionsOf: async (id) => {
          const read = await billing.subscriptionsOf(id);
          if (orgId !== "") await ledger.organizations.change(orgId, { status: "suspended" }, by());
          return read;
        },
      }),
    });
    await world.buy({ plan: "pro" });
    orgId = world.buyer.orgId;
    expect(await world.first.notices.receive(...signed(world))).toBe("applied");
    expect(await world.accountStatus()).toEqual({ tier: "pro", status: "suspended" });
  });
});

onBothLedgers("notices at two replicas", (bench) => {
  test("the same notice at once at two replicas, ten times, is applied once", async () => {
    await using world = await openWorld([bench.ledger(), await bench.another()]);
    await world.buy({ plan: "pro" });
    const [body, header] = signed(world);
    const outcomes = await Promise.all(
      Array.from({ length: 10 }, (_, nth) => world.replicas[nth % 2]?.notices.receive(body, header)),
    );
    expect(outcomes.filter((outcome) => outcome === "applied")).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === "duplicate")).toHaveLength(9);
    expect(await world.accountStatus()).toEqual(PRO);
    expect(world.forgotten).toEqual([world.buyer.orgId]);
    const entries = await bench.ledger().audit.list({ subject: `organization:${world.buyer.orgId}` }, 20);
    expect(entries.filter(({ detail }) => detail["tier"] === "pro")).toHaveLength(1);
  });

  test.each([
    ["ends", "applied"],
    ["dies with its next reading", "died"],
  ])("an older reading is not written over a newer one by a slow replica that %s", async (_, outcome) => {
    const gate = Promise.withResolvers<void>();
    const requested = Promise.withResolvers<void>();
    await using world = await openWorld([bench.ledger(), await bench.another()]);
    await world.buy({ plan: "basic" });
    const [slow, fast] = world.replicas;
    if (slow === undefined || fast === undefined) throw new Error("two replicas");
    const { billing } = world.stripe;
    let readings = 0;
    const stalled = {
      ...slow.deps,
      billing: {
        ...billing,
        subscriptionsOf: async (id: string) => {
          const read = await billing.subscriptionsOf(id);
          readings += 1;
          requested.resolve();
          await gate.promise;
          if (outcome === "died" && readings > 1) throw new Error("died");
          return read;
        },
      },
    };
    const first = openBillingNotices(stalled).receive(...signed(world));
    await requested.promise;
    await world.manage("switch:sub:price_pro_monthly");
    expect(await fast.notices.receive(...signed(world))).toBe("applied");
    expect(await world.accountStatus()).toEqual(PRO);
    gate.resolve();
    expect(await first.catch(({ message }: Error) => message)).toBe(outcome);
    expect(await world.accountStatus()).toEqual(PRO);
  });
});
