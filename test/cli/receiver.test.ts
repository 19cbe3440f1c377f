/** The receiver takes what a genuine sender sends, and nothing else, by real deliveries over HTTP. */

import { afterAll, expect, test } from "bun:test";
import { MOST_BYTES, startReceiver } from "#cli/receiver.ts";
import { signatureHeader, testEvent } from "#domain/webhook/endpoint.ts";
import { openWebhookPost } from "#gateways/webhook/post.ts";

const NOW = Date.parse("2026-04-14T15:00:00Z");
const SECRET = "whsec_0123456789abcdefghijklmnopqrstuv";
const post = openWebhookPost({ allowPrivate: true });
const { body } = testEvent("whe_demo", NOW);
const receiver = startReceiver({ now: () => NOW, secret: "of another endpoint", port: 0 });
afterAll(() => receiver.stop());

async function deliver(secret: string, at = NOW, sent = body): Promise<number | null> {
  const header = signatureHeader(secret, Math.floor(at / 1000), body);
  const headers = { "Content-Type": "application/json", "Webhook-Signature": header };
  return (await post(receiver.url, headers, sent)).status;
}

test("only what the trusted secret has signed now is taken; a second time it is reported as such", async () => {
  expect(await (await fetch(receiver.url)).text()).toBe("nothing has arrived yet\n");
  expect(await deliver(SECRET)).toBe(400);
  receiver.trust(SECRET);
  const statuses = [
    await deliver(SECRET),
    await deliver(SECRET),
    await deliver("whsec_another"),
    await deliver(SECRET, NOW, body.replace("whe_demo", "whe_other")),
    await deliver(SECRET, NOW - 301_000),
    (await fetch(receiver.url, { method: "POST", body })).status,
  ];
  expect(statuses).toEqual([204, 204, 400, 400, 400, 400]);
  const came = receiver.received().map(({ verdict, repeated }) => `${verdict}${repeated ? " again" : ""}`);
  expect(came.slice(1, 3)).toEqual(["genuine", "genuine again"]);
  expect([came[0], ...came.slice(3)]).toEqual(["mismatch", "mismatch", "mismatch", "stale", "malformed"]);
  expect(await (await fetch(receiver.url)).text()).toContain(
    `2026-04-14T15:00:00Z genuine, repeated ${body}\n`,
  );
});

test("listens on this machine alone, and takes no body that no event has", async () => {
  const elsewhere = receiver.url.replace("127.0.0.1", "127.0.0.2");
  expect(await fetch(elsewhere).catch(() => "nobody")).toBe("nobody");
  const most = { method: "POST", body: "a".repeat(MOST_BYTES + 1) };
  expect((await fetch(receiver.url, most)).status).toBe(413);
});
