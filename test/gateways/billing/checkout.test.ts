/** Buying and managing through the real SDK: what is asked of Stripe, what comes back, what a second time does. */

import { expect, test } from "bun:test";
import { DAY, openRig } from "./rig.ts";

test("a checkout opens a page, makes the customer, and paying on it buys the plan", async () => {
  await using rig = await openRig();
  const page = await rig.billing.checkout(rig.order({ plan: "pro" }));
  expect(page).toMatchObject({ action: "checkout", expiresAt: rig.now() + DAY });
  expect(page.url).toStartWith(`${rig.stripe.base}/c/pay/cs_test_`);
  expect(await (await fetch(page.url)).text()).toContain("SIMULATED");
  expect(await rig.billing.subscriptionsOf(page.customerId)).toEqual([]);

  const paid = await rig.press(page.url, "pay");
  expect(paid.status).toBe(303);
  expect(paid.headers.get("location")).toMatch(/^https:\/\/rates\.example\/done\?session=cs_test_\w+$/);
  const [subscription] = await rig.billing.subscriptionsOf(page.customerId);
  expect(subscription).toMatchObject({
    customerId: page.customerId,
    orgId: "org_1",
    status: "active",
    plan: "pro",
    interval: "monthly",
    priceIds: ["price_pro_monthly"],
    periodEnd: Date.UTC(2026, 3, 30, 12),
    cancelAt: null,
    endedAt: null,
    pastDueSince: null,
  });
  expect(await rig.billing.subscription(subscription?.id ?? "")).toEqual(subscription ?? null);
});

test("every request names the pinned version and the key, and every creation an idempotency key", async () => {
  await using rig = await openRig();
  await rig.buy();
  for (const { line, headers } of rig.stripe.requests()) {
    expect(headers.get("stripe-version")).toBe("2026-10-28.endive");
    expect(headers.get("authorization")).toBe(`Bearer ${rig.stripe.secretKey}`);
    expect(headers.get("x-stripe-client-telemetry")).toBeNull();
    if (line.startsWith("POST"))
      expect(headers.get("idempotency-key")).toMatch(/^(customer|checkout)-[0-9a-f]{64}$/);
  }
});

test("the same order again opens the same page and makes no second customer", async () => {
  await using rig = await openRig();
  const order = rig.order();
  const [first, second] = await Promise.all([rig.billing.checkout(order), rig.billing.checkout(order)]);
  expect(second).toEqual(first);
  expect(rig.stripe.account.customers.size).toBe(1);
  expect(rig.stripe.account.sessions.size).toBe(1);
});

test("orders of one organization for two plans at once share one customer", async () => {
  await using rig = await openRig();
  const [basic, pro] = await Promise.all([
    rig.billing.checkout(rig.order({ plan: "basic" })),
    rig.billing.checkout(rig.order({ plan: "pro" })),
  ]);
  expect(pro.customerId).toBe(basic.customerId);
  expect(pro.url).not.toBe(basic.url);
});

test("a key with another order is a fault, not another customer's page", async () => {
  await using rig = await openRig();
  const order = rig.order();
  await rig.billing.checkout(order);
  const other = rig.billing.checkout({ ...order, plan: "pro" });
  await expect(other).rejects.toMatchObject({ name: "BillingFault", kind: "key_reused" });
});

test("a known customer is used; one deleted at Stripe is replaced", async () => {
  await using rig = await openRig();
  const { customerId } = await rig.buy();
  const again = await rig.billing.checkout(rig.order({ customerId, plan: "pro" }));
  expect(again.customerId).toBe(customerId);
  const gone = await rig.billing.checkout(rig.order({ customerId: "cus_gone", plan: "pro" }));
  expect(gone.customerId).not.toBe("cus_gone");
  expect(gone.url).toContain("/c/pay/");
});

test("a customer deleted between two first checkouts of a day is replaced too", async () => {
  await using rig = await openRig();
  const first = await rig.billing.checkout(rig.order());
  const headers = { authorization: `Bearer ${rig.stripe.secretKey}` };
  await fetch(`${rig.stripe.base}/v1/customers/${first.customerId}`, { method: "DELETE", headers });
  const second = await rig.billing.checkout(rig.order());
  expect(second.customerId).not.toBe(first.customerId);
  await rig.press(second.url, "pay");
  expect(await rig.billing.subscriptionsOf(second.customerId)).toHaveLength(1);
});

