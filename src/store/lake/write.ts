/** Applying a change: per partition the superseded rows first, then the current ones; each file whole or untouched. */

import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import { CURRENCY_CODES, currencyIndex } from "#domain/currency.ts";
import { dayOf, yearOf } from "#domain/day.ts";
import { DAILY_SOURCES, type DailySource } from "#domain/source.ts";
import type { LakeChange } from "#ports.ts";
import { makeFolders, type Replacement, replaceFile, replaceFiles } from "./durable.ts";
import { fill, withEngine } from "./engine.ts";
import { graft } from "./graft.ts";
import { appendHeld, appendIncoming, appendWithdrawals } from "./incoming.ts";
import { HELD_FILE, type Partition, type PartitionedTable, partitionFile } from "./layout.ts";
import { FORMAT, type Mode } from "./manifest.ts";
import incomingRowsSql from "./sql/incoming-rows.sql" with { type: "text" };
import loadDailySql from "./sql/load-daily.sql" with { type: "text" };
import loadSupersededSql from "./sql/load-superseded.sql" with { type: "text" };
import changesSql from "./sql/partition-changes.sql" with { type: "text" };
import settleSql from "./sql/settle.sql" with { type: "text" };
import settleFreshSql from "./sql/settle-fresh.sql" with { type: "text" };
import storedSql from "./sql/stored-table.sql" with { type: "text" };
import countsSql from "./sql/superseded-counts.sql" with { type: "text" };
import writeDailySql from "./sql/write-daily.sql" with { type: "text" };
import writeHeldSql from "./sql/write-held.sql" with { type: "text" };
import writeSupersededSql from "./sql/write-superseded.sql" with { type: "text" };

/** Written into every file, so that a lost manifest can be made again from the files alone. */
export interface Marks {
  readonly mode: Mode;
  readonly sequence: number;
}

/** Years that are settled together: bounds the memory of a backfill. */
const YEARS_AT_ONCE = 8;

/** Makes the change durable and resolves with the files it wrote, relative to the directory. */
export async function applyChange(
  directory: string,
  change: LakeChange,
  marks: Marks & { readonly heldDiffers: boolean },
  progress: (written: number, total: number) => void = () => {},
): Promise<readonly string[]> {
  return await withEngine(directory, async (connection) => {
    await appendIncoming(connection, change.accepted);
    await appendWithdrawals(connection, change.withdrawn);
    const touched: string[] = [];
    const groups = affectedPartitions(change);
    const firstsOnly = namesFirstsOnly(change);
    const total = groups.reduce((sum, { years }) => sum + years.length, 0);
    makeFolders(
      groups.flatMap(({ source, years }) =>
        years.map((year) => dirname(join(directory, partitionFile("daily", { source, year })))),
      ),
    );
    let written = 0;
    for (const { source, years } of groups) {
      const partitions = years.map((year) => ({ source, year }));
      const found = await loadStored(connection, directory, partitions);
      const rows = fill(incomingRowsSql, {
        sources: DAILY_SOURCES,
        currencies: CURRENCY_CODES,
        source,
        first_day: dayOf(years[0] as number, 1, 1) as number,
        last_day: dayOf(years.at(-1) as number, 12, 31) as number,
      });
      await connection.run(`CREATE OR REPLACE TEMP VIEW incoming_rows AS ${rows}`);
      if (found === 0 && firstsOnly) {
        await connection.run(settleFreshSql);
      } else {
        await connection.run("INSERT INTO stored BY NAME SELECT * FROM incoming_rows");
        await connection.run(settleSql);
      }
      touched.push(
        ...(await writeSettled(connection, directory, marks, { daily: true }, (partitions) => {
          written += partitions;
          progress(written, total);
        })),
      );
    }
    if (marks.heldDiffers) {
      await appendHeld(connection, change.held);
      await replaceFile(join(directory, HELD_FILE), async (target) => {
        await connection.run(fill(writeHeldSql, { target, ...text(marks) }));
      });
      touched.push(HELD_FILE);
    }
    return touched;
  });
}

