/** A change in files: the superseded and the current rows of each partition that it changes, rewritten. */

import { rmSync } from "node:fs";
import type { DuckDBConnection } from "@duckdb/node-api";
import { CURRENCY_CODES, currencyIndex } from "#domain/currency/currency.ts";
import { DAILY_SOURCES, type DailySource } from "#domain/currency/source.ts";
import type { Observation } from "#domain/history/observation.ts";
import { yearOf } from "#domain/time/day.ts";
import type { LakeChange } from "#ports.ts";
import type { Action } from "#store/delta/actions.ts";
import { filesOfPartition } from "#store/delta/snapshot.ts";
import type { Table } from "#store/delta/table.ts";
import { type NewFile, replacePartitions } from "#store/delta/write.ts";
import { fill } from "#store/parquet/engine.ts";
import { appendDocuments, appendIncoming, appendWithdrawals } from "./incoming.ts";
import { writeHeld, writeStatements } from "./lists.ts";
import loadDailySql from "./sql/settle/load-daily.sql" with { type: "text" };
import loadRevisionsSql from "./sql/settle/load-revisions.sql" with { type: "text" };
import changesSql from "./sql/settle/partition-changes.sql" with { type: "text" };
import settleSql from "./sql/settle/settle.sql" with { type: "text" };
import settleFreshSql from "./sql/settle/settle-fresh.sql" with { type: "text" };
import incomingRowsSql from "./sql/tables/incoming-rows.sql" with { type: "text" };
import storedSql from "./sql/tables/stored-table.sql" with { type: "text" };
import writeDailySql from "./sql/write/write-daily.sql" with { type: "text" };
import writeRevisionsSql from "./sql/write/write-revisions.sql" with { type: "text" };
import type { DailyTables, State } from "./state.ts";

/** Years that are settled together: bounds the memory of a backfill. */
const YEARS_AT_ONCE = 3;

/** What a change makes of each table; the files that the actions add are durable. */
export interface Written {
  readonly daily: readonly Action[];
  readonly revisions: readonly Action[];
  readonly held: readonly Action[];
  readonly statements: readonly Action[];
}

interface Partition {
  readonly source: DailySource;
  readonly year: number;
}

/** Writes the files of a change. No reader sees them before the commits that the caller makes of the actions. */
export async function writeChange(
  connection: DuckDBConnection,
  tables: DailyTables,
  state: State,
  change: LakeChange,
  {
    heldDiffers,
    statementsDiffer,
    now,
  }: { readonly heldDiffers: boolean; readonly statementsDiffer: boolean; readonly now: number },
  progress: (written: number, total: number) => void = () => {},
): Promise<Written> {
  const documents = await appendDocuments(connection, change.accepted);
  await appendWithdrawals(connection, change.withdrawn);
  const groups = groupsOf(change);
  const isFresh = hasNothingOf(state, groups) && namesFirstsOnly(change);
  const total = groups.reduce((sum, { years }) => sum + years.length, 0);
  const daily: Action[] = [];
  const revisions: Action[] = [];
  let written = 0;
  try {
    for (const { source, years, rows } of groups) {
      const partitions = years.map((year) => ({ source, year }));
      await appendIncoming(connection, rows, documents);
      const incoming = fill(incomingRowsSql, { sources: DAILY_SOURCES, currencies: CURRENCY_CODES });
      await connection.run(`CREATE OR REPLACE TEMP VIEW incoming_rows AS ${incoming}`);
      if (isFresh) {
        await connection.run(settleFreshSql);
      } else {
        await loadStored(connection, tables, state, partitions);
        await connection.run("INSERT INTO stored BY NAME SELECT * FROM incoming_rows");
        await connection.run(settleSql);
      }
      const settled = isFresh ? partitions.map(freshPartition) : await settledPartitions(connection);
      const replaced = settled.filter(
        (partition) => partition.moved || partition.superseded !== partition.had,
      );
      const replace = (name: "revisions" | "daily", partitions: typeof settled, sql: string) =>
        replacePartitions(
          tables[name],
          state[name],
          connection,
          partitions.map((partition) => ({
            partition: valuesOf(partition),
            write: (target: string) =>
              connection.run(fill(sql, { source: partition.source, year: partition.year, target })),
          })),
          now,
        );
      revisions.push(...(await replace("revisions", replaced, writeRevisionsSql)));
      daily.push(...(await replace("daily", settled, writeDailySql)));
      written += settled.length;
      progress(written, total);
    }
    return {
      daily,
      revisions,
      held: heldDiffers ? await writeHeld(connection, tables.held, state.held, change.held, now) : [],
      statements: statementsDiffer
        ? await writeStatements(connection, tables.statements, state.statements, change.statements ?? [], now)
        : [],
    };
  } catch (fault) {
    // What an earlier group has written is named by no commit.
    removeAdded(tables.daily, daily);
    removeAdded(tables.revisions, revisions);
    throw fault;
  }
}