test("a year is sold where it has a price, and is not offered where it has none", async () => {
  await using rig = await openRig();
  const { subscriptionId } = await rig.buy({ interval: "yearly" });
  expect(await rig.billing.subscription(subscriptionId)).toMatchObject({
    interval: "yearly",
    periodEnd: Date.UTC(2027, 2, 31, 12),
  });
  const monthly = rig.open({ prices: rig.prices.filter(({ interval }) => interval === "monthly") });
  const asked = rig.stripe.requests().length;
  const order = monthly.checkout(rig.order({ interval: "yearly" }));
  await expect(order).rejects.toMatchObject({ kind: "not_offered" });
  expect(rig.stripe.requests().length).toBe(asked);
});

test("a declined card buys nothing and the page can be tried again", async () => {
  await using rig = await openRig();
  const { url, customerId } = await rig.billing.checkout(rig.order());
  const declined = await rig.press(url, "decline");
  expect(declined.status).toBe(402);
  expect(await declined.text()).toContain("declined");
  expect(await rig.billing.subscriptionsOf(customerId)).toEqual([]);
  expect((await rig.press(url, "pay")).status).toBe(303);
  expect((await rig.press(url, "pay")).status).toBe(200);
  expect(await rig.billing.subscriptionsOf(customerId)).toHaveLength(1);
});

test("the portal switches the plan, cancels at the end of the period, and thinks again", async () => {
  await using rig = await openRig();
  const { customerId, subscriptionId } = await rig.buy({ plan: "pro" });
  const portal = await rig.billing.portal({ customerId, returnUrl: "https://rates.example/account" });
  expect(portal).toMatchObject({ action: "manage_subscription", expiresAt: null });
  const state = () => rig.billing.subscription(subscriptionId);

  expect(
    await (await rig.press(portal.url, `switch:${subscriptionId}:price_basic_monthly`)).text(),
  ).toContain("Basic");
  expect(await state()).toMatchObject({ plan: "basic", status: "active" });
  await rig.press(portal.url, `cancel-later:${subscriptionId}`);
  expect(await state()).toMatchObject({ status: "active", cancelAt: Date.UTC(2026, 3, 30, 12) });
  await rig.press(portal.url, `keep:${subscriptionId}`);
  expect(await state()).toMatchObject({ cancelAt: null });
  const back = await rig.press(portal.url, "return");
  expect(back.headers.get("location")).toBe("https://rates.example/account");
});

test("a portal for a customer that is not there is refused", async () => {
  await using rig = await openRig();
  const portal = rig.billing.portal({ customerId: "cus_none", returnUrl: "https://rates.example/" });
  await expect(portal).rejects.toMatchObject({ kind: "rejected" });
});

test("an unknown subscription is null, an unknown customer has none", async () => {
  await using rig = await openRig();
  expect(await rig.billing.subscription("sub_none")).toBeNull();
  expect(await rig.billing.subscriptionsOf("cus_none")).toEqual([]);
});

test("an address that the provider does not take stops nobody from buying: its page asks for one", async () => {
  await using rig = await openRig();
  // Between the SDK and the simulator: what Stripe says to addresses that it finds invalid.
  await using strict = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: async (request) => {
      const { pathname, search } = new URL(request.url);
      const body = await request.text();
      if (pathname === "/v1/customers" && new URLSearchParams(body).get("email")?.includes(".."))
        return Response.json(
          {
            error: {
              type: "invalid_request_error",
              code: "email_invalid",
              param: "email",
              message: "Invalid email address",
            },
          },
          { status: 400 },
        );
      const { method, headers } = request;
      return fetch(`${rig.stripe.base}${pathname}${search}`, {
        method,
        headers,
        ...(body === "" ? {} : { body }),
      });
    },
  });
  const billing = rig.open({ apiBase: `http://127.0.0.1:${strict.port}` });
  const order = rig.order({ email: "ada..l@example.com" });
  const page = await billing.checkout(order);
  expect(page.action).toBe("checkout");
  const [customer] = [...rig.stripe.account.customers.values()];
  expect(customer).toMatchObject({ email: null, metadata: { org_id: order.orgId } });
  expect(await billing.checkout(order)).toEqual(page);
  expect(rig.stripe.account.customers.size).toBe(1);
});
