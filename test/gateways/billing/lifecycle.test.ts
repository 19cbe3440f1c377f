/** What the adapter reads as time goes by: renewals, failed payments and their oldest date, recovery, the end. */

import { expect, test } from "bun:test";
import { tierInForce } from "#domain/account/organization.ts";
import { patchOf } from "#domain/billing/subscription.ts";
import { DAY, openFixture } from "./fixture.ts";

test("a failed renewal is past due since its invoice, free after seven days, and paid for again by a new card", async () => {
  await using fixture = await openFixture();
  const { customerId, subscriptionId } = await fixture.buy({ plan: "pro" });
  const due = Date.UTC(2026, 3, 30, 12);
  fixture.stripe.account.declining.add(customerId);
  fixture.later(due - fixture.now() + 2 * DAY);
  const late = await fixture.billing.subscription(subscriptionId);
  expect(late).toMatchObject({ status: "past_due", plan: "pro", pastDueSince: due });
  const patch = patchOf(late, fixture.now());
  expect(patch).toMatchObject({ tier: "pro", status: "past_due" });
  expect([fixture.now(), due + 7 * DAY].map((now) => tierInForce(patch, now))).toEqual(["pro", "free"]);

  const { url } = await fixture.billing.portal({ customerId, returnUrl: "https://rates.example/" });
  await fixture.press(url, `card-good:${subscriptionId}`);
  const settled = await fixture.billing.subscription(subscriptionId);
  expect(settled).toMatchObject({ status: "active", pastDueSince: null });
});

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

test.each([
  ["canceled", "canceled"],
  ["unpaid", "unpaid"],
] as const)("when every attempt has failed it is %s", async (setting, status) => {
  await using fixture = await openFixture();
  const { customerId, subscriptionId } = await fixture.buy();
  fixture.stripe.account.whenUncollected = setting;
  fixture.stripe.account.declining.add(customerId);
  fixture.later(46 * DAY);
  const ended = await fixture.billing.subscription(subscriptionId);
  expect(ended).toMatchObject({ status });
  expect(patchOf(ended, fixture.now()).tier).toBe("free");
});

test("a price that is no longer sold is still recognized; one of something else is no plan", async () => {
  await using fixture = await openFixture();
  const { customerId, subscriptionId } = await fixture.buy();
  const { url } = await fixture.billing.portal({ customerId, returnUrl: "https://rates.example/" });
  await fixture.press(url, `switch:${subscriptionId}:price_basic_monthly_2025`);
  expect((await fixture.billing.subscription(subscriptionId))?.plan).toBe("basic");
  await fixture.press(url, `switch:${subscriptionId}:price_sticker`);
  const strange = await fixture.billing.subscription(subscriptionId);
  expect(strange).toMatchObject({ plan: null, priceIds: ["price_sticker"] });
  expect(() => patchOf(strange, fixture.now())).toThrow(/price_sticker.*STRIPE_PRICES/);
});
