/** Notices twice, in any order, to two replicas at once, and while something is out of order: the plan is what the provider has. */

import { expect, test } from "bun:test";
import { openBillingNotices } from "#accounts/billing-notice.ts";
import { reconcileBilling } from "#accounts/reconcile-billing.ts";
import { signatureOf } from "#demo/stripe/webhooks.ts";
import type { Ledger } from "#ports/ledger.ts";
import { unreachable } from "#test/accounts/account/rig.ts";
import { DAY, SECRET } from "#test/gateways/billing/rig.ts";
import { seededRandom } from "#test/seeded-random.ts";
import { by, onBothLedgers } from "#test/store/ledger/ledgers.ts";
import { onSqlite } from "./on-sqlite.ts";
import { openWorld, type World } from "./rig.ts";

/** Buys basic, goes up, down and up again; or then cancels. Notices wait meanwhile. */
async function story(world: World, ending: "pro" | "cancelled") {
  const buyer = await world.newBuyer();
  world.listen();
  world.stripe.stripe.webhooks.hold();
  await world.buy(buyer, { plan: "basic" });
  for (const plan of ["pro", "basic", "pro"]) {
    await world.later(DAY);
    await world.manage(buyer, `switch:sub:price_${plan}_monthly`);
  }
  if (ending === "cancelled") await world.manage(buyer, "cancel-now:sub");
  return buyer;
}

const END = {
  pro: { tier: "pro", status: "active" },
  cancelled: { tier: "free", status: "canceled" },
} as const;

/** What the provider would send of its events, as bytes. */
function signed(world: World, nth = -1): readonly [Uint8Array, string] {
  const event = world.stripe.stripe.account.events.at(nth);
  const body = JSON.stringify(event);
  const header = signatureOf(body, [SECRET], Math.floor(world.stripe.now() / 1000));
  return [new TextEncoder().encode(body), header];
}

onBothLedgers("notices", (bench) => {
  test.each([
    ["pro", 1],
    ["pro", 2],
    ["cancelled", 3],
    ["cancelled", 4],
  ] as const)("in disorder and up to three times they end in %s (seed %i)", async (ending, seed) => {
    await using world = await openWorld([bench.ledger()]);
    const buyer = await story(world, ending);
    const random = seededRandom(seed);
    const statuses = await world.stripe.stripe.webhooks.release({
      order: (events) => events.toSorted(() => random() - 0.5),
      copies: () => 1 + Math.floor(random() * 3),
    });
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(await world.standing(buyer)).toEqual(END[ending]);
    expect(await world.outcomes()).not.toContain("open");
  });

  test("most of them lost, the one that arrives suffices, and the job takes the others", async () => {
    await using world = await openWorld([bench.ledger()]);
    const buyer = await story(world, "pro");
    await world.stripe.stripe.webhooks.release({
      copies: ({ type }) => (type === "customer.subscription.created" ? 1 : 0),
    });
    expect(await world.standing(buyer)).toEqual(END.pro);
    const missed = (await world.stripe.billing.listChanged(0)).events.length - 1;
    expect(await reconcileBilling(world.first.deps)).toMatchObject({
      notices: missed,
      changed: 0,
      failed: 0,
    });
    expect(await reconcileBilling(world.first.deps)).toMatchObject({ notices: 0, changed: 0 });
  });

  test("the same notice at once at two replicas, ten times, is applied once", async () => {
    await using world = await openWorld([bench.ledger(), await bench.another()]);
    const buyer = await world.newBuyer();
    await world.buy(buyer, { plan: "pro" });
    const [body, header] = signed(world);
    const outcomes = await Promise.all(
      Array.from({ length: 10 }, (_, nth) => world.replicas[nth % 2]?.notices.receive(body, header)),
    );
    expect(outcomes.filter((outcome) => outcome === "applied")).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === "duplicate")).toHaveLength(9);
    expect(await world.standing(buyer)).toEqual(END.pro);
    expect(world.felt).toEqual([buyer.keyId]);
    const entries = await bench.ledger().audit.list({ subject: `organization:${buyer.orgId}` }, 20);
    expect(entries.filter(({ detail }) => detail["tier"] === "pro")).toHaveLength(1);
  });

  test("an older reading is never written over a newer one, however slow the replica that made it", async () => {
    const gate = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    await using world = await openWorld([bench.ledger(), await bench.another()]);
    const buyer = await world.newBuyer();
    await world.buy(buyer, { plan: "basic" });
    const [slow, fast] = world.replicas;
    if (slow === undefined || fast === undefined) throw new Error("two replicas");
    const { billing } = world.stripe;
    const stalled = {
      ...slow.deps,
      billing: {
        ...billing,
        subscriptionsOf: async (id: string) => {
          const read = await billing.subscriptionsOf(id);
          asked.resolve();
          await gate.promise;
          return read;
        },
      },
    };
    const first = openBillingNotices(stalled).receive(...signed(world));
    await asked.promise;
    await world.manage(buyer, "switch:sub:price_pro_monthly");
    const second = fast.notices.receive(...signed(world));
    gate.resolve();
    expect(await Promise.all([first, second])).toEqual(["applied", "applied"]);
    expect(await world.standing(buyer)).toEqual(END.pro);
  });
});

