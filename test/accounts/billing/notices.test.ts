/** Notices twice, in any order, to two replicas at once, and while something is out of order: the plan is what the provider has. */

import { expect, test } from "bun:test";
import { openBillingNotices } from "#accounts/billing/notice.ts";
import { reconcileBilling } from "#accounts/billing/reconcile.ts";
import { DAY } from "#test/gateways/billing/fixture.ts";
import { onBothLedgers, onSqlite } from "#test/store/ledger/ledgers.ts";
import { seededRandom } from "#test/support/seeded-random.ts";
import { END, openWorld, signed, type World } from "./fixture.ts";

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

onSqlite("notices", (bench) => {
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
    expect(await world.accountStatus(buyer)).toEqual(END[ending]);
    expect(await world.outcomes()).not.toContain("open");
  });

  test("most of them lost, the one that arrives suffices, and the job changes nothing", async () => {
    await using world = await openWorld([bench.ledger()]);
    const buyer = await story(world, "pro");
    await world.stripe.stripe.webhooks.release({
      copies: ({ type }) => (type === "customer.subscription.created" ? 1 : 0),
    });
    expect(await world.accountStatus(buyer)).toEqual(END.pro);
    expect(await reconcileBilling(world.first.deps)).toMatchObject({ changed: 0, failed: 0 });
  });
});

onBothLedgers("notices at two replicas", (bench) => {
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
    expect(await world.accountStatus(buyer)).toEqual(END.pro);
    expect(world.changedKeys).toEqual([buyer.keyId]);
    const entries = await bench.ledger().audit.list({ subject: `organization:${buyer.orgId}` }, 20);
    expect(entries.filter(({ detail }) => detail["tier"] === "pro")).toHaveLength(1);
  });

  test("an older reading is never written over a newer one, however slow the replica that made it", async () => {
    const gate = Promise.withResolvers<void>();
    const requested = Promise.withResolvers<void>();
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
          requested.resolve();
          await gate.promise;
          return read;
        },
      },
    };
    const first = openBillingNotices(stalled).receive(...signed(world));
    await requested.promise;
    await world.manage(buyer, "switch:sub:price_pro_monthly");
    const second = fast.notices.receive(...signed(world));
    gate.resolve();
    expect(await Promise.all([first, second])).toEqual(["applied", "applied"]);
    expect(await world.accountStatus(buyer)).toEqual(END.pro);
  });
});
