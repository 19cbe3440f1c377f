/** Webhooks as the TypeScript client verifies them: the published vectors, what was changed on the way, and two secrets at once. */

import { expect, test } from "bun:test";
import { isGenuineWebhook, readWebhook } from "#clients/typescript/src/crossrate.ts";
import { signatureHeader } from "#domain/webhook/endpoint.ts";
import vectors from "#test/domain/webhook/vectors.json";

const [FIRST] = vectors;
if (FIRST === undefined) throw new Error("no vectors");
const { secret, body, t, header: signature } = FIRST;
const now = t * 1000;
const genuine = { body, signature, secret, now };

test.each(vectors)("the vector of $t with $body is genuine, as text and as bytes", async (vector) => {
  const own = { secret: vector.secret, signature: vector.header, now: vector.t * 1000 };
  const bytes = new TextEncoder().encode(vector.body);
  for (const each of [vector.body, bytes, bytes.buffer, Buffer.from(bytes)])
    expect(await isGenuineWebhook({ ...own, body: each })).toBe(true);
});

test("the event is read only where it is genuine", async () => {
  expect(await readWebhook(genuine)).toEqual(JSON.parse(body));
  expect(await readWebhook({ ...genuine, body: new TextEncoder().encode(body) })).toEqual(JSON.parse(body));
  expect(await readWebhook({ ...genuine, body: body.replace("MEX", "USA") })).toBeNull();
});

test.each([
  ["another body", { body: `${body} ` }],
  ["another secret", { secret: `${secret}x` }],
  ["no secret that is right", { secret: ["whsec_one", "whsec_two"] }],
  ["another time", { signature: signature.replace(`t=${t}`, `t=${t + 1}`) }],
  ["a changed digit", { signature: signature.replace(/.$/, (last) => (last === "0" ? "1" : "0")) }],
  ["upper case", { signature: signature.replace(/v1=.*/, (text) => text.toUpperCase()) }],
  ["no header", { signature: null }],
  ["no time", { signature: signature.replace(/t=\d+,/, "") }],
  ["no signature", { signature: `t=${t}` }],
  ["half a signature", { signature: signature.slice(0, -2) }],
  ["nonsense", { signature: ",=,t,v1=" }],
])("%s is not genuine", async (_, change) => {
  expect(await isGenuineWebhook({ ...genuine, ...change })).toBe(false);
});

test.each([
  [300_000, true],
  [-300_000, true],
  [300_001, false],
  [-301_000, false],
])("a clock that is %d ms away: %p", async (away, expected) => {
  expect(await isGenuineWebhook({ ...genuine, now: now + away })).toBe(expected);
  expect(await isGenuineWebhook({ ...genuine, now: now + away, tolerance: 1000 })).toBe(true);
});

test("by default the clock is the present", async () => {
  const present = Math.floor(Date.now() / 1000);
  const recent = { body, secret, signature: signatureHeader(secret, present, body) };
  expect(await isGenuineWebhook(recent)).toBe(true);
  expect(await isGenuineWebhook({ ...recent, signature })).toBe(false);
});

test("while a secret is rotated, both are accepted; names that are not known are ignored", async () => {
  for (const secrets of [
    [secret, "whsec_new"],
    ["whsec_new", secret],
  ])
    expect(await isGenuineWebhook({ ...genuine, secret: secrets })).toBe(true);
  expect(await isGenuineWebhook({ ...genuine, signature: ` v2=abc , ${signature}, x` })).toBe(true);
});
