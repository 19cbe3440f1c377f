/** A file over HTTP: its own headers, what HEAD states before the download, and its formats. */

import { describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { openTestApp } from "#test/api/harness.ts";

const app = openTestApp();

/** Checked against the document, except lines of JSON, which are no JSON document. */
function ask(path: string, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers);
  if (!`${path} ${headers.get("accept")}`.includes("ndjson")) return app.ask(path, init);
  return app.visit(path, init);
}

const QUESTION = "/v1/range?base=USD&symbols=EUR,GBP,JPY&start_date=2026-03-31&end_date=2026-04-13";
const FORMATS = ["csv", "parquet", "ndjson", "arrow"] as const;
const MIME = {
  csv: "text/csv; charset=utf-8",
  parquet: "application/vnd.apache.parquet",
  ndjson: "application/x-ndjson",
  arrow: "application/vnd.apache.arrow.stream",
} as const;

async function bytes(path: string, init?: RequestInit): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await (await ask(path, init)).arrayBuffer());
}

describe("a file", () => {
  test.each([...FORMATS])(
    "of %s states its type, and the second time its length and ETag",
    async (format) => {
      const path = `${QUESTION}&format=${format}`;
      const first = await ask(path);
      expect(first.status).toBe(200);
      expect(first.headers.get("Content-Type")).toBe(MIME[format]);
      expect(first.headers.get("Content-Disposition")).toBe(
        `attachment; filename="crossrate_USD_EUR-GBP-JPY_2026-03-31_2026-04-13.${format}"`,
      );
      expect(first.headers.get("ETag")).toMatch(/^"[0-9a-f]{40}"$/);
      expect(first.headers.get("Vary")).toBe("Accept");
      const content = new Uint8Array(await first.arrayBuffer());
      const digest = createHash("sha256").update(content).digest("base64");
      const again = await ask(path, { headers: { range: `bytes=0-${content.length - 1}` } });
      expect(again.status).toBe(206);
      expect(again.headers.get("Repr-Digest")).toBe(`sha-256=:${digest}:`);
      expect(again.headers.get("Accept-Ranges")).toBe("bytes");
      expect(again.headers.get("ETag")).toBe(first.headers.get("ETag"));
      expect(Buffer.compare(new Uint8Array(await again.arrayBuffer()), content)).toBe(0);
      expect(Buffer.compare(await bytes(path), content)).toBe(0);
    },
  );
  test("has a tag of its own for every content and format, for every spelling of the query", async () => {
    const tag = async (path: string) => (await ask(path, { method: "HEAD" })).headers.get("ETag") as string;
    const different = [
      ...FORMATS.map((format) => `${QUESTION}&format=${format}`),
      `${QUESTION}&format=csv&layout=wide`,
      `${QUESTION}&format=csv&order=desc`,
      `${QUESTION}&format=csv&fill=previous`,
      `${QUESTION}&format=csv&dp=2`,
      `${QUESTION}&format=csv&interval=1w`,
      `${QUESTION}&format=csv&interval=1w&aggregate=mean`,
      `${QUESTION}&format=csv&interval=1mo`,
      `${QUESTION}&format=csv&updated_after=2026-01-01T00:00:00Z`,
      `${QUESTION.replace("USD", "EUR")}&format=csv`,
      `${QUESTION.replace("EUR,GBP,JPY", "EUR,GBP")}&format=csv`,
      `${QUESTION.replace("04-13", "04-10")}&format=csv`,
    ];
    const tags = await Promise.all(different.map(tag));
    expect(new Set(tags).size).toBe(different.length);
    const csv = tags[0] as string;
    for (const same of [
      `${QUESTION.toLowerCase().replace("symbols=eur,gbp,jpy", "symbols=%20eur,gbp,%20jpy")}&format=CSV&fill=none&order=asc`,
      `${QUESTION.replace("EUR,GBP,JPY", "EUR,GBP,EUR,JPY,GBP")}&format=csv`,
      `${QUESTION.replace("04-13", "04-30")}&format=csv`,
    ]) {
      expect(await tag(same)).toBe(csv);
    }
    // The columns of a wide file are in the requested order; the rows of a long one do not depend on it.
    const turned = QUESTION.replace("EUR,GBP,JPY", "JPY,GBP,EUR");
    expect(await tag(`${turned}&format=csv&layout=wide`)).not.toBe(tags[4] as string);
    expect(await bytes(`${turned}&format=csv`)).toEqual(await bytes(different[0] as string));
  });
});

