/** Notices lost, and to two replicas at once: the plan is what the provider has. Twice and in any order: test/model. */

import { expect, test } from "bun:test";
import { openBillingNotices } from "#accounts/billing/notice.ts";
import { reconcileBilling } from "#accounts/billing/reconcile.ts";
import { onBothLedgers, onSqlite } from "#test/store/ledger/ledgers.ts";
import { END, openWorld, signed } from "./fixture.ts";

onSqlite("notices", (bench) => {
  test("all but one lost, the one that arrives suffices, and the job changes nothing", async () => {
    await using world = await openWorld([bench.ledger()]);
    const buyer = await world.newBuyer();
    await world.buy(buyer, { plan: "basic" });
    await world.manage(buyer, "switch:sub:price_pro_monthly");
    world.listen();
    const { webhooks, account } = world.stripe.stripe;
    const [created] = account.events.filter(({ type }) => type === "customer.subscription.created");
    if (created !== undefined) await webhooks.deliver(created);
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
    expect(world.forgotten).toEqual([buyer.orgId]);
    const entries = await bench.ledger().audit.list({ subject: `organization:${buyer.orgId}` }, 20);
    expect(entries.filter(({ detail }) => detail["tier"] === "pro")).toHaveLength(1);
  });

  test.each([
    ["ends", "applied"],
    ["dies with its next reading", "died"],
  ])("an older reading is not written over a newer one by a slow replica that %s", async (_, outcome) => {
    const gate = Promise.withResolvers<void>();
    const requested = Promise.withResolvers<void>();
    await using world = await openWorld([bench.ledger(), await bench.another()]);
    const buyer = await world.newBuyer();
    await world.buy(buyer, { plan: "basic" });
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
    await world.manage(buyer, "switch:sub:price_pro_monthly");
    expect(await fast.notices.receive(...signed(world))).toBe("applied");
    expect(await world.accountStatus(buyer)).toEqual(END.pro);
    gate.resolve();
    expect(await first.catch(({ message }: Error) => message)).toBe(outcome);
    expect(await world.accountStatus(buyer)).toEqual(END.pro);
  });
});
