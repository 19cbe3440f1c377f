/** What a demo has to answer, whatever package it comes from: pages with what they load, documents, and files of each format. */

import type { Started } from "./step.ts";

/** A file of each kind that DuckDB or another library writes. */
export const EXPORTS = ["csv", "parquet", "ndjson", "arrow"];

const PAGES = ["/", "/docs", "/docs/reference", "/search?q=lake", "/account", "/dashboard/sign-in"];
const DOCUMENTS = ["/openapi.json", "/llms.txt", "/v1/lake/views.sql", "/v1/lake/manifest.json"];
const DAY = 86_400_000;

export async function answersAll({ url, group }: Started): Promise<void> {
  const html = await (await fetch(`${url}/`)).text();
  const linked = Array.from(html.matchAll(/(?:href|src)="(\/site\/[^"]+)"/g), ([, path]) => path ?? "");
  if (linked.length < 2)
    throw new Error(`the first page has no scripts and styles:\n${html.slice(0, 2_000)}`);
  // Within what is shown without a key.
  const { timestamp } = await (await fetch(`${url}/v1/latest?symbols=EUR`)).json();
  const now = Date.parse(timestamp);
  const [start, end] = [14, 7].map((days) => new Date(now - days * DAY).toISOString().slice(0, 10));
  const range = `/v1/range?symbols=EUR&start_date=${start}&end_date=${end}&format=`;
  const files = EXPORTS.map((format) => range + format);
  for (const path of [...PAGES, ...linked, ...DOCUMENTS, ...files]) {
    const response = await fetch(url + path);
    const { byteLength } = await response.arrayBuffer();
    if (!response.ok || byteLength === 0) throw new Error(`${path} answers ${response.status}`);
  }
  const listed = Bun.spawnSync(["ps", "-A", "-o", "pgid=,command="]).stdout.toString().split("\n");
  const ofDemo = listed.filter((line) => line.trim().startsWith(`${group} `));
  if (!ofDemo.some((line) => / duckdb-process |\/duckdb-child\.ts /.test(line)))
    throw new Error(`the exports were made by the server itself:\n${ofDemo.join("\n")}`);
}
