/** Figures of docs/operations.md and docs/capacity.md are those that the benches wrote, rounded as the pages round them. */

import { expect, test } from "bun:test";
import { readDocument, tableAfter } from "./document.ts";

const [whole, keyed, bulk, deliveries] = await Promise.all(
  ["results", "keyed-results", "bulk-results", "deliveries-results"].map((name) =>
    readDocument(`bench/${name}.md`),
  ),
);

/** The columns of the row that begins with `start`, as numbers where they begin with one. */
function row(text = "", start = ""): readonly number[] {
  const line = text.split("\n").find((one) => one.startsWith(`| ${start}`));
  if (line === undefined) throw new Error(`no row ${start}`);
  return line.split(" | ").map((cell) => Number.parseFloat(cell.replaceAll(",", "")));
}
const rows = (text = "", start = "") =>
  text.split("\n").flatMap((line) => (line.startsWith(`| ${start}`) ? [row(line, start)] : []));

const rounded = (value: number, digits = 2) => Number(value.toPrecision(digits));
const thousands = (value: number) => rounded(value).toLocaleString("en-US");
const microseconds = (perSecond: number) => `${Math.round(1e6 / perSecond)} µs`;

const [, latest = 0] = row(whole, "/v1/latest (");
const [, day = 0] = row(whole, "/v1/{random date} (");
const [, convert = 0] = row(whole, "/v1/convert, random");
const [, page = 0] = row(whole, "/v1/range, 366");
const [, boot = 0] = row(whole, "boot");
const [, after = 0] = row(whole, "resident memory after boot");
const [, load = 0] = row(whole, "resident memory after all load");
const [inProcess = 0, leases = 0, each = 0] = ["metered in process", "Redis, leases", "Redis for every"].map(
  (way) => row(keyed, way)[1] as number,
);
const delivered = ["SQLite | 3 ", "SQLite | 50", "Postgres | 3 ", "Postgres | 50"].map((way) =>
  rounded(row(deliveries, way)[2] as number),
);

test("sizing", async () => {
  const figures = Object.fromEntries(
    tableAfter((await readDocument("docs/operations.md")).split("## Sizing")[1] ?? "", "what"),
  );
  const [parquet, csv] = rows(bulk, "10,0").map((cells) => `${cells[3]?.toFixed(1)} s`);
  expect(figures).toEqual({
    ...figures,
    "requests a second on one core, latest rates": thousands(latest),
    "the same with a key, in one process; with leases; where each call asks Redis": [inProcess, leases, each]
      .map(thousands)
      .join("; "),
    "requests a second on one core, a page of a year × 3 currencies": thousands(page),
    "a process starts, from nothing to the first answer of the whole history": `${(boot / 1000).toFixed(1)} s`,
    "resident memory after the start, and after all load": `${after} MB, ${load} MB`,
    "an export of 10 million quotes as Parquet, as CSV": `${parquet}, ${csv}`,
    "events delivered a second by one process": `${thousands(Math.min(...delivered))} to ${thousands(Math.max(...delivered))}`,
  });
});

test("capacity", async () => {
  const text = await readDocument("docs/capacity.md");
  const costs = tableAfter(text, "what");
  const cost = (what: string) => costs.find(([name]) => name?.startsWith(what))?.[1];
  expect(cost("latest rates, open")).toBe(microseconds(latest));
  expect(cost("a day")).toBe(microseconds(day));
  expect(cost("a conversion")).toBe(microseconds(convert));
  expect(cost("a page")).toBe(microseconds(page));
  expect(cost("latest rates with a key")).toBe(microseconds(leases));
  expect(cost("the same where each call")).toBe(microseconds(each));
  expect(text).toContain(`${after} MB after its start, ${load} MB after all load`);
  const cores = tableAfter(text, "of what").map(([, taken = ""]) => Number.parseFloat(taken));
  expect(cores.slice(0, 4)).toEqual([latest, leases, each, page].map((made) => rounded(1e4 / made)));
});
