/**
 * The yardstick of bench/bulk.ts, in a process of its own: DuckDB alone copies the rows that an export holds, from a table
 * that is ready (daily rates: dates, texts, doubles and booleans) or from the Parquet files (quotes), with as many threads as the product uses.
 */

import { rmSync } from "node:fs";
import { join } from "node:path";
import { dayAt } from "#domain/time/day.ts";
import { openQuoteArchive } from "#store/archive/archive.ts";
import { ticksSelect } from "#store/archive/quotes.ts";
import { createRowTables } from "#store/export/rows.ts";
import macrosSql from "#store/export/sql/macros.sql" with { type: "text" };
import { archiveForm, copyStatement, ratesSelect, rowsSelect } from "#store/export/statement.ts";
import { openDuckDb } from "#store/parquet/duckdb.ts";
import { planOf } from "./daily-plan.ts";
import { FIRST_DAY } from "./quotes.ts";

const [kind, lake, what, format, threads, runs] = process.argv.slice(2) as [
  "daily" | "quotes",
  string,
  string,
  "csv" | "parquet",
  string,
  string,
];
const STAYS = new AbortController().signal;
const target = join(lake, "..", `raw-${process.pid}.${format}`);
const duckdb = openDuckDb({
  directories: [lake, join(lake, "..")],
  threads: Number(threads),
  memoryMegabytes: 4_000,
  definitions: macrosSql,
  joinsAsWritten: true,
});
const milliseconds: number[] = [];
try {
  const select = kind === "daily" ? await dailySelect() : await quotesSelect();
  for (let run = 0; run < Number(runs); run++) {
    const began = performance.now();
    const statement = copyStatement(select, target, format, "quotes");
    await duckdb.run(statement);
    milliseconds.push(performance.now() - began);
  }
} finally {
  rmSync(target, { force: true });
}
await duckdb.close();
console.log(JSON.stringify({ milliseconds }));

async function dailySelect(): Promise<string> {
  const plan = await planOf(lake, what, Date.now());
  const { table, done } = await createRowTables(duckdb).take(plan, STAYS);
  const rows = ratesSelect(plan, rowsSelect(plan, table), "parquet");
  const texts = ["base", "symbol", "source"].map((name) => `${name}::VARCHAR AS ${name}`);
  const statement = `CREATE TABLE ready AS SELECT * REPLACE (${texts.join(", ")}) FROM (${rows})`;
  await duckdb.run(statement);
  done();
  return "FROM ready";
}

async function quotesSelect(): Promise<string> {
  const from = FIRST_DAY * 86_400_000;
  const to = from + Number(what) * 86_400_000;
  if (dayAt(to) <= dayAt(from)) throw new Error("no days");
  const archive = await openQuoteArchive({ directory: lake, simulated: false, access: "read" });
  const files = await archive.filesBetween(from, to);
  await archive.close();
  const plan = { kind: "quotes", pairs: null, from, to, order: "asc" } as const;
  return archiveForm(ticksSelect(plan, files), plan, format);
}
