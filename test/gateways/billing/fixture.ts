/** The real SDK against the simulated Stripe, on one clock that the test moves. */

import { parsePrices } from "#domain/billing/plan.ts";
import { type StripeSettings, stripeBilling } from "#gateways/billing/stripe.ts";
import type { CheckoutOrder } from "#ports/billing.ts";
import { CATALOG_SETTING } from "#test/support/stripe/catalog.ts";
import { startStripe } from "#test/support/stripe/stripe.ts";

export const DAY = 86_400_000;
export const START = Date.UTC(2026, 2, 31, 12);
export const SECRET = "whsec_test";

export type Fixture = Awaited<ReturnType<typeof openFixture>>;

export async function openFixture() {
  let now = START;
  const stripe = await startStripe({ now: () => now });
  const { prices } = parsePrices(CATALOG_SETTING);
  const open = (settings: Partial<StripeSettings>) =>
    stripeBilling({
      secretKey: stripe.secretKey,
      apiBase: stripe.base,
      webhookSecrets: [SECRET],
      prices,
      timeoutMilliseconds: 2000,
      retries: 0,
      ...settings,
    });
  const billing = open({});
  let orders = 0;
  const order = (change: Partial<CheckoutOrder> = {}): CheckoutOrder => ({
    orgId: "org_1",
    email: "buyer@example.com",
    customerId: null,
    plan: "basic",
    interval: "monthly",
    idempotencyKey: `order-${orders++}`,
    hour: 0,
    successUrl: "https://rates.example/done?session={CHECKOUT_SESSION_ID}",
    cancelUrl: "https://rates.example/left",
    ...change,
  });
  const press = (url: string, action: string) =>
    fetch(url, { method: "POST", body: new URLSearchParams({ action }), redirect: "manual" });
  return {
    stripe,
    billing,
    prices,
    now: () => now,
    later(milliseconds: number) {
      now += milliseconds;
      stripe.catchUp();
    },
    open,
    order,
    /** Presses a button on a hosted page; resolves with the answer, redirects unfollowed. */
    press,
    async buy(change: Partial<CheckoutOrder> = {}) {
      const { url, customerId } = await billing.checkout(order(change));
      await press(url, "pay");
      const subscriptions = await billing.subscriptionsOf(customerId);
      const newest = subscriptions.toSorted((a, b) => b.createdAt - a.createdAt)[0];
      return { customerId, subscriptionId: newest?.id ?? "" };
    },
    async [Symbol.asyncDispose]() {
      await stripe.stop();
    },
  };
}
