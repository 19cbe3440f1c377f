/** Cancelling, on which the deletion of an account waits: done, gone already, or a fault; never a guess. */

import { expect, test } from "bun:test";
import { openFixture } from "./fixture.ts";

test("it ends at once, and a second time it is gone already", async () => {
  await using fixture = await openFixture();
  const { subscriptionId } = await fixture.buy();
  expect(await fixture.billing.cancel(subscriptionId)).toBe("cancelled");
  expect(await fixture.billing.subscription(subscriptionId)).toMatchObject({ status: "canceled" });
  expect(await fixture.billing.cancel(subscriptionId)).toBe("already_gone");
});

test("one that Stripe never had is not gone: the key is another account's, and there it continues to be charged", async () => {
  await using fixture = await openFixture();
  await expect(fixture.billing.cancel("sub_none")).rejects.toMatchObject({ kind: "rejected" });
});

test("one of the other mode is not gone either", async () => {
  await using fixture = await openFixture();
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
