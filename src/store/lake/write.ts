/** Writes a change to files: the rows of each changed partition, settled and written again, and the two small tables as a whole. */

import { rmSync } from "node:fs";
import type { DuckDBConnection } from "@duckdb/node-api";
import type { Statement } from "#domain/acceptance/statements.ts";
import { CURRENCY_CODES, currencyIndex } from "#domain/currency/currency.ts";
import { DAILY_SOURCES, type DailySource } from "#domain/currency/source.ts";
import type { Observation } from "#domain/history/observation.ts";
import type { HeldFigure } from "#domain/intake/reading.ts";
import { formatDay, formatInstant, yearOf } from "#domain/time/day.ts";
import type { LakeChange } from "#ports.ts";
import type { Action } from "#store/delta/actions.ts";
import { filesOfPartition, type Snapshot } from "#store/delta/snapshot.ts";
import type { Table } from "#store/delta/table.ts";
import { type NewFile, replacePartitions } from "#store/delta/write.ts";
import { appendRows } from "#store/parquet/append.ts";
import { fill } from "#store/parquet/engine.ts";
import loadDailySql from "./sql/settle/load-daily.sql" with { type: "text" };
import loadRevisionsSql from "./sql/settle/load-revisions.sql" with { type: "text" };
import changesSql from "./sql/settle/partition-changes.sql" with { type: "text" };
import settleSql from "./sql/settle/settle.sql" with { type: "text" };
import settleFreshSql from "./sql/settle/settle-fresh.sql" with { type: "text" };
import documentsSql from "./sql/tables/documents-table.sql" with { type: "text" };
import heldSql from "./sql/tables/held-table.sql" with { type: "text" };
import incomingRowsSql from "./sql/tables/incoming-rows.sql" with { type: "text" };
import incomingSql from "./sql/tables/incoming-table.sql" with { type: "text" };
import statementsSql from "./sql/tables/statements-table.sql" with { type: "text" };
import storedSql from "./sql/tables/stored-table.sql" with { type: "text" };
import withdrawalsSql from "./sql/tables/withdrawals-table.sql" with { type: "text" };
import writeDailySql from "./sql/write/write-daily.sql" with { type: "text" };
import writeHeldSql from "./sql/write/write-held.sql" with { type: "text" };
import writeRevisionsSql from "./sql/write/write-revisions.sql" with { type: "text" };
import writeStatementsSql from "./sql/write/write-statements.sql" with { type: "text" };
import type { DailyTables, State } from "./state.ts";

/** Years that are settled together: bounds the memory of a backfill. */
const YEARS_AT_ONCE = 3;

/** The actions of each table; the files that they add are durable. */
interface Written {
  readonly daily: readonly Action[];
  readonly revisions: readonly Action[];
  readonly held: readonly Action[];
  readonly statements: readonly Action[];
}

/** The whole-file lists that a change makes different. */
export interface Differs {
  readonly held: boolean;
  readonly statements: boolean;
}

interface Partition {
  readonly source: DailySource;
  readonly year: number;
}

/** Writes the files of a change. Readers see them when the caller commits the actions. */
export async function writeChange(
  connection: DuckDBConnection,
  tables: DailyTables,
  state: State,
  change: LakeChange,
  differs: Differs,
  now: number,
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
      held: differs.held ? await writeHeld(connection, tables.held, state.held, change.held, now) : [],
      statements: differs.statements
        ? await writeStatements(connection, tables.statements, state.statements, change.statements ?? [], now)
        : [],
    };
  } catch (fault) {
    // No commit names the files of an earlier group.
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
  /** Is true for a newly superseded row. */
  readonly moved: boolean;
  /** Superseded rows after and before the change. */
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

/** Settles a partition without files, for a change that names every figure once: no row is superseded. */
function freshPartition(partition: Partition): SettledPartition {
  return { ...partition, moved: false, superseded: 0, had: 0 };
}

function hasNothingOf(state: State, groups: readonly Group[]): boolean {
  const stored = (["daily", "revisions"] as const).flatMap((name) => [...state[name].files.values()]);
  const names = new Set(stored.map(({ partitionValues: { source, year } }) => `${source} ${year}`));
  return groups.every(({ source, years }) => years.every((year) => !names.has(`${source} ${year}`)));
}

/** Is true for a first backfill: each figure once, at revision 1, without withdrawals. */
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
  readonly years: readonly number[];
  readonly rows: readonly Observation[];
}

/** Groups by source, with years in ascending groups. */
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

/** Numbers each document that observations name. */
type Documents = (observation: Pick<Observation, "document" | "documentSha256">) => number;