onSqlite("notices with something out of order", (bench) => {
  test.each(["error", "rate_limit", "reset", "garbage", "half"] as const)(
    "the provider (%s): sent again later, and nothing changes until then",
    async (kind) => {
      await using world = await openWorld([bench.ledger()]);
      const buyer = await world.newBuyer();
      await world.buy(buyer, { plan: "pro" });
      world.listen();
      const event = world.stripe.stripe.account.events.at(-1);
      if (event === undefined) throw new Error("nothing was bought");
      world.stripe.stripe.outage({ kind });
      expect(await world.stripe.stripe.webhooks.deliver(event)).toBe(503);
      expect(await world.standing(buyer)).toEqual({ tier: "free", status: "active" });
      expect(world.told.join()).toContain(event.id);
      world.stripe.stripe.recover();
      expect(await world.stripe.stripe.webhooks.deliver(event)).toBe(200);
      expect(await world.standing(buyer)).toEqual(END.pro);
    },
  );

  const broken: [string, (ledger: Ledger) => Partial<Ledger>][] = [
    ["events", ({ billingEvents }) => ({ billingEvents: unreachable(billingEvents) })],
    ["leases", ({ leases }) => ({ leases: unreachable(leases) })],
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
      const buyer = await world.newBuyer();
      await world.buy(buyer, { plan: "pro" });
      const ledger = { ...bench.ledger(), ...breaking(bench.ledger()) };
      const lost = openBillingNotices({ ...world.first.deps, ledger });
      await expect(lost.receive(...signed(world))).rejects.toMatchObject({ code: "service_unavailable" });
      expect(await world.standing(buyer)).toEqual({ tier: "free", status: "active" });
      expect(await world.first.notices.receive(...signed(world))).toBe("applied");
      expect(await world.standing(buyer)).toEqual(END.pro);
    },
  );

  test("the look-up of keys to tell: the plan holds all the same", async () => {
    await using world = await openWorld([bench.ledger()]);
    const buyer = await world.newBuyer();
    await world.buy(buyer, { plan: "pro" });
    const ledger = { ...bench.ledger(), keys: unreachable(bench.ledger().keys) };
    expect(await openBillingNotices({ ...world.first.deps, ledger }).receive(...signed(world))).toBe(
      "applied",
    );
    expect(await world.standing(buyer)).toEqual(END.pro);
  });

  test("a turn that was lost while the provider took its time writes nothing", async () => {
    let leaseNow = 0;
    const ledger = await bench.another({ leaseClock: { now: () => leaseNow } });
    await using world = await openWorld([ledger], {
      billing: ({ billing }) => ({
        ...billing,
        subscriptionsOf: async (id) => {
          leaseNow += 31_000;
          return await billing.subscriptionsOf(id);
        },
      }),
    });
    const buyer = await world.newBuyer();
    await world.buy(buyer, { plan: "pro" });
    const received = world.first.notices.receive(...signed(world));
    await expect(received).rejects.toMatchObject({ code: "service_unavailable" });
    expect(await world.standing(buyer)).toEqual({ tier: "free", status: "active" });
    expect(await world.outcomes()).toEqual(["open"]);
  });

  test("somebody who died in the middle of a turn is waited for seconds, then it is sent again", async () => {
    let leaseNow = 0;
    let waited = 0;
    const ledger = await bench.another({ leaseClock: { now: () => leaseNow } });
    await using world = await openWorld([ledger], {
      deps: {
        pause: async (milliseconds) => {
          waited += milliseconds;
        },
      },
    });
    const buyer = await world.newBuyer();
    await world.buy(buyer, { plan: "pro" });
    for (let lane = 0; lane < 64; lane++) await ledger.leases.acquire(`billing-${lane}`, "dead", 30_000);
    const received = world.first.notices.receive(...signed(world));
    await expect(received).rejects.toMatchObject({ code: "service_unavailable" });
    expect(waited).toBeGreaterThan(7_000);
    expect(waited).toBeLessThan(9_000);
    leaseNow += 30_000;
    expect(await world.first.notices.receive(...signed(world))).toBe("applied");
    expect(await world.standing(buyer)).toEqual(END.pro);
  });
});

