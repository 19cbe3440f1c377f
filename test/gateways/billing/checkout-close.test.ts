/** Closing open checkouts, before an account is deleted: nothing can be bought on them, and what was bought stays bought. */

import { expect, test } from "bun:test";
import { Refusal } from "#test/support/stripe/stripe.ts";
import { type Fixture, openFixture } from "./fixture.ts";

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

test("all of a customer are closed, more than fit on one page of Stripe's list, and a second time there are none", async () => {
  await using fixture = await openFixture();
  const { customer, pages } = await open(fixture, 101);
  const other = await fixture.billing.checkout(fixture.order({ orgId: "org_2" }));
  expect(await fixture.billing.closeCheckouts(customer)).toBe(101);
  expect(await fixture.billing.closeCheckouts(customer)).toBe(0);
  for (const page of [pages[0], pages.at(-1)]) {
    await fixture.press(page ?? "", "pay");
    expect((await fetch(page ?? "")).status).toBe(410);
  }
  expect(await fixture.billing.subscriptionsOf(customer)).toEqual([]);
  expect((await fetch(other.url)).status).toBe(200);
});

test("one that was paid stays paid, one that expired is not counted, and an unknown customer has none", async () => {
  await using fixture = await openFixture();
  const { customer, pages } = await open(fixture, 2);
  await fixture.press(pages[0] ?? "", "pay");
  fixture.later(25 * 3_600_000);
  expect(await fixture.billing.closeCheckouts(customer)).toBe(0);
  expect(await fixture.billing.subscriptionsOf(customer)).toMatchObject([{ status: "active" }]);
  expect(await fixture.billing.closeCheckouts("cus_none")).toBe(0);
});

test("paid between the list and the closing: bought, and no fault", async () => {
  await using fixture = await openFixture();
  const { customer, pages } = await open(fixture, 1);
  // The buyer is quicker than the second request.
  fixture.stripe.before(async (line) => {
    if (line.endsWith("/expire")) await fixture.press(pages[0] ?? "", "pay");
  });
  expect(await fixture.billing.closeCheckouts(customer)).toBe(0);
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

test("a subscription ends at once, and a second time it is gone already", async () => {
  await using fixture = await openFixture();
  const { subscriptionId } = await fixture.buy();
  expect(await fixture.billing.cancel(subscriptionId)).toBe("cancelled");
  expect(await fixture.billing.subscription(subscriptionId)).toMatchObject({ status: "canceled" });
  expect(await fixture.billing.cancel(subscriptionId)).toBe("already_gone");
});

test("one that Stripe never had, or has in the other mode, is not gone: there it continues to be charged", async () => {
  await using fixture = await openFixture();
  await expect(fixture.billing.cancel("sub_none")).rejects.toMatchObject({ kind: "rejected" });
  const { subscriptionId } = await fixture.buy();
  fixture.stripe.account.liveOnly.add(subscriptionId);
  await expect(fixture.billing.cancel(subscriptionId)).rejects.toMatchObject({ kind: "wrong_mode" });
});

test.each(["reset", "half", "error"] as const)(
  "carried out and the answer lost (%s): the next attempt finds it gone",
  async (kind) => {
    await using fixture = await openFixture();
    const { subscriptionId } = await fixture.buy();
    fixture.stripe.outage({ kind, when: "after", times: 1 });
    const billing = fixture.open({ retries: 1 });
    expect(await billing.cancel(subscriptionId)).toBe("already_gone");
    expect(await fixture.billing.subscription(subscriptionId)).toMatchObject({ status: "canceled" });
  },
);

test("a deletion at Stripe half-way: gone, and the subscription canceled with the customer", async () => {
  await using fixture = await openFixture();
  const { customerId, subscriptionId } = await fixture.buy();
  const headers = { authorization: `Bearer ${fixture.stripe.secretKey}` };
  await fetch(`${fixture.stripe.base}/v1/customers/${customerId}`, { method: "DELETE", headers });
  expect(await fixture.billing.cancel(subscriptionId)).toBe("already_gone");
  expect(await fixture.billing.subscriptionsOf(customerId)).toEqual([]);
});