function removeAdded(table: Table, actions: readonly Action[]): void {
  for (const action of actions) if ("add" in action) rmSync(table.pathOf(action.add), { force: true });
}

/** Loads every stored version of the partitions' figures into the working table. */
async function loadStored(
  connection: DuckDBConnection,
  tables: DailyTables,
  state: State,
  partitions: readonly Partition[],
): Promise<void> {
  await connection.run(storedSql);
  for (const [name, sql] of [
    ["daily", loadDailySql],
    ["revisions", loadRevisionsSql],
  ] as const) {
    const adds = partitions.flatMap((partition) => filesOfPartition(state[name], valuesOf(partition)));
    await tables[name].verifier.require(adds);
    if (adds.length > 0) await connection.run(fill(sql, { files: adds.map(tables[name].pathOf) }));
  }
}

function valuesOf({ source, year }: Partition): NewFile["partition"] {
  return { source, year: String(year) };
}

interface SettledPartition extends Partition {
  /** Whether a row is newly superseded. */
  readonly moved: boolean;
  /** Superseded rows as they are to be, and as they were. */
  readonly superseded: number;
  readonly had: number;
}

async function settledPartitions(connection: DuckDBConnection): Promise<readonly SettledPartition[]> {
  const rows = (await connection.runAndReadAll(changesSql)).getRowObjectsJS();
  return rows.map((row) => ({
    source: row["source"] as DailySource,
    year: Number(row["year"]),
    moved: row["moved"] === true,
    superseded: Number(row["superseded"]),
    had: Number(row["superseded_before"]),
  }));
}

/** A partition without files, of a change that names every figure once: nothing in it is superseded. */
function freshPartition(partition: Partition): SettledPartition {
  return { ...partition, moved: false, superseded: 0, had: 0 };
}

function hasNothingOf(state: State, groups: readonly Group[]): boolean {
  const stored = (["daily", "revisions"] as const).flatMap((name) => [...state[name].files.values()]);
  const names = new Set(stored.map(({ partitionValues: { source, year } }) => `${source} ${year}`));
  return groups.every(({ source, years }) => years.every((year) => !names.has(`${source} ${year}`)));
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

interface Group {
  readonly source: DailySource;
  /** Ascending. */
  readonly years: readonly number[];
  /** What the change accepts for them. */
  readonly rows: readonly Observation[];
}

/** Source by source, years in ascending groups. */
function groupsOf(change: LakeChange): readonly Group[] {
  return DAILY_SOURCES.flatMap((source) => {
    const byYear = new Map<number, Observation[]>();
    for (const { date, source: of } of change.withdrawn) if (of === source) byYear.set(yearOf(date), []);
    for (const row of change.accepted) {
      if (row.source !== source) continue;
      const year = yearOf(row.date);
      const rows = byYear.get(year);
      if (rows === undefined) byYear.set(year, [row]);
      else rows.push(row);
    }
    const ordered = [...byYear.keys()].sort((a, b) => a - b);
    const groups: Group[] = [];
    for (let from = 0; from < ordered.length; from += YEARS_AT_ONCE) {
      const years = ordered.slice(from, from + YEARS_AT_ONCE);
      groups.push({ source, years, rows: years.flatMap((year) => byYear.get(year) as Observation[]) });
    }
    return groups;
  });
}