onSqlite("notices about other things", (bench) => {
  test("what is not about plans is taken, and ignored", async () => {
    await using world = await openWorld([bench.ledger()]);
    world.listen();
    const buyer = await world.newBuyer();
    await world.buy(buyer);
    const kinds = world.stripe.stripe.account.events.map(({ type }) => type);
    const outcomes = await world.outcomes();
    expect(outcomes[kinds.indexOf("customer.created")]).toBe("ignored");
    expect(outcomes[kinds.indexOf("invoice.payment_succeeded")]).toBe("ignored");
    expect(outcomes[kinds.indexOf("invoice.paid")]).toBe("applied");
  });

  test("what was not signed, or not just now, is refused and not taken; the operator hears of it once", async () => {
    await using world = await openWorld([bench.ledger()]);
    const buyer = await world.newBuyer();
    await world.buy(buyer);
    const [body, header] = signed(world);
    for (const wrong of [null, "", header.replace(/v1=../, "v1=00"), `${header}0`]) {
      const received = world.first.notices.receive(body, wrong);
      await expect(received).rejects.toMatchObject({ code: "invalid_request", status: 400 });
    }
    expect(world.told).toHaveLength(1);
    expect(await world.outcomes()).toEqual([]);
    expect(await world.standing(buyer)).toEqual({ tier: "free", status: "active" });
  });

  test("customers of something else are nobody's", async () => {
    await using world = await openWorld([bench.ledger()]);
    world.listen();
    const buyer = await world.newBuyer();
    await world.stripe.buy({ orgId: "org_elsewhere" });
    await world.stripe.stripe.webhooks.settled();
    expect(new Set(await world.outcomes())).toEqual(new Set(["ignored", "unknown_customer"]));
    expect(await world.standing(buyer)).toEqual({ tier: "free", status: "active" });
    // Somebody pays for what nobody can use: an account that was closed, say.
    expect(world.told.join()).toContain("org_elsewhere");
  });

  test("a subscription made by hand for an organization is found by its metadata", async () => {
    await using world = await openWorld([bench.ledger()]);
    world.listen();
    const buyer = await world.newBuyer();
    const { customerId } = await world.stripe.buy({ orgId: buyer.orgId, plan: "pro" });
    await world.stripe.stripe.webhooks.settled();
    expect(await world.standing(buyer)).toEqual(END.pro);
    expect(await world.organization(buyer)).toMatchObject({ billingCustomerId: customerId });
    // A second customer with the same metadata changes nothing, and is told of.
    await world.stripe.buy({ orgId: buyer.orgId, email: "other@example.com", plan: "basic" });
    await world.stripe.stripe.webhooks.settled();
    expect(await world.standing(buyer)).toEqual(END.pro);
    expect(world.told.join()).toContain("has another customer");
  });

  test("a price that no plan has changes nothing until it is listed, and the log names it", async () => {
    await using world = await openWorld([bench.ledger()]);
    world.listen();
    const buyer = await world.newBuyer();
    await world.buy(buyer, { plan: "basic" });
    await world.manage(buyer, "switch:sub:price_sticker");
    expect(await world.standing(buyer)).toEqual({ tier: "basic", status: "active" });
    expect(world.told.join()).toContain("price_sticker");
    expect(await world.outcomes()).toContain("open");
    const prices = [
      ...world.stripe.prices,
      { plan: "pro", interval: "monthly", priceId: "price_sticker" },
    ] as const;
    const deps = { ...world.first.deps, billing: world.stripe.open({ prices }) };
    expect(await reconcileBilling(deps)).toMatchObject({ changed: 1, failed: 0 });
    expect(await world.standing(buyer)).toEqual(END.pro);
  });

  test("a suspension stands, whatever is paid; what was bought is there when it is lifted", async () => {
    await using world = await openWorld([bench.ledger()]);
    const buyer = await world.newBuyer();
    await world.buy(buyer, { plan: "pro" });
    await bench.ledger().organizations.change(buyer.orgId, { status: "suspended" }, by());
    await world.first.notices.receive(...signed(world));
    expect(await world.standing(buyer)).toEqual({ tier: "pro", status: "suspended" });
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
    expect(await world.standing(buyer)).toEqual({ tier: "plus", status: "active" });
    await world.buy(buyer, { plan: "pro" });
    expect(await world.standing(buyer)).toEqual(END.pro);
  });

  test("two subscriptions of one customer: the higher plan counts, and the operator hears of both", async () => {
    await using world = await openWorld([bench.ledger()]);
    world.listen();
    const buyer = await world.newBuyer();
    await world.buy(buyer, { plan: "basic" });
    const { billingCustomerId: customerId } = await world.organization(buyer);
    const { subscriptionId } = await world.stripe.buy({ orgId: buyer.orgId, customerId, plan: "pro" });
    await world.stripe.stripe.webhooks.settled();
    expect(await world.standing(buyer)).toEqual(END.pro);
    expect(world.told.join()).toContain(subscriptionId);
  });
});
