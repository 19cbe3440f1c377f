/** What the adapter reads as time goes by: renewals, failed payments and their oldest date, recovery, the end. */

import { expect, test } from "bun:test";
import { entitlementOf } from "#domain/billing/entitlement.ts";
import { DAY, openRig } from "./rig.ts";

test("periods follow the anchor through short months", async () => {
  await using rig = await openRig();
  const { subscriptionId } = await rig.buy();
  rig.later(31 * DAY);
  expect((await rig.billing.subscription(subscriptionId))?.periodEnd).toBe(Date.UTC(2026, 4, 31, 12));
});

test("a failed renewal is past due since its invoice, free after seven days, and paid for again by a new card", async () => {
  await using rig = await openRig();
  const { customerId, subscriptionId } = await rig.buy({ plan: "pro" });
  const due = Date.UTC(2026, 3, 30, 12);
  rig.stripe.account.declining.add(customerId);
  rig.later(due - rig.now() + 2 * DAY);
  const late = await rig.billing.subscription(subscriptionId);
  expect(late).toMatchObject({ status: "past_due", plan: "pro", pastDueSince: due });
  expect(entitlementOf(late, rig.now())).toMatchObject({ tier: "pro", status: "past_due" });
  expect(entitlementOf(late, due + 7 * DAY)).toMatchObject({ tier: "free", bought: "pro" });

  const { url } = await rig.billing.portal({ customerId, returnUrl: "https://rates.example/" });
  await rig.press(url, `card-good:${subscriptionId}`);
  const settled = await rig.billing.subscription(subscriptionId);
  expect(settled).toMatchObject({ status: "active", pastDueSince: null });
});

test("a second unpaid invoice leaves the first one's date", async () => {
  await using rig = await openRig();
  const { customerId, subscriptionId } = await rig.buy();
  rig.stripe.account.whenUncollected = "past_due";
  rig.stripe.account.declining.add(customerId);
  rig.later(70 * DAY);
  expect(rig.stripe.account.invoices.size).toBe(3);
  expect(await rig.billing.subscription(subscriptionId)).toMatchObject({
    status: "past_due",
    pastDueSince: Date.UTC(2026, 3, 30, 12),
  });
});

test.each([
  ["canceled", "canceled"],
  ["unpaid", "unpaid"],
] as const)("when every attempt has failed it is %s", async (setting, status) => {
  await using rig = await openRig();
  const { customerId, subscriptionId } = await rig.buy();
  rig.stripe.account.whenUncollected = setting;
  rig.stripe.account.declining.add(customerId);
  rig.later(46 * DAY);
  const ended = await rig.billing.subscription(subscriptionId);
  expect(ended).toMatchObject({ status });
  expect(entitlementOf(ended, rig.now()).tier).toBe("free");
});

test("cancelled at the end of the period, it is over then", async () => {
  await using rig = await openRig();
  const { customerId, subscriptionId } = await rig.buy();
  const { url } = await rig.billing.portal({ customerId, returnUrl: "https://rates.example/" });
  await rig.press(url, `cancel-later:${subscriptionId}`);
  rig.later(40 * DAY);
  expect(await rig.billing.subscription(subscriptionId)).toMatchObject({
    status: "canceled",
    endedAt: Date.UTC(2026, 3, 30, 12),
  });
});

test("a price that is no longer sold is still recognized; one of something else is no plan", async () => {
  await using rig = await openRig();
  const { customerId, subscriptionId } = await rig.buy();
  const { url } = await rig.billing.portal({ customerId, returnUrl: "https://rates.example/" });
  await rig.press(url, `switch:${subscriptionId}:price_basic_monthly_2025`);
  expect((await rig.billing.subscription(subscriptionId))?.plan).toBe("basic");
  await rig.press(url, `switch:${subscriptionId}:price_sticker`);
  const strange = await rig.billing.subscription(subscriptionId);
  expect(strange).toMatchObject({ plan: null, priceIds: ["price_sticker"] });
  expect(() => entitlementOf(strange, rig.now())).toThrow(/price_sticker.*STRIPE_PRICES/);
});
