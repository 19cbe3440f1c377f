/** Requests files of the small known world: every answer is checked against the document. */

import { openTestApp } from "#test/api/harness.ts";

export const app = openTestApp({});

/** Checked against the document, except lines of JSON, which are no JSON document. */
export function ask(path: string, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers);
  if (!`${path} ${headers.get("accept")}`.includes("ndjson")) return app.ask(path, init);
  return app.visit(path, init);
}

export const QUESTION = "/v1/range?base=USD&symbols=EUR,GBP,JPY&start_date=2026-03-31&end_date=2026-04-13";
export const FORMATS = ["csv", "parquet", "ndjson", "arrow"] as const;
export const MIME = {
  csv: "text/csv; charset=utf-8",
  parquet: "application/vnd.apache.parquet",
  ndjson: "application/x-ndjson",
  arrow: "application/vnd.apache.arrow.stream",
} as const;

/** A query that has not been sent yet: its file does not exist. */
let serial = 0;
export function fresh(): string {
  serial += 1;
  const day = `2026-04-${String((serial % 13) + 1).padStart(2, "0")}`;
  return `/v1/range?base=USD&symbols=${["GBP", "JPY", "HUF"][serial % 3]},EUR&start_date=2026-03-${10 + Math.floor(serial / 13)}&end_date=${day}&format=csv`;
}

export async function bytes(path: string, init?: RequestInit): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await (await ask(path, init)).arrayBuffer());
}
