/** Exports over a real connection: slow readers, readers who go, work that fails half-way, and parts of finished files. */

import { describe, expect, test } from "bun:test";
import type { ExportRequest } from "#domain/history/rate-columns.ts";
import type { Exports } from "#ports.ts";
import { openTestApp } from "#test/api/harness.ts";
import { madeUpBlock, openTemporaryExports } from "#test/store/export/plans.ts";
import { atEnd } from "#test/support/at-end.ts";
import { listen } from "#test/support/listen.ts";
import { until } from "#test/support/until.ts";

const DAYS = "start_date=2026-03-31&end_date=2026-04-13";

/** A listening server as the product starts it; `change` puts other rows under a request's plan. */
function serve(change: (request: ExportRequest) => ExportRequest = (request) => request) {
  const { exports, files, emitted } = openTemporaryExports({ atOnce: 1, waiting: 1 });
  const changed: Exports = {
    ...exports,
    open: (request, signal) => exports.open(change(request), signal),
    finish: (request, signal) => exports.finish(change(request), signal),
  };
  const { answer } = openTestApp({ exports: changed, emit: () => {} });
  atEnd(exports.close);
  return { url: `${listen(answer).url}/v1/range?${DAYS}`, files, emitted };
}

/** So many rows that the work takes a few tenths of a second. */
function manyRows(request: ExportRequest): ExportRequest {
  if (request.plan.kind !== "rates" || request.plan.layout !== "wide") return request;
  const blocks = function* () {
    for (let symbol = 0; symbol < 30; symbol++) yield madeUpBlock(symbol, 6_000);
  };
  return { ...request, plan: { ...request.plan, content: { rows: "many", blocks } } };
}

test.each(["after the first bytes", "while the rows are made"])(
  "a client that disconnects in the middle: %s ends the work: the file is gone, the turn is free",
  async (when) => {
    const { url, files, emitted } = serve(manyRows);
    const leaving = new AbortController();
    const response = await fetch(`${url}&base=EUR&symbols=*&format=csv&layout=wide`, {
      signal: leaving.signal,
    });
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    await reader.read();
    if (when === "after the first bytes") await until("the file is there", () => files().length === 1);
    leaving.abort();
    reader.cancel().catch(() => {});
    // There is one turn: a request that gets it proves that it was released.
    const next = await fetch(`${url}&base=EUR&symbols=USD&format=csv`);
    expect(next.status).toBe(200);
    expect((await next.text()).split("\n")).toHaveLength(10);
    await until("the file is there", () => files().length === 1);
    await until("the export is finished", () => emitted.length > 0);
    expect(emitted).toEqual(["export_made"]);
  },
);

test("a reader slower than the work gets every byte", async () => {
  const { url } = serve(manyRows);
  const response = await fetch(`${url}&base=EUR&symbols=*&format=csv&layout=wide`);
  let lines = 0;
  let last = "";
  const decoder = new TextDecoder();
  for await (const chunk of response.body as ReadableStream<Uint8Array>) {
    const text = last + decoder.decode(chunk, { stream: true });
    const complete = text.split("\n");
    last = complete.pop() as string;
    lines += complete.length;
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect([lines, last]).toEqual([6_001, ""]);
});

describe("work that fails half-way", () => {
  const broken = (request: ExportRequest): ExportRequest => {
    if (request.plan.kind !== "rates") return request;
    const blocks = function* () {
      yield madeUpBlock(0, 3000);
      throw new Error("no such block");
    };
    return { ...request, plan: { ...request.plan, content: { rows: "broken", blocks } } };
  };
  test("is an error for the client, never a short file", async () => {
    const { url, emitted, files } = serve(broken);
    const response = await fetch(`${url}&base=EUR&symbols=USD&format=csv`);
    expect(response.status).toBe(200);
    expect(response.text()).rejects.toThrow();
    await response.text().catch(() => {});
    await until("the fault is logged", () => emitted.length === 1);
    expect(emitted[0]).toContain("no such block");
    expect(files()).toEqual([]);
  });
  test("is a refusal as long as nothing was sent", async () => {
    const { url } = serve(broken);
    const response = await fetch(`${url}&base=EUR&symbols=USD&format=csv`, {
      headers: { range: "bytes=0-9" },
    });
    expect(response.status).toBe(500);
    expect(await response.json()).toMatchObject({ result: "error", code: "internal_error" });
  });
});

test("downloads beyond the limit are refused with Retry-After", async () => {
  const { url } = serve(manyRows);
  const downloads = ["csv", "parquet", "arrow", "csv&dp=2"].map((format) =>
    fetch(`${url}&base=EUR&symbols=*&layout=wide&format=${format}`),
  );
  const responses = await Promise.all(downloads);
  const refused = responses.filter(({ status }) => status === 503);
  expect(refused.map(({ headers }) => headers.get("Retry-After"))).toEqual(["5", "5"]);
  for (const response of responses) await response.arrayBuffer();
});
