/** docs/lake.md is true: every recipe in it runs on a lake that this product wrote, and its column tables are the files' columns. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import type { CurrencyCode } from "#domain/currency.ts";
import { type Day, formatDay, parseDay } from "#domain/day.ts";
import type { Observation } from "#domain/observation.ts";
import { createApp } from "#http/app.ts";
import { openLakeFiles } from "#store/lake/files.ts";
import { openLake } from "#store/lake/lake.ts";
import { openTestApp } from "#test/http/harness.ts";
import { optionalPython } from "#test/require-tool.ts";
import { codeBlocks, readDocument, tableAfter } from "./document.ts";

/** The path that the recipes name; here it stands for a lake made by the test. */
const SHOWN = "data/live/lake";
/** The address that they name; here it stands for the same lake behind a listening server. */
const SHOWN_URL = "http://localhost:3000/v1/lake";
const directory = mkdtempSync(join(tmpdir(), "crossrate-recipes-"));
const { deps } = openTestApp({ lakeFiles: openLakeFiles(directory) });
const app = createApp(deps).listen({ port: 0, hostname: "127.0.0.1", development: false });
afterAll(async () => {
  await app.server?.stop(true);
  rmSync(directory, { recursive: true, force: true });
});

const RETRIEVED = Date.UTC(2026, 0, 5, 15);
const page = await readDocument("docs/lake.md");
const blocks = codeBlocks(page);

function figure(date: Day, quote: CurrencyCode, printed: string): Observation {
  return {
    source: "ecb_daily",
    date,
    base: "EUR",
    quote,
    printed,
    decimals: 4,
    observedAt: Date.parse(`${formatDay(date)}T13:15:00Z`),
    publishedAt: null,
    retrievedAt: RETRIEVED,
    revision: 1,
    document: "https://example.org/rates.xml",
    documentSha256: "0a".repeat(32),
  };
}

beforeAll(async () => {
  const start = parseDay("2024-12-23") as Day;
  const accepted: Observation[] = [];
  for (let date = start; date < start + 40; date++) {
    if ((date + 4) % 7 === 0 || (date + 4) % 7 === 6) continue;
    accepted.push(
      figure(date, "USD", "1.0444"),
      figure(date, "GBP", "0.83012"),
      figure(date, "JPY", "163.05"),
    );
  }
  const lake = await openLake({ directory, simulated: false });
  await lake.commit(() => ({ accepted, withdrawn: [], held: [], coverage: [] }));
  const later = { retrievedAt: RETRIEVED + 86_400_000, document: "https://example.org/corrected.xml" };
  const corrected = { ...figure(start, "USD", "1.0393"), ...later, revision: 2 };
  const { revision: _, ...slipped } = figure(start + 40, "USD", "10.393");
  await lake.commit(() => ({
    accepted: [corrected],
    withdrawn: [],
    held: [{ ...slipped, rule: "decimal_slip", reason: "10.393 is 10 times the last accepted value" }],
    coverage: [],
  }));
  await lake.close();
});

