/** What the adapter reads of failed payments: the oldest date. */

import { expect, test } from "bun:test";
import { DAY, openFixture } from "./fixture.ts";

test("a second unpaid invoice leaves the first one's date", async () => {
  await using fixture = await openFixture();
  const { customerId, subscriptionId } = await fixture.buy();
  fixture.stripe.account.whenUncollected = "past_due";
  fixture.stripe.account.declining.add(customerId);
  fixture.later(70 * DAY);
  expect(fixture.stripe.account.invoices.size).toBe(3);
  expect(await fixture.billing.subscription(subscriptionId)).toMatchObject({
    status: "past_due",
    pastDueSince: Date.UTC(2026, 3, 30, 12),
  });
});
