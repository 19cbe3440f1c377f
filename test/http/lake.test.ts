/** The lake over HTTP is the lake on disk: bytes, ranges, conditions, refusals, and readers that never saw the product. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { asyncBufferFromUrl, parquetReadObjects } from "hyparquet";
import { compressors } from "hyparquet-compressors";
import { createApp } from "#http/app.ts";
import { at, quote } from "#test/store/archive/sample.ts";
import { change, observation, RETRIEVED } from "#test/store/lake/sample.ts";
import { temporaryDirectory } from "#test/temporary.ts";
import { assertResponseConforms } from "./conformance.ts";
import { openTestApp } from "./harness.ts";
import { FEW_QUOTES, type LakeServer, MANY_QUOTES, serveLake } from "./lake-server.ts";
import { rawExchange } from "./raw-exchange.ts";

const DAILY = "daily/source=ecb_daily/year=2025/rates.parquet";
const directory = temporaryDirectory();
let server: LakeServer;
beforeAll(async () => {
  server = await serveLake(directory);
});
afterAll(() => server.stop());

interface Manifest {
  readonly version: string;
  readonly manifests: { readonly intraday: string };
  readonly files: readonly { readonly path: string; readonly bytes: number; readonly sha256: string }[];
}

/** Asks for a path of the lake and holds the answer against the OpenAPI document. */
async function ask(path: string, headers: Record<string, string> = {}, method = "GET"): Promise<Response> {
  const url = `${server.url}/v1/lake/${path}`;
  const response = await fetch(url, { method, headers });
  const plain = new URL(url.replaceAll("%3D", "=")).toString();
  await assertResponseConforms(method, plain, response);
  return response;
}

const manifest = async (path = "manifest.json") => (await (await ask(path)).json()) as Manifest;
const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer());
const onDisk = (path: string) => readFileSync(join(directory, path));
const sha256 = (bytes: Uint8Array) => new Bun.CryptoHasher("sha256").update(bytes).digest("hex");

describe("a whole file", () => {
  test("the manifest is the one on disk, and every file it names comes byte for byte", async () => {
    expect(await (await ask("manifest.json")).text()).toBe(onDisk("manifest.json").toString());
    const { files: daily, manifests } = await manifest();
    expect(daily.map(({ path }) => path.split("/")[0])).toEqual(["daily", "held", "superseded"]);
    expect(await (await ask(manifests.intraday)).text()).toBe(onDisk("intraday/manifest.json").toString());
    const { files: intraday } = await manifest(manifests.intraday);
    expect(intraday.map(({ path }) => path)).toEqual([FEW_QUOTES, MANY_QUOTES]);
    for (const { path, bytes, sha256: digest } of [...daily, ...intraday]) {
      const response = await ask(path);
      expect(response.headers.get("content-length")).toBe(String(bytes));
      const body = await bytesOf(response);
      expect(body.equals(onDisk(path))).toBe(true);
      expect(body.byteLength).toBe(bytes);
      expect(response.headers.get("etag")).toBe(`"${digest}"`);
      expect(response.headers.get("repr-digest")).toBe(
        `sha-256=:${Buffer.from(digest, "hex").toString("base64")}:`,
      );
    }
  });

  test.each([DAILY, MANY_QUOTES])("HEAD of %p has the length and the tag, and no body", async (path) => {
    const bytes = onDisk(path).length;
    const digest = sha256(onDisk(path));
    const raw = await rawExchange(
      server.port,
      `HEAD /v1/lake/${path} HTTP/1.1\r\nHost: localhost\r\nRange: bytes=0-3\r\nConnection: close\r\n\r\n`,
    );
    const [head = "", body] = raw.split("\r\n\r\n");
    expect(head).toStartWith("HTTP/1.1 200 ");
    expect(head.match(/^content-length: .*$/gim)).toHaveLength(1);
    expect(head).toMatch(new RegExp(`^content-length: ${bytes}$`, "im"));
    expect(head).toMatch(/^accept-ranges: bytes$/im);
    expect(head).toContain(`"${digest}"`);
    expect(body).toBe("");
  });

  test("an equals sign may come percent-encoded", async () => {
    const body = await bytesOf(await ask(DAILY.replaceAll("=", "%3D")));
    expect(body.equals(onDisk(DAILY))).toBe(true);
  });
});

