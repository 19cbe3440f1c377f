import { expect, test } from "bun:test";
import { gunzipSync } from "node:zlib";
import { newGzipPieces } from "#api/response/negotiation.ts";
import { seededRandom } from "#test/support/seeded-random.ts";

test.each([1, 2, 3])("pieces of any size are one gzip stream with the bytes of all (%d)", (seed) => {
  const random = seededRandom(seed);
  const coder = newGzipPieces();
  const pieces = Array.from({ length: 20 }, () =>
    Uint8Array.from({ length: Math.floor(random() * 5_000) }, () => Math.floor(random() * 40)),
  );
  const coded = Buffer.concat([...pieces.map(coder.add), coder.end()]);
  expect(Buffer.compare(gunzipSync(coded), Buffer.concat(pieces))).toBe(0);
});

test("a stream that was broken off is not taken for whole, and a flipped byte is noticed", () => {
  const coder = newGzipPieces();
  const first = coder.add(Buffer.from("a".repeat(1000)));
  const whole = Buffer.concat([first, coder.add(Buffer.from("b".repeat(1000))), coder.end()]);
  expect(() => gunzipSync(first)).toThrow();
  expect(() => gunzipSync(whole.subarray(0, -1))).toThrow();
  const flipped = Buffer.from(whole);
  flipped[flipped.length - 8] = (flipped[flipped.length - 8] as number) ^ 1;
  expect(() => gunzipSync(flipped)).toThrow();
});
