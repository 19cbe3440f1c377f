/** Notices in any order, twice, late or never: fetching again ends in the plan that Stripe has. */

import { expect, test } from "bun:test";
import { seededRandom } from "#test/support/seeded-random.ts";
import { DAY, type Fixture, openFixture, SECRET, startApplier } from "./fixture.ts";

/** Buys basic, goes up to pro, down again, and up for good; or to the end, cancelled. */
async function story(fixture: Fixture, ending: "pro" | "cancelled"): Promise<string> {
  const { customerId, subscriptionId } = await fixture.buy({ plan: "basic" });
  const { url } = await fixture.billing.portal({ customerId, returnUrl: "https://rates.example/" });
  for (const price of ["pro_monthly", "basic_monthly", "pro_monthly"]) {
    fixture.later(DAY);
    await fixture.press(url, `switch:${subscriptionId}:price_${price}`);
  }
  if (ending === "cancelled") await fixture.press(url, `cancel-now:${subscriptionId}`);
  return customerId;
}

for (const ending of ["pro", "cancelled"] as const) {
  for (const [order, seed] of [
    ["as they came", 0],
    ["backwards", 1],
    ["shuffled", 2],
    ["shuffled otherwise", 3],
  ] as const) {
    test(`delivered ${order}, each up to three times, they end in ${ending}`, async () => {
      await using fixture = await openFixture();
      const applier = startApplier(fixture);
      fixture.stripe.webhooks.endpoint({ url: applier.address, secrets: [SECRET] });
      fixture.stripe.webhooks.hold();
      await story(fixture, ending);
      const random = seededRandom(seed);
      const statuses = await fixture.stripe.webhooks.release({
        order: (events) =>
          seed === 0 ? events : seed === 1 ? events.toReversed() : events.toSorted(() => random() - 0.5),
        copies: () => 1 + Math.floor(random() * 3),
      });
      expect(new Set(statuses)).toEqual(new Set([200]));
      expect(applier.entitlement()).toMatchObject(
        ending === "pro" ? { tier: "pro", status: "active" } : { tier: "free", status: "canceled" },
      );
      await applier.stop();
    });
  }
}

test("only the last one lost and the others wrong by then: still the right plan, since none is believed", async () => {
  await using fixture = await openFixture();
  const applier = startApplier(fixture);
  fixture.stripe.webhooks.endpoint({ url: applier.address, secrets: [SECRET] });
  fixture.stripe.webhooks.hold();
  await story(fixture, "cancelled");
  await fixture.stripe.webhooks.release({
    copies: ({ type }) => (type === "customer.subscription.deleted" ? 0 : 1),
  });
  expect(applier.entitlement()).toMatchObject({ tier: "free", status: "canceled" });
  await applier.stop();
});

test("what was never delivered is found by asking for changes, oldest first, across pages", async () => {
  await using fixture = await openFixture();
  const before = fixture.now();
  const { customerId, subscriptionId } = await fixture.buy();
  const { url } = await fixture.billing.portal({ customerId, returnUrl: "https://rates.example/" });
  for (let round = 0; round < 60; round++) {
    fixture.later(1000);
    await fixture.press(url, `switch:${subscriptionId}:price_pro_monthly`);
    await fixture.press(url, `switch:${subscriptionId}:price_basic_monthly`);
  }
  const { events, complete } = await fixture.billing.listChanged(before);
  expect(complete).toBe(true);
  expect(events.map(({ type }) => type).slice(0, 3)).toEqual([
    "customer.subscription.created",
    "invoice.paid",
    "checkout.session.completed",
  ]);
  expect(events).toHaveLength(123);
  expect(events.every(({ relevant }) => relevant)).toBe(true);
  expect(new Set(events.map(({ id }) => id)).size).toBe(123);
  expect(events.map(({ createdAt }) => createdAt)).toEqual(
    events.map(({ createdAt }) => createdAt).toSorted(),
  );
  expect((await fixture.billing.listChanged(fixture.now())).events).toHaveLength(2);
});

test("a receiver that was down gets the notice from Stripe again when it is back", async () => {
  await using fixture = await openFixture();
  const { customerId } = await fixture.buy();
  const applier = startApplier(fixture);
  fixture.stripe.webhooks.endpoint({ url: applier.address, secrets: [SECRET] });
  fixture.stripe.outage({ kind: "error" });
  const [event] = fixture.stripe.account.events.filter(({ type }) => type === "checkout.session.completed");
  if (event === undefined) throw new Error("nothing was bought");
  expect(await fixture.stripe.webhooks.deliver(event)).toBe(400);
  expect(applier.entitlement().tier).toBe("free");
  fixture.stripe.recover();
  expect(await fixture.stripe.webhooks.deliver(event)).toBe(200);
  expect(await fixture.stripe.webhooks.deliver(event)).toBe(200);
  expect(applier.entitlement().tier).toBe("basic");
  expect(applier.applied).toEqual(["checkout.session.completed"]);
  expect(await fixture.billing.subscriptionsOf(customerId)).toHaveLength(1);
  await applier.stop();
});