describe("before anything is pulled", () => {
  test("HEAD states rows, bytes and cost, and the length only once it is known", async () => {
    // A query that no other test sends: its file does not exist.
    const path = `${QUESTION.replace("JPY", "HUF")}&format=csv`;
    const before = await ask(path, { method: "HEAD" });
    expect(before.status).toBe(200);
    expect(before.headers.get("Content-Length")).toBeNull();
    expect(before.headers.get("X-Quota-Cost")).toBe("1");
    const content = await (await ask(path)).text();
    expect(before.headers.get("X-Export-Rows")).toBe(String(content.trimEnd().split("\n").length - 1));
    await ask(path, { headers: { range: "bytes=0-0" } });
    const after = await ask(path, { method: "HEAD" });
    expect(after.headers.get("Content-Length")).toBe(String(content.length));
    expect(after.headers.get("X-Export-Bytes")).toBe(String(content.length));
    expect(after.headers.get("ETag")).toBe(before.headers.get("ETag"));
  });
  test.each([...FORMATS])(
    "an estimate of %s counts the rows exactly and the bytes nearly",
    async (format) => {
      for (const layout of ["long", "wide"]) {
        const path = `/v1/range?base=USD&symbols=*&start_date=1999-01-01&end_date=2026-04-13&fill=previous&format=${format}&layout=${layout}`;
        const before = await app.get(`${path}&estimate=1`);
        expect(before).toMatchObject({
          result: "success",
          estimate: true,
          format,
          exact: false,
          requests: 1,
        });
        const { length } = await bytes(path);
        // The world of this test is small: what a file has beside its rows weighs more than in a large one.
        expect(before.bytes).toBeGreaterThan(length / 8);
        await ask(path, { headers: { range: "bytes=0-0" } });
        expect(await app.get(`${path}&estimate=1`)).toMatchObject({
          rows: before.rows,
          bytes: length,
          exact: true,
        });
      }
    },
  );
});

describe("Accept", () => {
  test.each([
    ["text/csv", "text/csv"],
    ["application/vnd.apache.arrow.stream", "application/vnd.apache.arrow.stream"],
    ["application/json", "application/json"],
    ["text/*", "text/csv"],
    ["text/csv;q=0.5, application/x-ndjson;q=0.9", "application/x-ndjson"],
    ["text/csv, application/json;q=0.9", "text/csv"],
    ["text/csv;q=0, */*", "application/json"],
    ["", "application/json"],
    ["text/csv;q=2, application/vnd.apache.parquet;q=0.001", "application/vnd.apache.parquet"],
    ["Text/CSV; charset=utf-8", "text/csv"],
  ])("%p is answered with %s", async (accept, mime) => {
    // An address of its own: what was answered before under the same one must not matter, and is tested below.
    const response = await ask(`${QUESTION}&accept=${encodeURIComponent(accept)}`, { headers: { accept } });
    expect(response.status).toBe(200);
    expect(response.headers.get("Content-Type")).toStartWith(mime);
    expect(response.headers.get("Vary") ?? "").toMatch(/^Accept\b(?!-)/);
  });
  test("gives way to format", async () => {
    const response = await ask(`${QUESTION}&format=ndjson`, { headers: { accept: "text/csv" } });
    expect(response.headers.get("Content-Type")).toBe(MIME.ndjson);
  });
});

test.each([
  ["a layout that there is not", `${QUESTION}&format=csv&layout=tall`, "invalid_request"],
  ["a cursor with a file", `${QUESTION}&format=csv&cursor=abc`, "invalid_request"],
  [
    "a wide file of changes",
    `${QUESTION}&format=csv&layout=wide&updated_after=2026-01-01T00:00:00Z`,
    "invalid_request",
  ],
  ["a reversed window", `${QUESTION.replace("2026-04-13", "2026-03-01")}&format=csv`, "invalid_request"],
  ["a state before time began", `${QUESTION}&format=csv&as_of=1970-01-01T00:00:00Z`, "no_data_for_date"],
] as const)("refused is: %s, by name and as JSON", async (_, path, code) => {
  const response = await app.refused(path, code);
  expect(response.headers.get("Content-Type")).toBe("application/json");
  expect(response.headers.get("Content-Disposition")).toBeNull();
  expect(response.headers.get("Cache-Control")).toBe("no-store");
});

test("changes may be none: a file of a header, or of nothing", async () => {
  const path = `${QUESTION}&updated_after=2026-04-13T16:00:00Z`;
  const csv = await (await ask(`${path}&format=csv`)).text();
  expect(csv).toBe(
    "date,base,symbol,rate,source,is_forward_filled,derived,derivation_bps_max,revision,updated_at,withdrawn\n",
  );
  const lines = await ask(`${path}&format=ndjson`);
  expect(await lines.text()).toBe("");
  expect(lines.headers.get("X-Sync-From")).toMatch(/^v1-/);
});