/** Loads every stored version of the partitions' figures into the working table; resolves with the number of files read. */
export async function loadStored(
  connection: DuckDBConnection,
  directory: string,
  partitions: readonly Partition[],
): Promise<number> {
  await connection.run(storedSql);
  let read = 0;
  for (const [table, sql] of [
    ["daily", loadDailySql],
    ["superseded", loadSupersededSql],
  ] as const) {
    const files = partitions
      .map((partition) => join(directory, partitionFile(table, partition)))
      .filter(existsSync);
    if (files.length > 0) await connection.run(fill(sql, { files }));
    read += files.length;
  }
  return read;
}

/** Writes the settled partitions; superseded ones only where their rows differ from what is on disk. */
export async function writeSettled(
  connection: DuckDBConnection,
  directory: string,
  marks: Marks,
  { daily }: { readonly daily: boolean },
  wrote: (partitions: number) => void = () => {},
): Promise<readonly string[]> {
  const touched: string[] = [];
  const before = new Map<string, number>();
  for (const row of await objects(connection, countsSql))
    before.set(`${row["source"]} ${row["year"]}`, Number(row["rows"]));
  const replacements = { superseded: [] as Replacement[], daily: [] as Replacement[] };
  const put = (table: PartitionedTable, partition: Partition, sql: string) => {
    const path = partitionFile(table, partition);
    touched.push(path);
    replacements[table].push({
      path: join(directory, path),
      write: async (target) => {
        await connection.run(fill(sql, { ...partition, target, ...text(marks) }));
        // A reader that has read the footer of the file before must still find its rows.
        if (existsSync(join(directory, path))) await graft(join(directory, path), target);
      },
    });
  };
  for (const row of await objects(connection, changesSql)) {
    const partition = { source: row["source"] as DailySource, year: Number(row["year"]) };
    const had = before.get(`${partition.source} ${partition.year}`) ?? 0;
    if (row["moved"] === true || Number(row["superseded"]) !== had)
      put("superseded", partition, writeSupersededSql);
    if (daily) put("daily", partition, writeDailySql);
  }
  // The old value is safe in its table before the new one takes its place.
  await replaceFiles(replacements.superseded);
  await replaceFiles(replacements.daily);
  wrote(replacements.daily.length);
  return touched;
}

/** True when the change holds each figure once, at revision 1, and takes nothing back: a first backfill. */
function namesFirstsOnly({ accepted, withdrawn }: LakeChange): boolean {
  if (withdrawn.length > 0) return false;
  const seen = new Set<number>();
  for (const { source, date, base, quote, revision } of accepted) {
    if (revision !== 1) return false;
    seen.add(
      ((DAILY_SOURCES.indexOf(source) * 64 + currencyIndex(base)) * 64 + currencyIndex(quote)) * 100_000 +
        date,
    );
  }
  return seen.size === accepted.length;
}

/** Source by source, years in ascending groups. */
function affectedPartitions(
  change: LakeChange,
): readonly { source: DailySource; years: readonly number[] }[] {
  return DAILY_SOURCES.flatMap((source) => {
    const years = new Set<number>();
    for (const { date, source: of } of [...change.accepted, ...change.withdrawn])
      if (of === source) years.add(yearOf(date));
    const ordered = [...years].sort((a, b) => a - b);
    const groups: { source: DailySource; years: readonly number[] }[] = [];
    for (let from = 0; from < ordered.length; from += YEARS_AT_ONCE) {
      groups.push({ source, years: ordered.slice(from, from + YEARS_AT_ONCE) });
    }
    return groups;
  });
}

async function objects(
  connection: DuckDBConnection,
  sql: string,
): Promise<readonly Record<string, unknown>[]> {
  return (await connection.runAndReadAll(sql)).getRowObjectsJS();
}

function text({ mode, sequence }: Marks): Record<string, string> {
  return { format: String(FORMAT), mode, sequence: String(sequence) };
}
