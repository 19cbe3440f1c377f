/** The demo's receiver takes what a genuine sender sends, and nothing else, by real deliveries over HTTP. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { type Receiver, startReceiver } from "#demo/receiver.ts";
import { signatureHeader, testEvent } from "#domain/webhook/endpoint.ts";
import { openWebhookPost } from "#gateways/webhook/post.ts";

const NOW = Date.parse("2026-04-14T15:00:00Z");
const SECRET = "whsec_0123456789abcdefghijklmnopqrstuv";
const post = openWebhookPost({ allowPrivate: true });
const { body, id } = testEvent("whe_demo", NOW);

let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver({ now: () => NOW });
  receiver.trust(SECRET);
});
afterAll(() => receiver.stop());

async function deliver(secret: string, at: number, sent = body): Promise<number | null> {
  const header = signatureHeader(secret, Math.floor(at / 1000), body);
  const headers = { "Content-Type": "application/json", "Webhook-Signature": header };
  return (await post(receiver.url, headers, sent)).status;
}

test("a genuine event is taken with 204 and remembered; the same one again is reported as such", async () => {
  const before = receiver.received().length;
  expect([await deliver(SECRET, NOW), await deliver(SECRET, NOW)]).toEqual([204, 204]);
  const came = receiver.received().slice(before);
  expect(came.map((one) => [one.verdict, one.id, one.type])).toEqual([
    ["genuine", id, "webhook.test"],
    ["genuine", id, "webhook.test"],
  ]);
  expect(came.at(-1)?.repeated).toBe(true);
  expect(await (await fetch(receiver.url)).text()).toContain(
    `2026-04-14T15:00:00Z genuine, repeated ${body}\n`,
  );
});

test("another secret, another body, an old signature and none at all are refused with 400, and distinguished", async () => {
  const before = receiver.received().length;
  const statuses = [
    await deliver("whsec_another", NOW),
    await deliver(SECRET, NOW, body.replace("whe_demo", "whe_other")),
    await deliver(SECRET, NOW - 301_000),
    (await fetch(receiver.url, { method: "POST", body })).status,
  ];
  expect(statuses).toEqual([400, 400, 400, 400]);
  const verdicts = receiver
    .received()
    .slice(before)
    .map(({ verdict }) => verdict);
  expect(verdicts).toEqual(["mismatch", "mismatch", "stale", "malformed"]);
});

test("it can be set to fail, so that retries can be observed", async () => {
  receiver.answer(503);
  expect(await deliver(SECRET, NOW)).toBe(503);
  receiver.answer(204);
  expect(await deliver(SECRET, NOW)).toBe(204);
});

test("nothing is genuine before a secret is trusted", async () => {
  const fresh = await startReceiver({ now: () => NOW });
  expect(await (await fetch(fresh.url)).text()).toBe("nothing has arrived yet\n");
  const headers = { "Webhook-Signature": signatureHeader(SECRET, NOW / 1000, body) };
  expect((await post(fresh.url, headers, body)).status).toBe(400);
  await fresh.stop();
});
