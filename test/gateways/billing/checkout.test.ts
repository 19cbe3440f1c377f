/** Buying and managing through the real SDK: what is requested from Stripe, what it returns, and what a repetition does. */

import { expect, test } from "bun:test";
import { Refusal } from "#test/support/stripe/stripe.ts";
import { DAY, openFixture } from "./fixture.ts";

test("every request names the pinned version and the key, and every creation an idempotency key", async () => {
  await using fixture = await openFixture();
  await fixture.buy();
  for (const { line, headers } of fixture.stripe.requests()) {
    expect(headers.get("stripe-version")).toBe("2026-10-28.endive");
    expect(headers.get("authorization")).toBe(`Bearer ${fixture.stripe.secretKey}`);
    expect(headers.get("x-stripe-client-telemetry")).toBeNull();
    if (line.startsWith("POST"))
      expect(headers.get("idempotency-key")).toMatch(/^(customer|checkout)-[0-9a-f]{64}$/);
  }
});

test("a key with another order is a fault, not another customer's page", async () => {
  await using fixture = await openFixture();
  const order = fixture.order();
  await fixture.billing.checkout(order);
  const other = fixture.billing.checkout({ ...order, plan: "pro" });
  await expect(other).rejects.toMatchObject({ name: "BillingFault", kind: "key_reused" });
});

test("a customer deleted between two first checkouts of a day is replaced too", async () => {
  await using fixture = await openFixture();
  const first = await fixture.billing.checkout(fixture.order());
  const headers = { authorization: `Bearer ${fixture.stripe.secretKey}` };
  await fetch(`${fixture.stripe.base}/v1/customers/${first.customerId}`, { method: "DELETE", headers });
  const second = await fixture.billing.checkout(fixture.order());
  expect(second.customerId).not.toBe(first.customerId);
  await fixture.press(second.url, "pay");
  expect(await fixture.billing.subscriptionsOf(second.customerId)).toHaveLength(1);
});

test("a portal for a customer that is not there is refused", async () => {
  await using fixture = await openFixture();
  const portal = fixture.billing.portal({ customerId: "cus_none", returnUrl: "https://rates.example/" });
  await expect(portal).rejects.toMatchObject({ kind: "rejected" });
});

test("an unknown subscription is null, an unknown customer has none", async () => {
  await using fixture = await openFixture();
  expect(await fixture.billing.subscription("sub_none")).toBeNull();
  expect(await fixture.billing.subscriptionsOf("cus_none")).toEqual([]);
});

test("an address that the provider does not accept prevents no purchase: its page requests one", async () => {
  await using fixture = await openFixture();
  fixture.stripe.before(async (_, parameters) => {
    if (parameters.get("email")?.includes(".."))
      throw new Refusal(400, "Invalid email address", { code: "email_invalid", param: "email" });
  });
  const order = fixture.order({ email: "ada..l@example.com" });
  const page = await fixture.billing.checkout(order);
  expect(page.action).toBe("checkout");
  const [customer] = [...fixture.stripe.account.customers.values()];
  expect(customer).toMatchObject({ email: null, metadata: { org_id: order.orgId } });
  expect(await fixture.billing.checkout(order)).toEqual(page);
  expect(fixture.stripe.account.customers.size).toBe(1);
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
