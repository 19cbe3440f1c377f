/** Cancelling, on which the deletion of an account waits: done, gone already, or a fault; never a guess. */

import { expect, test } from "bun:test";
import { openRig } from "./rig.ts";

test("it ends at once, and a second time it is gone already", async () => {
  await using rig = await openRig();
  const { subscriptionId } = await rig.buy();
  expect(await rig.billing.cancel(subscriptionId)).toBe("cancelled");
  expect(await rig.billing.subscription(subscriptionId)).toMatchObject({
    status: "canceled",
    endedAt: rig.now(),
  });
  expect(await rig.billing.cancel(subscriptionId)).toBe("already_gone");
});

test("one that Stripe has never heard of is gone already", async () => {
  await using rig = await openRig();
  expect(await rig.billing.cancel("sub_none")).toBe("already_gone");
});

test("one of the other mode is not gone: it goes on costing", async () => {
  await using rig = await openRig();
  const { subscriptionId } = await rig.buy();
  rig.stripe.account.liveOnly.add(subscriptionId);
  await expect(rig.billing.cancel(subscriptionId)).rejects.toMatchObject({ kind: "wrong_mode" });
});

test.each(["error", "rate_limit", "garbage", "hang", "reset", "half"] as const)(
  "Stripe out of order (%s): a fault, and the subscription is as it was",
  async (kind) => {
    await using rig = await openRig();
    const { subscriptionId } = await rig.buy();
    rig.stripe.outage({ kind });
    const billing = rig.open({ timeoutMilliseconds: 100 });
    await expect(billing.cancel(subscriptionId)).rejects.toMatchObject({
      name: "BillingFault",
      kind: "unavailable",
    });
    rig.stripe.recover();
    expect(await rig.billing.subscription(subscriptionId)).toMatchObject({ status: "active" });
  },
);

test.each(["reset", "half", "error"] as const)(
  "carried out and the answer lost (%s): the next attempt finds it gone",
  async (kind) => {
    await using rig = await openRig();
    const { subscriptionId } = await rig.buy();
    rig.stripe.outage({ kind, when: "after", times: 1 });
    const billing = rig.open({ retries: 1 });
    expect(await billing.cancel(subscriptionId)).toBe("already_gone");
    expect(await rig.billing.subscription(subscriptionId)).toMatchObject({ status: "canceled" });
  },
);

test("a deletion at Stripe half-way: gone, and the subscription canceled with the customer", async () => {
  await using rig = await openRig();
  const { customerId, subscriptionId } = await rig.buy();
  const headers = { authorization: `Bearer ${rig.stripe.secretKey}` };
  await fetch(`${rig.stripe.base}/v1/customers/${customerId}`, { method: "DELETE", headers });
  expect(await rig.billing.cancel(subscriptionId)).toBe("already_gone");
  expect(await rig.billing.subscriptionsOf(customerId)).toEqual([]);
});
