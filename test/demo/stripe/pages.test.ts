/** The hosted pages: they state that they are simulated, print nothing unescaped, and a restarted demo finds them again. */

import { expect, test } from "bun:test";
import { createCustomer } from "#demo/stripe/customers.ts";
import { createPortal, createSession } from "#demo/stripe/sessions.ts";
import { type FaultyStripe, startFaultyStripe } from "./faulty-stripe.ts";

const NOW = Date.UTC(2026, 0, 31, 9);
const start = (snapshot?: string): Promise<FaultyStripe> =>
  startFaultyStripe({ now: () => NOW, ...(snapshot === undefined ? {} : { snapshot }) });

function offered(stripe: FaultyStripe, email = "buyer@example.com") {
  const { account } = stripe;
  const customer = createCustomer(account, { email, metadata: {} });
  const session = createSession(account, {
    mode: "subscription",
    customer: customer.id,
    line_items: [{ price: "price_pro_monthly" }],
    success_url: "http://127.0.0.1:8080/done",
    cancel_url: "http://127.0.0.1:8080/left",
  });
  const portal = createPortal(account, {
    customer: customer.id,
    return_url: "http://127.0.0.1:8080/account",
  });
  return { customer, session, portal, pay: `${stripe.base}/c/pay/${session.id}` };
}

const press = (url: string, action: string) =>
  fetch(url, { method: "POST", body: new URLSearchParams({ action }), redirect: "manual" });

test("both pages state in every state that nothing is real, without scripts, and are not cached", async () => {
  const stripe = await start();
  const { pay, portal } = offered(stripe);
  const pages = [
    pay,
    portal.url,
    `${stripe.base}/c/pay/cs_none`,
    `${stripe.base}/p/session/x`,
    `${stripe.base}/`,
  ];
  for (const url of pages) {
    const page = await fetch(url);
    const html = await page.text();
    expect(html).toContain("SIMULATED");
    expect(html).not.toContain("<script");
    expect(page.headers.get("cache-control")).toBe("no-store");
    expect(page.headers.get("content-security-policy")).toContain("default-src 'none'");
  }
  await stripe.stop();
});

test("what a customer is called is text on the page, never markup", async () => {
  const stripe = await start();
  const { pay, portal } = offered(stripe, '"><img src=x onerror=alert(1)>@example.com');
  for (const url of [pay, portal.url]) expect(await (await fetch(url)).text()).not.toContain("<img");
  await stripe.stop();
});

test("a page that was left, paid or is too old reports that and sells nothing", async () => {
  let now = NOW;
  const stripe = await startFaultyStripe({ now: () => now });
  const left = offered(stripe);
  expect((await press(left.pay, "cancel")).headers.get("location")).toBe("http://127.0.0.1:8080/left");
  const old = offered(stripe);
  now += 86_400_000;
  expect((await press(old.pay, "pay")).status).toBe(410);
  expect(stripe.account.subscriptions.size).toBe(0);
  expect(stripe.account.events.at(-1)?.type).toBe("checkout.session.expired");
  await stripe.stop();
});

test("on the portal payments can be made to fail, and paid with another card", async () => {
  const stripe = await start();
  const { pay, portal, customer } = offered(stripe);
  await press(pay, "pay");
  const [subscription] = [...stripe.account.subscriptions.values()];
  const id = subscription?.id ?? "";
  await press(portal.url, `card-bad:${id}`);
  await press(portal.url, `renew:${id}`);
  expect(subscription).toMatchObject({ status: "past_due", customer: customer.id });
  expect(await (await fetch(portal.url)).text()).toContain("past_due");
  await press(portal.url, `card-good:${id}`);
  expect(subscription?.status).toBe("active");
  await press(portal.url, `cancel-now:${id}`);
  expect(await (await fetch(portal.url)).text()).toContain("There is nothing running");
  await stripe.stop();
});

test("a restarted simulation finds customers, subscriptions, events and pages again, on another port", async () => {
  const before = await start();
  const { pay, portal } = offered(before);
  await press(pay, "pay");
  const { events, subscriptions } = before.account;
  const snapshot = before.snapshot();
  await before.stop();

  const after = await start(snapshot);
  expect(after.account.events).toEqual(events);
  expect([...after.account.subscriptions]).toEqual([...subscriptions]);
  const page = await fetch(after.account.portals.get(portal.id)?.url ?? "");
  expect(await page.text()).toContain("Crossrate Pro");
  await after.stop();
});
