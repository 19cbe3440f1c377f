/** The simulated Stripe's notices: signed as Stripe signs, held, doubled, dropped, and tried again after a failure. */

import { expect, test } from "bun:test";
import { createHmac } from "node:crypto";
import { createCustomer } from "#demo/stripe/customers.ts";
import { startFaultyStripe } from "./faulty-stripe.ts";

const NOW = Date.UTC(2026, 5, 1, 12);

interface Received {
  readonly id: string;
  readonly signature: string;
  readonly body: string;
}

function startReceiver(answer: (count: number) => number = () => 200) {
  const received: Received[] = [];
  const waiting: { count: number; done: () => void }[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const body = await request.text();
      const signature = request.headers.get("stripe-signature") ?? "";
      received.push({ id: (JSON.parse(body) as { id: string }).id, signature, body });
      for (const { count, done } of waiting) if (received.length >= count) done();
      return new Response(null, { status: answer(received.length) });
    },
  });
  return {
    received,
    url: server.url.href,
    arrived: (count: number) =>
      new Promise<void>((done) => {
        if (received.length >= count) done();
        else waiting.push({ count, done });
      }),
    stop: () => server.stop(true),
  };
}

test("a notice carries its time and one signature for each secret, over the bytes that are sent", async () => {
  const receiver = startReceiver();
  const secrets = ["whsec_old", "whsec_new"];
  const stripe = await startFaultyStripe({ now: () => NOW, webhook: { url: receiver.url, secrets } });
  createCustomer(stripe.account, { email: "a@b.example" });
  await stripe.webhooks.settled();
  const [{ signature, body } = { signature: "", body: "" }] = receiver.received;
  const hex = secrets.map((secret) =>
    createHmac("sha256", secret)
      .update(`${NOW / 1000}.${body}`)
      .digest("hex"),
  );
  expect(signature).toBe(`t=${NOW / 1000},v1=${hex[0]},v1=${hex[1]}`);
  expect(stripe.account.events[0]?.pending_webhooks).toBe(0);
  await Promise.all([stripe.stop(), receiver.stop()]);
});

test("held notices come when they are released, in the order and number requested", async () => {
  const receiver = startReceiver();
  const stripe = await startFaultyStripe({
    now: () => NOW,
    webhook: { url: receiver.url, secrets: ["whsec_a"] },
  });
  stripe.webhooks.hold();
  for (const name of ["a", "b", "c"]) createCustomer(stripe.account, { name });
  const [a, b, c] = stripe.webhooks.held().map(({ id }) => id);
  expect(receiver.received).toEqual([]);
  await stripe.webhooks.release({
    order: (events) => events.toReversed(),
    copies: ({ id }) => (id === b ? 0 : id === c ? 2 : 1),
  });
  expect(receiver.received.map(({ id }) => id)).toEqual([c, c, a] as string[]);
  createCustomer(stripe.account, { name: "d" });
  await stripe.webhooks.settled();
  expect(receiver.received).toHaveLength(4);
  await Promise.all([stripe.stop(), receiver.stop()]);
});

test("a refused notice is tried again, the same one, until it is taken", async () => {
  const receiver = startReceiver((count) => (count < 3 ? 503 : 200));
  const webhook = { url: receiver.url, secrets: ["whsec_a"] };
  const stripe = await startFaultyStripe({ now: () => NOW, webhook, retryMilliseconds: 1 });
  createCustomer(stripe.account, {});
  await receiver.arrived(3);
  await stripe.webhooks.settled();
  expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
  expect(stripe.account.events[0]?.pending_webhooks).toBe(0);
  await Promise.all([stripe.stop(), receiver.stop()]);
});

test("without an endpoint, or with one that is gone, notices are in the list of events only", async () => {
  const stripe = await startFaultyStripe({ now: () => NOW });
  createCustomer(stripe.account, {});
  stripe.webhooks.endpoint({ url: "http://127.0.0.1:1/", secrets: ["whsec_a"] });
  createCustomer(stripe.account, {});
  await stripe.webhooks.settled();
  expect(stripe.account.events.map(({ pending_webhooks }) => pending_webhooks)).toEqual([1, 1]);
  await stripe.stop();
});
