/** Inbound notices: only what one of our secrets signed just now, to the byte, is believed. */

import { expect, test } from "bun:test";
import { stripeBilling } from "#gateways/billing/stripe.ts";
import { signatureOf } from "#test/support/stripe/webhooks.ts";
import { SECRET, START } from "./fixture.ts";

const opened = (...webhookSecrets: string[]) =>
  stripeBilling({ secretKey: "sk_test_of_these_tests", apiBase: null, webhookSecrets, prices: [] });
const billing = opened(SECRET);

const BODY = JSON.stringify({
  id: "evt_1",
  object: "event",
  api_version: "2022-11-15",
  created: START / 1000,
  data: { object: { id: "sub_1", object: "subscription", customer: "cus_1", metadata: {} } },
  livemode: false,
  pending_webhooks: 1,
  request: { id: null, idempotency_key: null },
  type: "customer.subscription.updated",
});
const SECOND = START / 1000;
const sign = (secrets: readonly string[] = [SECRET], second = SECOND, body = BODY) =>
  signatureOf(body, secrets, second);

test("a signed notice is read, from text and from bytes", async () => {
  const expected = {
    id: "evt_1",
    type: "customer.subscription.updated",
    subscriptionId: "sub_1",
    relevant: true,
  };
  expect(await billing.verifyEvent(BODY, sign(), START)).toMatchObject(expected);
  const bytes = new TextEncoder().encode(BODY);
  expect(await billing.verifyEvent(bytes, sign(), START)).toMatchObject(expected);
});

const noticeOf = (type: string, object: object) => {
  const body = JSON.stringify({ ...JSON.parse(BODY), type, data: { object } }, null, 2);
  return billing.verifyEvent(body, sign([SECRET], SECOND, body), START);
};
const ABOUT = { customer: "cus_1", metadata: {} };

test.each<[what: string, type: string, object: object]>([
  ["a subscription", "customer.subscription.updated", { id: "sub_1", object: "subscription", ...ABOUT }],
  [
    "a subscription, its customer in full",
    "customer.subscription.deleted",
    { id: "sub_1", object: "subscription", customer: { id: "cus_1", object: "customer" } },
  ],
  [
    "a checkout that was paid",
    "checkout.session.completed",
    { id: "cs_test_1", object: "checkout.session", subscription: "sub_1", ...ABOUT },
  ],
  [
    "an invoice as until 2025",
    "invoice.paid",
    { id: "in_1", object: "invoice", subscription: "sub_1", ...ABOUT },
  ],
  [
    "an invoice as since 2025",
    "invoice.payment_failed",
    { id: "in_1", object: "invoice", parent: { subscription_details: { subscription: "sub_1" } }, ...ABOUT },
  ],
])(
  "whatever the endpoint's API version, customer and subscription are read of %s",
  async (_, type, object) => {
    const expected = { subscriptionId: "sub_1", customerId: "cus_1", relevant: true };
    expect(await noticeOf(type, object)).toMatchObject(expected);
  },
);

test("while a secret is replaced the old and the new one are both taken, on either side", async () => {
  const both = opened("whsec_new", SECRET);
  expect((await both.verifyEvent(BODY, sign(), START)).id).toBe("evt_1");
  expect((await both.verifyEvent(BODY, sign(["whsec_new"]), START)).id).toBe("evt_1");
  expect((await billing.verifyEvent(BODY, sign(["whsec_new", SECRET]), START)).id).toBe("evt_1");
});

const refused: Record<string, { header: string | null; body?: string }> = {
  "no header": { header: null },
  "an empty header": { header: "" },
  "another secret": { header: sign(["whsec_other"]) },
  "another body": { header: sign(), body: BODY.replace("cus_1", "cus_2") },
  "a body with one more space": { header: sign(), body: `${BODY} ` },
  "an empty body": { header: sign([SECRET], SECOND, ""), body: "" },
  "301 seconds old": { header: sign([SECRET], SECOND - 301) },
  "301 seconds ahead": { header: sign([SECRET], SECOND + 301) },
  "a time that was not signed": { header: sign().replace(/t=\d+/, `t=${SECOND - 1}`) },
  "no time": { header: sign().replace(/t=\d+,/, "") },
  "a second time that fits": { header: sign([SECRET], SECOND - 400).replace(",", `,t=${SECOND},`) },
  "another scheme": { header: sign().replace("v1=", "v0=") },
  "half a signature": { header: sign().slice(0, -10) },
};
test.each(Object.entries(refused))("refused: %s", async (_, { header, body = BODY }) => {
  const verified = billing.verifyEvent(body, header, START);
  await expect(verified).rejects.toMatchObject({ name: "BillingFault", kind: "bad_signature" });
});

test("300 seconds either way are within the tolerance", async () => {
  for (const off of [-300, 300])
    expect((await billing.verifyEvent(BODY, sign([SECRET], SECOND + off), START)).id).toBe("evt_1");
});

test("a live notice under a test key is refused though its signature is right", async () => {
  const body = BODY.replace('"livemode":false', '"livemode":true');
  const verified = billing.verifyEvent(body, sign([SECRET], SECOND, body), START);
  await expect(verified).rejects.toMatchObject({ kind: "wrong_mode" });
});

test("a customer that was deleted is named, and a payment of something else is not relevant", async () => {
  const deleted = await noticeOf("customer.deleted", { id: "cus_1", object: "customer" });
  expect(deleted).toMatchObject({ subscriptionId: null, customerId: "cus_1", relevant: true });
  const other = await noticeOf("payment_intent.created", { id: "pi_1", object: "payment_intent" });
  expect(other).toMatchObject({ subscriptionId: null, customerId: null, relevant: false });
});

test.each([
  "{",
  "[]",
  '"text"',
  "{}",
  '{"object":"v2.core.event","id":"evt_1","type":"x"}',
  BODY.replace('"type":"customer.subscription.updated"', '"type":""'),
  BODY.replace('"id":"evt_1"', '"id":7'),
  BODY.replace(/"data":\{.*\}\}\},/, '"data":null,'),
  BODY.replace(/"object":\{.*\}\}\},/, '"object":[]},'),
])("signed and not an event: %s", async (body) => {
  const verified = billing.verifyEvent(body, sign([SECRET], SECOND, body), START);
  await expect(verified).rejects.toMatchObject({ kind: "unreadable" });
});

test("without a signing secret nothing can be verified, and the failure names the reason", async () => {
  const verified = opened().verifyEvent(BODY, sign(), START);
  await expect(verified).rejects.toMatchObject({ kind: "not_configured" });
});

test("faults contain neither the secret nor the body", async () => {
  const fault = await billing.verifyEvent(BODY, sign(["whsec_other"]), START).catch((error) => error);
  expect(Bun.inspect(fault)).not.toMatch(/whsec_|cus_1|v1=/);
});