/** Creates and fills `documents`, which every row of `incoming` refers to. */
async function appendDocuments(
  connection: DuckDBConnection,
  accepted: readonly Observation[],
): Promise<Documents> {
  await connection.run(documentsSql);
  const ids = new Map<string, Map<string, number>>();
  const documents: (readonly [url: string, sha256: string])[] = [];
  const idOf: Documents = ({ document, documentSha256 }) => {
    const ofUrl = ids.get(document) ?? new Map<string, number>();
    const id = ofUrl.get(documentSha256) ?? documents.length;
    if (id === documents.length) {
      documents.push([document, documentSha256]);
      ids.set(document, ofUrl.set(documentSha256, id));
    }
    return id;
  };
  for (const observation of accepted) idOf(observation);
  await appendRows(connection, "documents", documents, [
    { plain: (_, at) => at },
    { text: ([url]) => url },
    { text: ([, sha256]) => sha256 },
  ]);
  return idOf;
}

async function appendIncoming(
  connection: DuckDBConnection,
  rows: readonly Observation[],
  idOf: Documents,
): Promise<void> {
  await connection.run(incomingSql);
  await appendRows(connection, "incoming", rows, [
    { plain: (row) => DAILY_SOURCES.indexOf(row.source) },
    { plain: (row) => row.date },
    { plain: (row) => currencyIndex(row.base) },
    { plain: (row) => currencyIndex(row.quote) },
    { text: (row) => row.printed },
    { plain: (row) => row.decimals },
    { plain: (row) => row.observedAt },
    { plain: (row) => row.publishedAt ?? Number.NaN },
    { plain: (row) => row.retrievedAt },
    { plain: (row) => row.revision },
    { plain: idOf },
  ]);
}

async function appendWithdrawals(
  connection: DuckDBConnection,
  withdrawn: LakeChange["withdrawn"],
): Promise<void> {
  await connection.run(withdrawalsSql);
  for (const row of withdrawn) {
    await connection.run("INSERT INTO withdrawals VALUES ($1, $2::DATE, $3, $4, $5, $6::TIMESTAMPTZ, $7)", [
      row.source,
      formatDay(row.date),
      row.base,
      row.quote,
      row.revision,
      formatInstant(row.retrievedAt),
      row.document,
    ]);
  }
}

/** Writes the held figures as one file that replaces the one before. */
async function writeHeld(
  connection: DuckDBConnection,
  table: Table,
  snapshot: Snapshot,
  held: LakeChange["held"],
  now: number,
): Promise<readonly Action[]> {
  await appendHeld(connection, held);
  const write = (target: string) => connection.run(fill(writeHeldSql, { target }));
  return await replacePartitions(table, snapshot, connection, [{ partition: {}, write }], now);
}

async function writeStatements(
  connection: DuckDBConnection,
  table: Table,
  snapshot: Snapshot,
  statements: readonly Statement[],
  now: number,
): Promise<readonly Action[]> {
  await appendStatements(connection, statements);
  const write = (target: string) => connection.run(fill(writeStatementsSql, { target }));
  return await replacePartitions(table, snapshot, connection, [{ partition: {}, write }], now);
}

/** Creates and fills `held`, the complete list. */
async function appendHeld(connection: DuckDBConnection, held: readonly HeldFigure[]): Promise<void> {
  await connection.run(heldSql);
  await appendRows(connection, "held", held, [
    { plain: ({ date }) => date },
    { text: ({ source }) => source },
    { text: ({ base }) => base },
    { text: ({ quote }) => quote },
    { text: ({ printed }) => printed },
    { plain: ({ decimals }) => decimals },
    { plain: ({ observedAt }) => observedAt },
    { plain: ({ publishedAt }) => publishedAt ?? Number.NaN },
    { plain: ({ retrievedAt }) => retrievedAt },
    { text: ({ document }) => document },
    { text: ({ documentSha256 }) => documentSha256 },
    { text: ({ rule }) => rule },
    { text: ({ reason }) => reason },
  ]);
}

/** Creates and fills `statements`, the complete list; an empty `printed` means no text. */
async function appendStatements(
  connection: DuckDBConnection,
  statements: readonly Statement[],
): Promise<void> {
  await connection.run(statementsSql);
  await appendRows(connection, "statements", statements, [
    { text: ({ source }) => source },
    { text: ({ route }) => route },
    { text: ({ base }) => base },
    { text: ({ quote }) => quote },
    { plain: ({ first }) => first },
    { plain: ({ last }) => last },
    { text: ({ says }) => says },
    { text: ({ printed }) => printed ?? "" },
    { plain: ({ since }) => since ?? Number.NaN },
  ]);
}
