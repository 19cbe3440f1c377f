/** One layer makes every answer: the same common headers, conditions by RFC 9110 and HEAD, whatever kind of route it is. */

import { describe, expect, test } from "bun:test";
import { sampleApp } from "#test/api/sample-world.ts";

const { visit: ask } = sampleApp();

const WINDOW = "symbols=EUR,GBP&start_date=2026-04-09&end_date=2026-04-13";
const FILE = "/v1/lake/daily/ecb/2026/part-1.parquet";

/** A path of every kind of route whose answers have a tag, weak or strong. */
const TAGGED: readonly (readonly [kind: string, path: string, strength: "weak" | "strong"])[] = [
  ["a ready body", "/v1/latest", "weak"],
  ["a day", "/v1/2026-04-10/EUR", "weak"],
  ["a page of a range", `/v1/range?${WINDOW}`, "weak"],
  ["a page of bars", "/v1/range?symbols=EUR&start_date=2026-04-09&end_date=2026-04-09&interval=1h", "weak"],
  ["an estimate", `/v1/range?${WINDOW}&format=csv&estimate=1`, "weak"],
  ["an export", `/v1/range?${WINDOW}&format=csv`, "strong"],
  ["official tables", "/v1/official", "weak"],
  ["a manifest", "/v1/lake/manifest.json", "strong"],
  ["a file of the lake", FILE, "strong"],
  ["the API description", "/openapi.json", "weak"],
  ["a page", "/docs", "weak"],
  ["a compatible day", "/compat/frankfurter/v1/2026-04-10", "weak"],
  ["a compatible series", "/v2/rates?from=2026-04-09", "weak"],
];

describe.each(TAGGED)("%s", (_, path, strength) => {
  test("is 304 without a body for a list, * and the weak form of its tag, and 200 for others", async () => {
    const etag = (await ask(path)).headers.get("etag") as string;
    expect(etag).toMatch(strength === "weak" ? /^W\/"[^"]+"$/ : /^"[^"]+"$/);
    const opaque = etag.replace("W/", "");
    for (const known of [etag, opaque, `W/${opaque}`, `W/"a",W/${opaque} , "b"`, "*"]) {
      const second = await ask(path, { headers: { "if-none-match": known } });
      expect(`${known} ${second.status}`).toBe(`${known} 304`);
      expect(second.headers.get("etag")).toBe(etag);
      expect(second.headers.get("content-length")).toBeNull();
      expect(await second.text()).toBe("");
    }
    for (const known of ['W/"other"', `x${opaque}`, opaque.slice(0, -2)])
      expect((await ask(path, { headers: { "if-none-match": known } })).status).toBe(200);
  });
  test("If-Match, which compares strong tags, refuses where the tag is strong and another one is wanted", async () => {
    const etag = (await ask(path)).headers.get("etag") as string;
    for (const wanted of ['"other"', `W/${etag}`]) {
      const other = await ask(path, { headers: { "if-match": wanted } });
      expect(other.status).toBe(strength === "strong" ? 412 : 200);
    }
    expect((await ask(path, { headers: { "if-match": `"other", ${etag}` } })).status).toBe(200);
  });
});

// Of the exports one that was sent as it was made, and one of which the first that is asked for is a part.
test.each([
  FILE,
  `/v1/range?${WINDOW}&format=csv&dp=3`,
  `/v1/range?${WINDOW}&format=parquet`,
  "/v1/latest?format=csv",
  "/v1/2026-04-10?format=csv",
  "/v2/rates.csv?from=2026-04-09",
])("%s is sent in parts, while If-Range names its version by the strong tag", async (path) => {
  const part = (range: string, condition: Record<string, string> = {}) =>
    ask(path, { headers: { range, ...condition } });
  if (path.includes("csv")) await (await ask(path)).bytes();
  const first = await part("bytes=0-3");
  const etag = first.headers.get("etag") as string;
  const whole = await (await ask(path)).bytes();
  expect([first.status, first.headers.get("content-range")]).toEqual([206, `bytes 0-3/${whole.length}`]);
  expect(await first.bytes()).toEqual(whole.subarray(0, 4));
  const last = await part("bytes=-3", { "if-range": etag });
  expect([last.status, last.headers.get("content-length")]).toEqual([206, "3"]);
  expect(await last.bytes()).toEqual(whole.subarray(-3));
  for (const other of [`W/${etag}`, '"other"', "Mon, 13 Apr 2026 16:30:00 GMT"])
    expect((await part("bytes=0-3", { "if-range": other })).status).toBe(200);
  expect(await (await part("bytes=0-1,3-3")).bytes()).toEqual(whole);
  const beyond = await part(`bytes=${whole.length}-`);
  expect([beyond.status, beyond.headers.get("content-range")]).toEqual([416, `bytes */${whole.length}`]);
});

test("a coded answer names its coding, and every coded kind prefers br, then zstd, then gzip", async () => {
  for (const path of [
    "/v1/currencies",
    "/v2/currencies",
    "/v1/range?symbols=*&start_date=2026-04-09&end_date=2026-04-09&interval=1h",
  ]) {
    for (const [accepted, coding] of [
      ["gzip, zstd, br", "br"],
      ["gzip, zstd", "zstd"],
      ["br;q=0.5, gzip", "gzip"],
      ["br;q=0, zstd;q=0, *", "gzip"],
      ["identity", null],
    ] as const) {
      const answer = await ask(path, { headers: { "accept-encoding": accepted } });
      expect([path, accepted, answer.headers.get("content-encoding")]).toEqual([path, accepted, coding]);
      expect(answer.headers.get("vary")).toContain("Accept-Encoding");
      const { byteLength } = await answer.clone().arrayBuffer();
      // The server writes the length of what is sent as it is; the tests on the wire read it there.
      if (coding !== null) expect(answer.headers.get("content-length")).toBe(String(byteLength));
    }
  }
});

const UNTAGGED = ["/health", "/status", "/nowhere", "/v1/latest/XXX", "/", "/v1/stream", "/v1/account"];

test.each([...TAGGED.map(([, path]) => path), ...UNTAGGED])("%s has the common headers", async (path) => {
  const controller = new AbortController();
  const { headers } = await ask(path, {
    signal: controller.signal,
    headers: { "x-request-id": "order-7.retry_2" },
  });
  controller.abort();
  expect(headers.get("access-control-allow-origin")).toBe("*");
  expect(headers.get("access-control-expose-headers")).toBe("*");
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  expect(headers.get("cache-control")).not.toBeNull();
  expect(headers.get("x-request-id")).toBe("order-7.retry_2");
});
