/** Buying and managing through the real SDK: what is requested from Stripe, what it returns, and what a repetition does; closing what is open. */

import { describe, expect, test } from "bun:test";
import { openInvoices } from "#test/support/stripe/account.ts";
import { Refusal } from "#test/support/stripe/stripe.ts";
import { DAY, type Fixture, openFixture, START } from "./fixture.ts";

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

test("an unknown subscription is null, an unknown customer has none, and a portal for one is refused", async () => {
  await using fixture = await openFixture();
  expect(await fixture.billing.subscription("sub_none")).toBeNull();
  expect(await fixture.billing.subscriptionsOf("cus_none")).toEqual([]);
  const portal = fixture.billing.portal({ customerId: "cus_none", returnUrl: "https://rates.example/" });
  await expect(portal).rejects.toMatchObject({ kind: "rejected" });
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

test("an invoice that is sent is missing from the day to pay it by, not from the day it was sent", async () => {
  await using fixture = await openFixture();
  const { customerId, subscriptionId } = await fixture.buy();
  fixture.stripe.account.declining.add(customerId);
  fixture.later(35 * DAY);
  const [invoice] = openInvoices(fixture.stripe.account, { id: subscriptionId });
  const due_date = START / 1000 + 60 * 86_400;
  Object.assign(invoice ?? {}, { collection_method: "send_invoice", due_date });
  expect(await fixture.billing.subscription(subscriptionId)).toMatchObject({
    status: "past_due",
    pastDueSince: due_date * 1000,
  });
});

test("more subscriptions and unpaid invoices than a page of Stripe's lists are all read", async () => {
  await using fixture = await openFixture();
  const { customerId, subscriptionId } = await fixture.buy();
  const { account } = fixture.stripe;
  const first = account.subscriptions.get(subscriptionId);
  if (first === undefined) throw new Error("nothing was bought");
  for (let nth = 0; nth < 130; nth++) {
    const id = `sub_${nth}`;
    account.subscriptions.set(id, { ...first, id, created: first.created + nth, status: "canceled" });
  }
  account.declining.add(customerId);
  fixture.later(35 * DAY);
  const oldest = openInvoices(account, first)[0];
  if (oldest === undefined) throw new Error("nothing is due");
  for (let nth = 0; nth < 130; nth++)
    account.invoices.set(`in_${nth}`, { ...oldest, id: `in_${nth}`, ...later(nth) });
  const read = await fixture.billing.subscriptionsOf(customerId);
  expect(read).toHaveLength(131);
  expect(read.filter(({ status }) => status !== "canceled")).toMatchObject([
    { id: subscriptionId, pastDueSince: oldest.created * 1000 },
  ]);

  function later(nth: number) {
    const created = (oldest?.created ?? 0) + nth + 1;
    return { created, status_transitions: { finalized_at: created } };
  }
});

test("the prices on sale are read as Stripe charges them; one that is unknown or archived charges nothing", async () => {
  await using fixture = await openFixture();
  const monthly = { currency: "usd", smallestUnits: 1000, period: "month" };
  expect(await fixture.billing.prices()).toMatchObject([
    { plan: "basic", interval: "monthly", priceId: "price_basic_monthly", charge: monthly },
    { plan: "basic", interval: "yearly", charge: { smallestUnits: 12_000, period: "year" } },
    { plan: "pro", interval: "monthly", charge: { smallestUnits: 3000 } },
    { plan: "pro", interval: "yearly", charge: { smallestUnits: 36_000 } },
  ]);
  const prices = [{ plan: "pro", interval: "monthly", priceId: "price_none" }] as const;
  expect(await fixture.open({ prices }).prices()).toEqual([{ ...prices[0], charge: null }]);
});

async function open(fixture: Fixture, count: number, customerId: string | null = null) {
  const pages = [];
  let customer = customerId;
  for (let nth = 0; nth < count; nth++) {
    const page = await fixture.billing.checkout(fixture.order({ customerId: customer }));
    customer = page.customerId;
    pages.push(page.url);
  }
  return { customer: customer ?? "", pages };
}

describe("closing open checkouts", () => {
  test("all of a customer are closed, more than fit on one page of Stripe's list, and a second time changes nothing", async () => {
    await using fixture = await openFixture();
    const { customer, pages } = await open(fixture, 101);
    const other = await fixture.billing.checkout(fixture.order({ orgId: "org_2" }));
    await fixture.billing.closeCheckouts(customer);
    for (const page of [pages[0], pages.at(-1)]) {
      await fixture.press(page ?? "", "pay");
      expect((await fetch(page ?? "")).status).toBe(410);
    }
    expect(await fixture.billing.subscriptionsOf(customer)).toEqual([]);
    expect((await fetch(other.url)).status).toBe(200);
    await fixture.billing.closeCheckouts(customer);
  });

  test("one that was paid stays paid, one that expired is no fault, and an unknown customer has none", async () => {
    await using fixture = await openFixture();
    const { customer, pages } = await open(fixture, 2);
    await fixture.press(pages[0] ?? "", "pay");
    fixture.later(25 * 3_600_000);
    await fixture.billing.closeCheckouts(customer);
    expect(await fixture.billing.subscriptionsOf(customer)).toMatchObject([{ status: "active" }]);
    await fixture.billing.closeCheckouts("cus_none");
  });

  test("paid between the list and the closing: bought, and no fault", async () => {
    await using fixture = await openFixture();
    const { customer, pages } = await open(fixture, 1);
    // The buyer is quicker than the second request.
    fixture.stripe.before(async (line) => {
      if (line.endsWith("/expire")) await fixture.press(pages[0] ?? "", "pay");
    });
    await fixture.billing.closeCheckouts(customer);
    expect(await fixture.billing.subscriptionsOf(customer)).toMatchObject([{ status: "active" }]);
  });

  test("one that stays open is a fault: it could still be paid", async () => {
    await using fixture = await openFixture();
    const { customer } = await open(fixture, 1);
    fixture.stripe.before(async (line) => {
      if (line.endsWith("/expire")) throw new Refusal(409, "try again");
    });
    await expect(fixture.billing.closeCheckouts(customer)).rejects.toMatchObject({ name: "BillingFault" });
  });

  test("one that Stripe never had, or has in the other mode, is not gone: there it continues to be charged", async () => {
    await using fixture = await openFixture();
    await expect(fixture.billing.cancel("sub_none")).rejects.toMatchObject({ kind: "rejected" });
    const { subscriptionId } = await fixture.buy();
    fixture.stripe.account.liveOnly.add(subscriptionId);
    for (const call of ["cancel", "subscription"] as const)
      await expect(fixture.billing[call](subscriptionId)).rejects.toMatchObject({ kind: "wrong_mode" });
  });

  test.each(["reset", "half", "error"] as const)(
    "carried out and the answer lost (%s): the next attempt finds it gone",
    async (kind) => {
      await using fixture = await openFixture();
      const { customerId, subscriptionId } = await fixture.buy();
      fixture.stripe.outage({ kind, when: "after", times: 1 });
      const billing = fixture.open({ retries: 1 });
      await billing.cancel(subscriptionId);
      const [ended] = await fixture.billing.subscriptionsOf(customerId);
      expect(ended).toMatchObject({ id: subscriptionId, status: "canceled" });
      expect(await fixture.billing.subscription(subscriptionId)).toEqual(ended ?? null);
    },
  );

  test("a deletion at Stripe half-way: gone, and the subscription canceled with the customer", async () => {
    await using fixture = await openFixture();
    const { customerId, subscriptionId } = await fixture.buy();
    const headers = { authorization: `Bearer ${fixture.stripe.secretKey}` };
    await fetch(`${fixture.stripe.base}/v1/customers/${customerId}`, { method: "DELETE", headers });
    await fixture.billing.cancel(subscriptionId);
    expect(await fixture.billing.subscriptionsOf(customerId)).toEqual([]);
  });
});
