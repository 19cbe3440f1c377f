/** The two pages that Stripe hosts, checkout and portal, and the closing of open checkouts. */

import { createHash } from "node:crypto";
import type { Stripe } from "stripe";
import { BillingFault } from "#domain/billing/notice.ts";
import { type PriceList, priceOf } from "#domain/billing/plan.ts";
import type { CheckoutOrder, CheckoutPage, PortalPage } from "#ports/billing.ts";
import { isInvalidEmail, isMissing } from "./client.ts";

/** BillingFault `not_offered` without a price for the plan at that interval; Stripe is then not called. */
export async function openCheckout(
  stripe: Stripe,
  prices: PriceList,
  order: CheckoutOrder,
): Promise<CheckoutPage> {
  const price = priceOf(prices, order.plan, order.interval);
  if (price === null)
    throw new BillingFault("not_offered", `the plan ${order.plan} is not offered ${order.interval}`);
  const customer = order.customerId ?? (await newCustomer(stripe, order, null));
  try {
    return await sessionFor(stripe, order, price, customer);
  } catch (error) {
    // The customer was deleted at Stripe.
    if (!isMissing(error, "customer")) throw error;
    return sessionFor(stripe, order, price, await newCustomer(stripe, order, customer));
  }
}

export async function openPortal(
  stripe: Stripe,
  { customerId, returnUrl }: { readonly customerId: string; readonly returnUrl: string },
): Promise<PortalPage> {
  const { url } = await stripe.billingPortal.sessions.create({ customer: customerId, return_url: returnUrl });
  return { action: "manage_subscription", url: hosted(url), expiresAt: null };
}

/** Two concurrent checkouts of one organization get the same customer: the idempotency key depends on the facts and the hour only. */
async function newCustomer(stripe: Stripe, order: CheckoutOrder, replaces: string | null): Promise<string> {
  try {
    return await createCustomer(stripe, order, replaces);
  } catch (error) {
    // People sign in with addresses that Stripe finds invalid; without one Stripe's page requests it.
    if (order.email === null || !isInvalidEmail(error)) throw error;
    return await createCustomer(stripe, { ...order, email: null }, replaces);
  }
}

async function createCustomer(
  stripe: Stripe,
  { orgId, email, hour }: CheckoutOrder,
  replaces: string | null,
): Promise<string> {
  const idempotencyKey = `customer-${digest([orgId, email, replaces, hour])}`;
  const metadata = { org_id: orgId };
  const { id } = await stripe.customers.create(email === null ? { metadata } : { email, metadata }, {
    idempotencyKey,
  });
  return id;
}

async function sessionFor(
  stripe: Stripe,
  order: CheckoutOrder,
  price: string,
  customer: string,
): Promise<CheckoutPage> {
  const metadata = { org_id: order.orgId };
  const session = await stripe.checkout.sessions.create(
    {
      mode: "subscription",
      customer,
      client_reference_id: order.orgId,
      line_items: [{ price, quantity: 1 }],
      // Notices of a subscription carry the subscription's metadata, not the session's.
      metadata,
      subscription_data: { metadata },
      success_url: order.successUrl,
      cancel_url: order.cancelUrl,
    },
    // The key includes the customer: with a new customer the same order is another request.
    { idempotencyKey: `checkout-${digest([order.idempotencyKey, customer])}` },
  );
  return {
    action: "checkout",
    url: hosted(session.url),
    expiresAt: session.expires_at * 1000,
    customerId: customer,
  };
}

function hosted(url: string | null): string {
  const protocol = URL.parse(url ?? "")?.protocol;
  if (url !== null && (protocol === "https:" || protocol === "http:")) return url;
  throw new BillingFault("unreadable", "Stripe's answer has no address of a page");
}

/** Keys are at most 255 characters, and Stripe wants no personal data in them. */
function digest(facts: readonly unknown[]): string {
  return createHash("sha256").update(JSON.stringify(facts)).digest("hex");
}

const PAGE = 100;

/** Closes a customer's open checkouts; an unknown customer has none. */
export async function closeCheckouts(stripe: Stripe, customer: string): Promise<void> {
  try {
    // Closed checkouts leave the list: the next ones are always on the first page.
    for (let hasMore = true; hasMore; ) {
      const open = await stripe.checkout.sessions.list({ customer, status: "open", limit: PAGE });
      for (const { id } of open.data) await expire(stripe, id);
      hasMore = open.has_more;
    }
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

async function expire(stripe: Stripe, id: string): Promise<void> {
  try {
    await stripe.checkout.sessions.expire(id);
  } catch (error) {
    // The first attempt may have been carried out and its answer lost: the present state counts.
    if ((await stripe.checkout.sessions.retrieve(id)).status === "open") throw error;
  }
}
