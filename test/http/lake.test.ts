/** The lake over HTTP is the lake on disk: bytes, ranges, conditions, refusals, and readers that never saw the product. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { asyncBufferFromUrl, parquetReadObjects } from "hyparquet";
import { compressors } from "hyparquet-compressors";
import { change, observation, RETRIEVED } from "#test/store/lake/sample.ts";
import { temporaryDirectory } from "#test/store/lake/temporary.ts";
import { assertResponseConforms } from "./conformance.ts";
import { type LakeServer, serveLake } from "./lake-server.ts";
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

const manifest = async () => (await (await ask("manifest.json")).json()) as Manifest;
const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer());
const onDisk = (path: string) => readFileSync(join(directory, path));
const sha256 = (bytes: Uint8Array) => new Bun.CryptoHasher("sha256").update(bytes).digest("hex");

describe("a whole file", () => {
  test("the manifest is the one on disk, and every file it names comes byte for byte", async () => {
    expect(await (await ask("manifest.json")).text()).toBe(onDisk("manifest.json").toString());
    const { files } = await manifest();
    expect(files.map(({ path }) => path.split("/")[0])).toEqual(["daily", "held", "superseded"]);
    for (const { path, bytes, sha256: digest } of files) {
      const response = await ask(path);
      const body = await bytesOf(response);
      expect(body.equals(onDisk(path))).toBe(true);
      expect(body.byteLength).toBe(bytes);
      expect(response.headers.get("etag")).toBe(`"${digest}"`);
      expect(response.headers.get("repr-digest")).toBe(
        `sha-256=:${Buffer.from(digest, "hex").toString("base64")}:`,
      );
    }
  });

  test("HEAD has the length and the tag, and no body", async () => {
    const { bytes = 0, sha256: digest } = (await manifest()).files.find(({ path }) => path === DAILY) ?? {};
    const raw = await rawExchange(
      server.port,
      `HEAD /v1/lake/${DAILY} HTTP/1.1\r\nHost: localhost\r\nRange: bytes=0-3\r\nConnection: close\r\n\r\n`,
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
  test("parts put together are the file", async () => {
    const whole = onDisk(DAILY);
    const parts: Buffer[] = [];
    for (let at = 0; at < whole.length; at += 1000) {
      const response = await ask(DAILY, { range: `bytes=${at}-${at + 999}` });
      const end = Math.min(at + 1000, whole.length) - 1;
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
    const response = await ask(DAILY, { range });
    expect(response.status).toBe(200);
    expect((await bytesOf(response)).equals(onDisk(DAILY))).toBe(true);
  });

  test.each(["bytes=99999999-", `bytes=${"9".repeat(400)}-`, "bytes=-0"])(
    "%p is refused with the size",
    async (range) => {
      const response = await ask(DAILY, { range });
      expect(response.status).toBe(416);
      expect(response.headers.get("content-range")).toBe(`bytes */${onDisk(DAILY).length}`);
      expect(await response.json()).toMatchObject({ code: "range_not_satisfiable" });
    },
  );

  test("a part of the manifest is never sent: it would be no JSON", async () => {
    expect((await ask("manifest.json", { range: "bytes=0-3" })).status).toBe(200);
  });
});

describe("conditions", () => {
  test("a known version is not sent again", async () => {
    for (const path of [DAILY, "manifest.json"]) {
      const etag = (await ask(path)).headers.get("etag") ?? "";
      for (const known of [etag, `W/${etag}`, `"x", ${etag}`, "*"]) {
        const response = await ask(path, { "if-none-match": known, range: "bytes=0-3" });
        expect(response.status).toBe(304);
        expect(response.headers.get("etag")).toBe(etag);
      }
      expect((await ask(path, { "if-none-match": '"x"' })).status).toBe(200);
    }
  });

  test("If-Match refuses any other version, and a weak tag matches nothing", async () => {
    const etag = (await ask(DAILY)).headers.get("etag") ?? "";
    expect((await ask(DAILY, { "if-match": `"x", ${etag}` })).status).toBe(200);
    expect((await ask(DAILY, { "if-match": "*" })).status).toBe(200);
    for (const other of ['"x"', `W/${etag}`]) {
      const response = await ask(DAILY, { "if-match": other, range: "bytes=0-3" });
      expect(response.status).toBe(412);
      expect(await response.json()).toMatchObject({ code: "precondition_failed" });
    }
  });

  test("If-Range gives the part of that version, else the whole file", async () => {
    const etag = (await ask(DAILY)).headers.get("etag") ?? "";
    const status = async (version: string) =>
      (await ask(DAILY, { range: "bytes=0-3", "if-range": version })).status;
    expect(await status(etag)).toBe(206);
    for (const other of ['"x"', `W/${etag}`, "Mon, 13 Apr 2026 16:30:00 GMT"]) {
      expect(await status(other)).toBe(200);
    }
  });
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
