/** Signatures: the vectors that receivers can test against, and every reason for which a receiver refuses; what fails, and waits. */

import { describe, expect, test } from "bun:test";
import { Stripe } from "stripe";
import {
  checkSignature,
  newSecret,
  nextAttempt,
  outcomeIsSuccess,
  signatureHeader,
  TOLERANCE_SECONDS,
} from "#domain/webhook/endpoint.ts";
import { seededBytes } from "#test/gateways/random.ts";
import vectors from "./vectors.json";

const SECRET = "whsec_0123456789ABCDEFGHIJKLMNOPQRSTUV";
const BODY = '{"id":"evt_test_1790000000000"}';
const T = 1_790_000_000;
const NOW = T * 1000;
const HEADER = signatureHeader(SECRET, T, BODY);
const V1 = HEADER.slice(HEADER.indexOf("v1="));
const stripe = new Stripe("sk_test_00000000000000000000");

// Made with another language's library: hmac.new(secret, f"{t}.{body}", sha256).
describe.each(vectors)("the vector of $t with $body", ({ secret, t, body, header }) => {
  test("is what we send", () => {
    expect(signatureHeader(secret, t, body)).toBe(header);
    expect(signatureHeader(secret, t, new TextEncoder().encode(body))).toBe(header);
  });

  test("is genuine to a receiver, as text and as bytes", () => {
    expect(checkSignature(header, body, secret, t * 1000)).toBe("genuine");
    expect(checkSignature(header, new TextEncoder().encode(body), secret, t * 1000)).toBe("genuine");
  });
});

test.each(vectors.filter(({ body }) => body.startsWith('{"id"')))(
  "Stripe's own verifier takes $header",
  async ({ body, header, secret, t }) => {
    /** As a receiver would so many seconds after the time of the header. The library takes milliseconds. */
    const verified = (given: string, seconds: number): Promise<unknown> =>
      stripe.webhooks.constructEventAsync(
        given,
        header,
        secret,
        TOLERANCE_SECONDS,
        undefined,
        (t + seconds) * 1000,
      );
    const refused = { type: "StripeSignatureVerificationError" };
    for (const age of [0, TOLERANCE_SECONDS]) expect(await verified(body, age)).toEqual(JSON.parse(body));
    await expect(verified(`${body} `, 0)).rejects.toMatchObject(refused);
    const stale = { ...refused, message: expect.stringContaining("tolerance") };
    await expect(verified(body, TOLERANCE_SECONDS + 1)).rejects.toMatchObject(stale);
  },
);

describe("a receiver's clock", () => {
  test.each([
    [0, "genuine"],
    [300_000, "genuine"],
    [-300_000, "genuine"],
    [300_001, "stale"],
    [-300_001, "stale"],
  ] as const)("that is %d ms off makes it %s", (off, verdict) => {
    expect(checkSignature(HEADER, BODY, SECRET, NOW + off)).toBe(verdict);
  });

  test("counts before the bytes do: an old header is stale even where it is wrong", () => {
    expect(checkSignature(HEADER, "other", SECRET, NOW + 301_000)).toBe("stale");
  });
});

describe("mismatch", () => {
  test.each([
    ["one byte more", `${BODY}\n`, SECRET],
    ["the same JSON, spaced", '{ "id":"evt_test_1790000000000" }', SECRET],
    ["another secret", BODY, `${SECRET.slice(0, -1)}W`],
    ["the secret without its prefix", BODY, SECRET.slice(6)],
  ])("%s", (_, body, secret) => {
    expect(checkSignature(HEADER, body, secret, NOW)).toBe("mismatch");
  });

  test("a time that is not the one signed", () => {
    expect(checkSignature(`t=${T + 1},${V1}`, BODY, SECRET, NOW)).toBe("mismatch");
  });
});

test.each([
  "",
  `t=${T}`,
  V1,
  `t=${T},v1=`,
  `t=${T},v1=${"g".repeat(64)}`,
  `t=${T},${V1.toUpperCase().replace("V1", "v1")}`,
  `t=0${T},${V1}`,
  `t=-1,${V1}`,
  `t=1e9,${V1}`,
  `t=${T}.0,${V1}`,
  `t=${T},t=${T},${V1}`,
  `t=${T},${V1},${V1}`,
  `t=${T};${V1}`,
  `t=${T},${V1},${"x=1,".repeat(400)}`,
])("malformed: %s", (header) => {
  expect(checkSignature(header, BODY, SECRET, NOW)).toBe("malformed");
});

test("names that a later version may add do not matter, nor does the order", () => {
  expect(checkSignature(`v2=abc, ${V1}, t=${T}`, BODY, SECRET, NOW)).toBe("genuine");
});

test("a new secret has 32 characters after its prefix, and is never another's", () => {
  const random = seededBytes(7);
  const secrets = Array.from({ length: 1000 }, () => newSecret(random));
  for (const secret of secrets) expect(secret).toMatch(/^whsec_[0-9A-Za-z]{32}$/);
  expect(new Set(secrets).size).toBe(1000);
});

test("any 2xx is a success; a failure waits as published, and by chance less than a tenth longer, in whole milliseconds", () => {
  const statuses = [null, 101, 199, 200, 204, 299, 300, 304, 410, 500];
  expect(statuses.filter((status) => outcomeIsSuccess({ status }))).toEqual([200, 204, 299]);
  const after = (byte: number) =>
    [1, 2, 3, 4, 5, 6].map((attempts) => nextAttempt(attempts, NOW, () => new Uint8Array(4).fill(byte)));
  const waits = [60_000, 300_000, 1_800_000, 7_200_000, 21_600_000];
  expect(after(0)).toEqual([...waits.map((wait) => NOW + wait), null]);
  expect(after(255)).toEqual([...waits.map((wait) => NOW + wait + wait / 10 - 1), null]);
});
