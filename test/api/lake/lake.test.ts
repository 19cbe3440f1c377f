/** The lake over HTTP is the lake on disk: bytes, ranges, and readers that never saw the product. */

import { describe, expect, test } from "bun:test";
import { readFileSync, renameSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { asyncBufferFromUrl, parquetReadObjects } from "hyparquet";
import { compressors } from "hyparquet-compressors";
import { sha256 } from "#domain/chain/entry.ts";
import { quoteOfPair } from "#test/domain/live/quote.ts";
import { flip } from "#test/store/delta/sample.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { bytesOf, DAILY, FEW_QUOTES, MANY_QUOTES, serveLake } from "./lake-server.ts";

const directory = temporaryDirectory();
const server = await serveLake(directory);
const { ask, manifest } = server;

/** Files under fixed names, and the same ones under the names of their version. */
const FILES = [DAILY, MANY_QUOTES].flatMap((current) => [
  [current, () => current] as const,
  [`the part of ${current}`, () => server.named(current)] as const,
]);

const onDisk = (path: string) => readFileSync(join(directory, path));

describe("a whole file", () => {
  test("every file that a manifest names comes byte for byte, under both of its names", async () => {
    const { files: daily, manifests } = await manifest();
    expect(daily.map(({ current }) => current)).toEqual([
      DAILY,
      "current/revisions/source=ecb_daily/year=2025/revisions.parquet",
      "current/held/held.parquet",
    ]);
    expect(manifests).toEqual({ intraday: "intraday/manifest.json" });
    const { files: intraday } = await manifest(manifests.intraday);
    expect(intraday.map(({ current, rows }) => [current, rows])).toEqual([
      [FEW_QUOTES, 10],
      [MANY_QUOTES, 30_000],
    ]);
    for (const { path, current, bytes, sha256: digest } of [...daily, ...intraday]) {
      for (const name of [path, current]) {
        const response = await ask(name);
        expect(response.headers.get("content-length")).toBe(String(bytes));
        const body = await bytesOf(response);
        expect(body.equals(onDisk(name))).toBe(true);
        expect(body.byteLength).toBe(bytes);
        expect(sha256(body)).toBe(digest);
        expect(response.headers.get("etag")).toBe(`"${digest}"`);
        expect(response.headers.get("repr-digest")).toBe(
          `sha-256=:${Buffer.from(digest, "hex").toString("base64")}:`,
        );
      }
    }
  });

  test("may be cached for ever under the name of its version, and only with revalidation under its fixed name", async () => {
    for (const current of [DAILY, MANY_QUOTES]) {
      const directives = async (path: string, headers = {}) =>
        (await ask(path, headers)).headers.get("cache-control")?.split(", ") ?? [];
      const part = await server.named(current);
      const etag = (await ask(part)).headers.get("etag") ?? "";
      for (const headers of [{}, { range: "bytes=0-3" }, { "if-none-match": etag }]) {
        expect(await directives(part, headers)).toEqual(expect.arrayContaining(["private", "immutable"]));
        expect(await directives(current, headers)).toContain("no-cache");
        expect(await directives(current, headers)).not.toContain("immutable");
      }
    }
    expect((await ask("manifest.json")).headers.get("cache-control")).toContain("no-cache");
  });
});

describe("ranges", () => {
  test.each(FILES)("parts of %s put together are the file", async (_, pathOf) => {
    const path = await pathOf();
    const whole = onDisk(path);
    // Of the large file one piece is sent from memory, the other from disk.
    const size = whole.length > 300_000 ? 300_000 : 1000;
    expect(whole.length).toBeGreaterThan(size);
    const parts: Buffer[] = [];
    for (let at = 0; at < whole.length; at += size) {
      const response = await ask(path, { range: `bytes=${at}-${at + size - 1}` });
      const end = Math.min(at + size, whole.length) - 1;
      expect(response.status).toBe(206);
      expect(response.headers.get("content-range")).toBe(`bytes ${at}-${end}/${whole.length}`);
      expect(response.headers.get("content-length")).toBe(String(end - at + 1));
      parts.push(await bytesOf(response));
    }
    expect(Buffer.concat(parts).equals(whole)).toBe(true);
  });

  test.each([
    ["bytes=-4", (size: number) => [size - 4, size]],
    ["bytes=4-", (size: number) => [4, size]],
    ["Bytes=0-0", () => [0, 1]],
    ["bytes=-99999999999999999999", (size: number) => [0, size]],
    [`bytes=7-${"9".repeat(400)}`, (size: number) => [7, size]],
  ])("%p is one part", async (range, expected) => {
    const whole = onDisk(DAILY);
    const [start = 0, end = 0] = expected(whole.length);
    const response = await ask(DAILY, { range });
    expect(response.status).toBe(206);
    expect((await bytesOf(response)).equals(whole.subarray(start, end))).toBe(true);
  });

  test.each([
    "bytes=0-3,8-11",
    "bytes=9-3",
    "bytes=-",
    "bytes=",
    "bytes=a-b",
    "bytes=1.5-3",
    "bytes=--4",
    "rows=0-3",
    "0-3",
  ])("%p is answered with the whole file", async (range) => {
    for (const path of [DAILY, MANY_QUOTES]) {
      const response = await ask(path, { range });
      expect(response.status).toBe(200);
      expect(response.headers.get("content-range")).toBeNull();
      expect((await bytesOf(response)).equals(onDisk(path))).toBe(true);
    }
  });

  test.each(["bytes=99999999-", `bytes=${"9".repeat(400)}-`, "bytes=-0"])(
    "%p is refused with the size",
    async (range) => {
      for (const path of [DAILY, MANY_QUOTES]) {
        const response = await ask(path, { range });
        expect(response.status).toBe(416);
        expect(response.headers.get("content-range")).toBe(`bytes */${onDisk(path).length}`);
        expect(await response.json()).toMatchObject({ code: "range_not_satisfiable" });
      }
    },
  );

  test("a part of the manifest is never sent: it would be no JSON", async () => {
    for (const path of ["manifest.json", "intraday/manifest.json"])
      expect((await ask(path, { range: "bytes=0-3" })).status).toBe(200);
  });
});

test("a JavaScript reader of its own, by ranges over HTTP, sees the rows of the JSON pages", async () => {
  const statuses = new Set<number>();
  const counted = (async (...call: Parameters<typeof fetch>) => {
    const response = await fetch(...call);
    statuses.add(response.status);
    return response;
  }) as typeof fetch;
  const file = await asyncBufferFromUrl({ url: `${server.url}/v1/lake/${DAILY}`, fetch: counted });
  const rows = await parquetReadObjects({ file, compressors, columns: ["date", "quote", "value"] });
  expect(statuses).toEqual(new Set([200, 206]));
  const read = rows.map(({ date, quote, value }) => `${date.toISOString().slice(0, 10)} ${quote} ${value}`);

  const query = "base=EUR&symbols=USD,GBP,JPY&start_date=2025-01-01&end_date=2025-12-31";
  const page = (await (await fetch(`${server.url}/v1/range?${query}`)).json()) as {
    readonly has_more: boolean;
    readonly data: readonly { readonly date: string; readonly rates: Record<string, number> }[];
  };
  expect(page.has_more).toBe(false);
  const answered = page.data.flatMap(({ date, rates }) =>
    Object.entries(rates).map(([symbol, rate]) => `${date} ${symbol} ${rate}`),
  );
  expect(read.length).toBeGreaterThan(700);
  expect(read.sort()).toEqual(answered.sort());
});

// A damaged file of the lake is never sent: refused under every name, by ranges and conditions too, until it is restored.

const HOWS = ["missing", "cut", "flipped"] as const;

function damage(path: string, how: (typeof HOWS)[number]): void {
  if (how === "missing") rmSync(path);
  if (how === "cut") truncateSync(path, statSync(path).size - 1);
  if (how === "flipped") flip(path);
}

test.each([...HOWS])("a file that is %s", async (how) => {
  for (const current of [DAILY, MANY_QUOTES]) {
    const part = await server.named(current);
    const intact = readFileSync(join(directory, part));
    const etag = (await ask(part)).headers.get("etag") ?? "";
    const manifest = await (await ask("manifest.json")).text();
    damage(join(directory, part), how);
    for (const path of [part, current]) {
      for (const headers of [
        {},
        { range: "bytes=0-3" },
        { range: "bytes=-8" },
        { "if-none-match": etag },
        { "if-match": etag },
        { "if-range": etag, range: "bytes=4-9" },
      ]) {
        const refused = await ask(path, headers);
        expect(refused.status).toBe(503);
        expect(refused.headers.get("etag")).toBeNull();
        expect(refused.headers.get("cache-control")).toBe("no-store");
        const body = await refused.text();
        expect(JSON.parse(body)).toMatchObject({ code: "data_unavailable" });
        // The fault is stated without a path of this machine.
        expect(body).not.toContain(directory);
      }
      expect((await ask(path, {}, "HEAD")).status).toBe(503);
    }
    // The others are as they were, and so is the manifest's entry of this one.
    expect((await ask(FEW_QUOTES)).status).toBe(200);
    expect(await (await ask("manifest.json")).text()).toBe(manifest);

    writeFileSync(join(directory, `${part}.restored`), intact);
    renameSync(join(directory, `${part}.restored`), join(directory, part));
    for (const path of [part, current]) {
      const again = await ask(path);
      expect(again.headers.get("etag")).toBe(etag);
      expect(Buffer.from(await again.arrayBuffer()).equals(intact)).toBe(true);
    }
  }
});

test("damage to a log while the server runs is refused without naming its path", async () => {
  // A commit of another process that does not end as it must.
  const name = "00000000000000000002.json";
  writeFileSync(join(directory, "intraday/_delta_log", name), '{"add":{"path":"x"}}\n');
  for (const path of ["intraday/manifest.json", FEW_QUOTES, "intraday/date=2026-03-02/part-x.parquet"]) {
    const refused = await fetch(`${server.url}/v1/lake/${path}`);
    const body = await refused.text();
    expect([refused.status, JSON.parse(body).code]).toEqual([503, "data_unavailable"]);
    expect(body).not.toContain(directory);
  }
  expect((await fetch(`${server.url}/v1/lake/${DAILY}`)).status).toBe(200);
  rmSync(join(directory, "intraday/_delta_log", name));
  expect((await fetch(`${server.url}/v1/lake/${FEW_QUOTES}`)).status).toBe(200);
});

test("a replaced file that is damaged is refused, too, and one that is gone is not found", async () => {
  const old = await server.named(FEW_QUOTES);
  await server.archive.append([quoteOfPair("USD/CHF", "0.8", Date.parse("2026-03-02T13:00:00Z"))]);
  await server.archive.flush();
  const statusOf = async () => (await fetch(`${server.url}/v1/lake/${old}`)).status;
  expect(await statusOf()).toBe(200);
  damage(join(directory, old), "flipped");
  expect(await statusOf()).toBe(503);
  damage(join(directory, old), "missing");
  expect(await statusOf()).toBe(404);
  expect((await fetch(`${server.url}/v1/lake/${FEW_QUOTES}`)).status).toBe(200);
});
