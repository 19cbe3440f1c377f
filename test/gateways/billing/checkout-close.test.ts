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