describe("ranges", () => {
  test.each([
    [DAILY, 1000],
    // One piece is sent from memory, the other from disk.
    [MANY_QUOTES, 300_000],
  ])("parts of %p put together are the file", async (path, size) => {
    const whole = onDisk(path);
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

describe("conditions", () => {
  test("a known version is not sent again", async () => {
    for (const path of [DAILY, "manifest.json", MANY_QUOTES, "intraday/manifest.json"]) {
      const etag = (await ask(path)).headers.get("etag") ?? "";
      for (const known of [etag, `W/${etag}`, `"x", ${etag}`, "*"]) {
        const response = await ask(path, { "if-none-match": known, range: "bytes=0-3" });
        expect(response.status).toBe(304);
        expect(response.headers.get("etag")).toBe(etag);
      }
      expect((await ask(path, { "if-none-match": '"x"' })).status).toBe(200);
    }
  });

  test.each([DAILY, MANY_QUOTES])(
    "If-Match refuses any other version of %p, and a weak tag matches nothing",
    async (path) => {
      const etag = (await ask(path)).headers.get("etag") ?? "";
      expect((await ask(path, { "if-match": `"x", ${etag}` })).status).toBe(200);
      expect((await ask(path, { "if-match": "*" })).status).toBe(200);
      for (const other of ['"x"', `W/${etag}`]) {
        const response = await ask(path, { "if-match": other, range: "bytes=0-3" });
        expect(response.status).toBe(412);
        expect(await response.json()).toMatchObject({ code: "precondition_failed" });
      }
    },
  );

  test.each([DAILY, MANY_QUOTES])(
    "If-Range gives the part of that version of %p, else the whole file",
    async (path) => {
      const whole = onDisk(path);
      const etag = (await ask(path)).headers.get("etag") ?? "";
      const given = async (version: string) => {
        const response = await ask(path, { range: "bytes=4-", "if-range": version });
        return [
          response.status,
          (await bytesOf(response)).equals(response.status === 206 ? whole.subarray(4) : whole),
        ];
      };
      expect(await given(etag)).toEqual([206, true]);
      for (const other of ['"x"', `W/${etag}`, "Mon, 13 Apr 2026 16:30:00 GMT"])
        expect(await given(other)).toEqual([200, true]);
    },
  );
});

describe("nothing else is served", () => {
  test.each([
    ".writer.sqlite",
    ".columns.cache",
    "../cursor.key",
    "daily/../../../cursor.key",
    "daily/source=ecb_daily/../../.writer.sqlite",
    "daily/%2e%2e/%2e%2e/rates.parquet",
    "daily/source=ecb_daily%2fyear=2025/rates.parquet",
    "daily/source=ecb_daily/year=2025%2f..%2fyear=2025/rates.parquet",
    "daily/source=ecb_daily/year=2025/..%2f..%2f..%2fmanifest.json",
    "daily/source%253Decb_daily/year=2025/rates.parquet",
    "daily/source=ecb_daily/year=2025%00/rates.parquet",
    "daily/source=ecb_daily/%ff/rates.parquet",
    "daily/source=ecb_daily/year=2024/rates.parquet",
    "daily/SOURCE=ecb_daily/year=2025/rates.parquet",
    "daily/source=ecb_daily/year=2025",
    "superseded/source=fred_daily/year=2025/revisions.parquet",
    "held//held.parquet",
    "intraday/date=2026-03-04/quotes.parquet",
    "intraday/date=2026-03-02/..%2f..%2fmanifest.json",
    "intraday/date%253D2026-03-02/quotes.parquet",
    "intraday/2026-03-02/quotes.parquet",
    "intraday/.journal/quotes.parquet",
    "intraday/.writer.sqlite",
    "intraday/.served/quotes.parquet",
    ".served/quotes.parquet",
    "",
  ])("%p is not found", async (path) => {
    const answer = await rawExchange(
      server.port,
      `GET /v1/lake/${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
    );
    expect(answer).toStartWith("HTTP/1.1 404 ");
    expect(answer).toContain('"code":"not_found"');
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

describe("while the lake changes", () => {
  const path = "daily/source=ecb_daily/year=2024/rates.parquet";
  const at2024 = (printed: string, revision: number) =>
    change({
      accepted: [
        observation("2024-12-30", "USD", printed, {
          revision,
          name: `version-${revision}`,
          retrievedAt: RETRIEVED + revision * 1000,
        }),
      ],
    });

  test("a reader by ranges notices that the file was replaced, and the manifest names the new one", async () => {
    // A year of its own: the other tests may run before or after.
    const at = "daily/source=ecb_daily/year=2023/rates.parquet";
    await server.lake.commit(() => change({ accepted: [observation("2023-12-29", "USD", "1.1050")] }));
    const before = await manifest();
    const first = await ask(at, { range: "bytes=0-99" });
    const etag = first.headers.get("etag") ?? "";
    await server.lake.commit(() => change({ accepted: [observation("2023-12-28", "USD", "1.1114")] }));

    expect((await ask(at, { range: "bytes=100-199", "if-match": etag })).status).toBe(412);
    const again = await ask(at, { range: "bytes=100-199", "if-range": etag });
    expect(again.status).toBe(200);
    expect(again.headers.get("etag")).not.toBe(etag);
    expect((await bytesOf(again)).equals(onDisk(at))).toBe(true);
    const after = await manifest();
    expect(after.version).not.toBe(before.version);
    const named = after.files.find((file) => file.path === at);
    expect(again.headers.get("etag")).toBe(`"${named?.sha256}"`);
  });

  test("every answer while quotes are flushed is one whole version under its own tag", async () => {
    let [flushing, last] = [true, at("2026-03-03T20:00:00Z")];
    const flushes = (async () => {
      for (let count = 0; count < 3; count++) {
        last += 60_000;
        await server.archive.append([quote("USD/EUR", "0.9", last)]);
        await server.archive.flush();
      }
      flushing = false;
    })();
    const seen = new Set<string>();
    do {
      const response = await ask(MANY_QUOTES);
      const tag = `"${sha256(await bytesOf(response))}"`;
      expect(response.headers.get("etag")).toBe(tag);
      seen.add(tag);
    } while (flushing);
    await flushes;
    expect(seen.size).toBeGreaterThan(1);
    const { files } = await manifest("intraday/manifest.json");
    const etag = (await ask(MANY_QUOTES, {}, "HEAD")).headers.get("etag");
    expect(etag).toBe(`"${files.find((file) => file.path === MANY_QUOTES)?.sha256}"`);
  });

  test("every answer during commits is one whole version under its own tag", async () => {
    await server.lake.commit(() => at2024("1.0444", 1));
    let committing = true;
    const commits = (async () => {
      for (let revision = 2; revision <= 6; revision++) {
        await server.lake.commit(() => at2024(`1.044${revision}`, revision));
      }
      committing = false;
    })();
    const seen = new Set<string>();
    do {
      const response = await ask(path);
      expect(response.status).toBe(200);
      const tag = `"${sha256(await bytesOf(response))}"`;
      expect(response.headers.get("etag")).toBe(tag);
      seen.add(tag);
    } while (committing);
    await commits;
    expect(seen.size).toBeGreaterThan(1);
    expect((await ask(path)).headers.get("etag")).toBe(`"${sha256(onDisk(path))}"`);
  });
});

describe("a large file without a name of its own", () => {
  const content = new Uint8Array(700_001).map((_, index) => (index * 7919) % 251);
  let [opened, closed] = [0, 0];
  const app = openTestApp({
    lakeFiles: {
      manifest: async () => ({ text: "{}", sha256: "0a".repeat(32) }),
      open: async () => {
        opened += 1;
        return {
          bytes: content.length,
          sha256: sha256(content),
          read: async (start, end) => content.slice(start, end),
          close: async () => {
            closed += 1;
          },
        };
      },
    },
  });

  test.each([
    [undefined, 0, 700_001],
    ["bytes=5-600000", 5, 600_001],
    ["bytes=5-", 5, 700_001],
    ["bytes=-9", 699_992, 700_001],
  ])("comes piece by piece: %p", async (range, start, end) => {
    const response = await app.ask(`/v1/lake/${DAILY}`, range === undefined ? {} : { headers: { range } });
    const body = await bytesOf(response);
    expect(body.equals(content.subarray(start, end))).toBe(true);
    expect(closed).toBe(opened);
  });

  test("is closed when the reader leaves", async () => {
    const answer = createApp(app.deps).answer;
    const url = `http://localhost/v1/lake/${DAILY}`;
    const response = await answer(new Request(url, { headers: { host: "localhost" } }));
    const reader = response.body?.getReader();
    await reader?.read();
    expect(closed).toBe(opened - 1);
    await reader?.cancel();
    expect(closed).toBe(opened);
  });
});
