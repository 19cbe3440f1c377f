/** Notices that were never delivered are found by asking for changes. */

import { expect, test } from "bun:test";
import { openFixture } from "./fixture.ts";

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