async function rowsOf(sql: string): Promise<readonly Record<string, unknown>[]> {
  const instance = await DuckDBInstance.create(":memory:", { threads: "1" });
  const connection = await instance.connect();
  const statements = sql.split(/;\n(?=.)/);
  const last = statements.pop() as string;
  try {
    for (const statement of statements) await connection.run(statement);
    return (await connection.runAndReadAll(last)).getRowObjectsJson();
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

const titled = (language: string) =>
  blocks
    .filter((block) => block.language === language)
    .map(({ content }) => {
      const before = page.slice(0, page.indexOf(content)).trimEnd().split("\n").slice(0, -1);
      return [
        before.findLast((line) => line.trim() !== "") ?? "",
        content
          .replaceAll(SHOWN, directory)
          .replaceAll(SHOWN_URL, `http://127.0.0.1:${app.server?.port}/v1/lake`),
      ] as const;
    });

/**
 * DuckDB reads over HTTP with an extension that has to be downloaded once: where it is not installed, the recipe runs on
 * the same paths of the disk, and the test says so.
 */
async function reachable(sql: string): Promise<string> {
  if (!sql.includes("http://")) return sql;
  const installed = await rowsOf("LOAD httpfs;\nSELECT 1").then(
    () => true,
    () => false,
  );
  if (installed) return sql;
  process.stderr.write("httpfs is not installed: DuckDB's recipe over HTTP runs on the disk instead\n");
  return sql.replaceAll(/http:\/\/127\.0\.0\.1:\d+\/v1\/lake/g, directory);
}

describe("DuckDB", () => {
  test.each(titled("sql"))("%s", async (_, recipe) => {
    const sql = await reachable(recipe);
    expect(recipe).toMatch(/crossrate-recipes-|127\.0\.0\.1/);
    expect((await rowsOf(sql)).length).toBeGreaterThan(0);
  });

  test("a point in time before the correction shows the old value, and each figure once", async () => {
    const [, sql = ""] = titled("sql").find(([title]) => title.startsWith("What this lake knew")) ?? [];
    const before = await rowsOf(sql);
    const after = await rowsOf(sql.replaceAll("2026-01-06 00:00:00Z", "2026-01-07 00:00:00Z"));
    const usd = (rows: typeof before) =>
      rows.filter(({ date, quote }) => date === "2024-12-23" && quote === "USD");
    expect(usd(before)).toMatchObject([{ value: 1.0444, revision: 1 }]);
    expect(usd(after)).toMatchObject([{ value: 1.0393, revision: 2 }]);
    expect(before).toHaveLength(after.length);
  });
});

const python = optionalPython(
  ["duckdb", "polars", "pandas", "pyarrow"],
  "the Python recipes of docs/lake.md",
);
describe.skipIf(python === null)("Python", () => {
  test.each(titled("python"))("%s", (_, script) => prints([python as string, "-c", script]), 60_000);
});

describe("JavaScript", () => {
  test.each(titled("js"))("%s", (_, script) => prints([process.execPath, "-e", script]), 60_000);
});

/** Runs a recipe beside this process, whose server it may ask; it must print figures and no complaint. */
async function prints(command: string[]): Promise<void> {
  const run = Bun.spawn(command, { stdout: "pipe", stderr: "pipe" });
  const [stdout, stderr] = await Promise.all([
    new Response(run.stdout).text(),
    new Response(run.stderr).text(),
  ]);
  expect({ exit: await run.exited, stderr }).toEqual({ exit: 0, stderr: "" });
  expect(stdout).toMatch(/\d\.\d/);
}

describe("columns", () => {
  const tables = page.split("| column | type | meaning |").slice(1);
  const listed = (at: number) =>
    tableAfter(`| column | type | meaning |${tables[at]}`, "column").map(([name = "", type = ""]) => [
      name,
      type,
    ]);

  async function found(path: string): Promise<(readonly [string, string])[]> {
    const rows = await rowsOf(
      `DESCRIBE SELECT * FROM read_parquet('${directory}/${path}', hive_partitioning = false)`,
    );
    return rows.map((row) => [
      String(row["column_name"]),
      String(row["column_type"]).replace("TIMESTAMP WITH TIME ZONE", "TIMESTAMPTZ"),
    ]);
  }

  test("daily files have exactly the documented columns, types and order", async () => {
    expect(await found("daily/source=ecb_daily/year=2025/rates.parquet")).toEqual(listed(0) as never);
  });

  test("superseded files have three more", async () => {
    const columns = await found("superseded/source=ecb_daily/year=2024/revisions.parquet");
    expect(columns).toEqual([...listed(0), ...listed(1)] as never);
  });

  test("every column of the held file is named", async () => {
    for (const [name] of await found("held/held.parquet")) expect(page).toContain(`\`${name}\``);
  });

  test("rows lie in the documented order", async () => {
    const path = `${directory}/daily/source=ecb_daily/year=2025/rates.parquet`;
    const [row] = await rowsOf(
      `SELECT list((date, base, quote)) = list_sort(list((date, base, quote))) AS ordered
       FROM (SELECT * FROM read_parquet('${path}', hive_partitioning = false))`,
    );
    expect(row).toEqual({ ordered: true });
  });
});
