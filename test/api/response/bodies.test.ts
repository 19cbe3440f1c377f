/** Bodies of answers: read once, coded once, printed with exact digits. */

import { describe, expect, test } from "bun:test";
import { gunzipSync, zstdDecompressSync } from "node:zlib";
import { encodeBody, partsOf } from "#api/response/json.ts";
import { openLargeBodies } from "#api/response/large-bodies.ts";
import { newCodedBodies } from "#api/response/ready.ts";
import { createStaticBody } from "#api/response/static-body.ts";
import { CacheBudget } from "#domain/cache/budget.ts";
import { seededRandom } from "#test/support/seeded-random.ts";

test("a body that never changes is read once for all, and again at the next request where it could not be read", async () => {
  const large = openLargeBodies({ most: 100, addressOf: () => "", isDone: () => true });
  let [isThere, reads] = [false, 0];
  const load = async () => {
    reads += 1;
    if (!isThere) throw new Error("not there");
    return "let a;";
  };
  const send = createStaticBody(
    { mime: "text/plain", cacheControl: "no-cache", load },
    { simulated: false, large },
  );
  const ask = async () => await (await send(new Request("http://localhost/file"))).text();
  await expect(ask()).rejects.toThrow("not there");
  isThere = true;
  expect(await Promise.all([ask(), ask()])).toEqual(["let a;", "let a;"]);
  expect(reads).toBe(2);
});

const ENCODER = new TextEncoder();

function bodyOf(tag: string, text = tag.repeat(700)) {
  return { bytes: ENCODER.encode(text), etag: `W/"${tag}"` };
}

describe("compressed bodies", () => {
  test("are shared by all requests for the same content in the same coding and second", () => {
    const coded = newCodedBodies(new CacheBudget(20_000_000));
    expect(coded(bodyOf("abc"), "gzip", 7)).toBe(coded(bodyOf("abc"), "gzip", 7));
    expect(zstdDecompressSync(coded(bodyOf("abc"), "zstd", 7)).toString()).toBe("abc".repeat(700));
  });
  test("hold the second in which they are sent", () => {
    const coded = newCodedBodies(new CacheBudget(20_000_000));
    for (const second of [7, 8, 7]) {
      const text = `served in second ${second}`;
      expect(gunzipSync(coded(bodyOf("abc", text), "gzip", second)).toString()).toBe(text);
    }
  });
  test("take no more than their share of the cache budget", () => {
    const caches = new CacheBudget(20_000_000);
    const coded = newCodedBodies(caches);
    const noise = (tag: string) => ({
      bytes: crypto.getRandomValues(new Uint8Array(16_384)),
      etag: `W/"${tag}"`,
    });
    for (let index = 0; index < 70; index++) coded(noise(`${index}`), "gzip", 7);
    const [use] = caches.uses();
    expect(use?.entries).toBeGreaterThan(50);
    expect(use?.bytes).toBeLessThanOrEqual(1_000_000);
  });
});

test("texts of JSON in pieces are what JSON.stringify makes of them, whatever is in them", () => {
  const random = seededRandom(20_261_126);
  const parts = [
    "EUR",
    "ecb_daily",
    "2026-04-13T16:30:00Z",
    " ",
    ".",
    ",",
    "/",
    '"',
    "\\",
    "\n",
    "\t",
    "\u0000",
    "\u007f",
  ];
  parts.push("é", "€", "😀", "\ud800", "<", "'", "\u2028", "`");
  for (let nth = 0; nth < 5_000; nth++) {
    let text = "";
    for (let part = 0; part < nth % 7; part++) text += parts[Math.floor(random() * parts.length)];
    const { bytes, stampAt } = encodeBody(partsOf({ text, list: [text] }));
    expect([new TextDecoder().decode(bytes), stampAt]).toEqual([JSON.stringify({ text, list: [text] }), -1]);
  }
});
