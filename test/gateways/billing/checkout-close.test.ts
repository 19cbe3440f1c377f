/** Closing open checkouts, before an account is deleted: nothing can be bought on them, and what was bought stays bought. */

import { expect, test } from "bun:test";
import { openRig, type Rig } from "./rig.ts";

/** Pages of one customer, one for each plan and interval asked for. */
async function open(rig: Rig, count: number, customerId: string | null = null) {
  const pages = [];
  let customer = customerId;
  for (let nth = 0; nth < count; nth++) {
    const page = await rig.billing.checkout(rig.order({ customerId: customer }));
    customer = page.customerId;
    pages.push(page.url);
  }
  return { customer: customer ?? "", pages };
}

test("all of a customer are closed, more than fit on one page of Stripe's list, and a second time there are none", async () => {
  await using rig = await openRig();
  const { customer, pages } = await open(rig, 120);
  const other = await rig.billing.checkout(rig.order({ orgId: "org_2" }));
  expect(await rig.billing.closeCheckouts(customer)).toBe(120);
  expect(await rig.billing.closeCheckouts(customer)).toBe(0);
  for (const page of [pages[0], pages.at(-1)]) {
    await rig.press(page ?? "", "pay");
    expect((await fetch(page ?? "")).status).toBe(410);
  }
  expect(await rig.billing.subscriptionsOf(customer)).toEqual([]);
  expect((await fetch(other.url)).status).toBe(200);
});

test("one that was paid stays paid, one that expired is not counted, and an unknown customer has none", async () => {
  await using rig = await openRig();
  const { customer, pages } = await open(rig, 2);
  await rig.press(pages[0] ?? "", "pay");
  rig.later(25 * 3_600_000);
  expect(await rig.billing.closeCheckouts(customer)).toBe(0);
  expect(await rig.billing.subscriptionsOf(customer)).toMatchObject([{ status: "active" }]);
  expect(await rig.billing.closeCheckouts("cus_none")).toBe(0);
});

test("paid between the list and the closing: bought, and no fault", async () => {
  await using rig = await openRig();
  const { customer, pages } = await open(rig, 1);
  // Stands between, as the buyer is quicker than the second request.
  const slow = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const { pathname, search } = new URL(request.url);
      if (pathname.endsWith("/expire")) await rig.press(pages[0] ?? "", "pay");
      const { method, headers } = request;
      return await fetch(`${rig.stripe.base}${pathname}${search}`, {
        ...{ method, headers, redirect: "manual" },
        ...(method === "GET" ? {} : { body: await request.text() }),
      });
    },
  });
  const billing = rig.open({ apiBase: slow.url.href.replace(/\/$/, "") });
  expect(await billing.closeCheckouts(customer)).toBe(0);
  expect(await rig.billing.subscriptionsOf(customer)).toMatchObject([{ status: "active" }]);
  await slow.stop(true);
});

test.each(["error", "rate_limit", "garbage", "hang", "reset", "half"] as const)(
  "Stripe out of order (%s): a fault, and afterwards they can be closed",
  async (kind) => {
    await using rig = await openRig();
    const { customer } = await open(rig, 1);
    rig.stripe.outage({ kind });
    const billing = rig.open({ timeoutMilliseconds: 100 });
    await expect(billing.closeCheckouts(customer)).rejects.toMatchObject({ kind: "unavailable" });
    rig.stripe.recover();
    expect(await rig.billing.closeCheckouts(customer)).toBe(1);
  },
);
