/** Writes a change to files: rewrites each changed partition with its settled rows, and the two small tables as a whole. */

import type { DuckDBConnection } from "@duckdb/node-api";
import { currencyIndex } from "#domain/currency/currency.ts";
import { DAILY_SOURCES, type DailySource } from "#domain/currency/source.ts";
import type { Observation } from "#domain/history/observation.ts";
import { yearOf } from "#domain/time/day.ts";
import type { LakeChange } from "#ports.ts";
import { type Action, filesOfPartition } from "#store/delta/snapshot.ts";
import { removeUncommitted, replacePartitions } from "#store/delta/upkeep.ts";
import { appendRows, type RowColumn } from "#store/parquet/append.ts";
import { fill } from "#store/parquet/engine.ts";
import incomingRowsSql from "./sql/settle/incoming-rows.sql" with { type: "text" };
import loadStoredSql from "./sql/settle/load-stored.sql" with { type: "text" };
import changesSql from "./sql/settle/partition-changes.sql" with { type: "text" };
import settleSql from "./sql/settle/settle.sql" with { type: "text" };
import withdrawalsSql from "./sql/settle/withdrawals.sql" with { type: "text" };
import workingTablesSql from "./sql/working-tables.sql" with { type: "text" };
import writeFiguresSql from "./sql/write/write-figures.sql" with { type: "text" };
import writeHeldSql from "./sql/write/write-held.sql" with { type: "text" };
import writeStatementsSql from "./sql/write/write-statements.sql" with { type: "text" };
import type { DailyTables, State, TableName } from "./state.ts";

const SUPERSEDED = ", superseded_at, why, superseded_by";

/** Years that are settled together: bounds the memory of a backfill. */
const YEARS_AT_ONCE = 5;

/** Whether a change alters the tables that are written as a whole. */
export type Differs = Readonly<Record<"held" | "statements", boolean>>;

/** Writes the files of a change, durably. Readers see them when the caller commits the actions that it resolves with. */
export async function writeChange(
  connection: DuckDBConnection,
  tables: DailyTables,
  state: State,
  change: LakeChange,
  differs: Differs,
  now: number,
): Promise<Readonly<Record<TableName, readonly Action[]>>> {
  const daily: Action[] = [];
  const revisions: Action[] = [];
  try {
    for (const { source, years, rows } of groupsOf(change)) {
      // New tables each time: rows deleted from an old table would stay in memory.
      await connection.run(workingTablesSql);
      await connection.run(fill(withdrawalsSql, { rows: listOf(change.withdrawn) }));
      await appendRows(connection, "incoming", rows, FIGURE);
      const files = await loadStored(connection, tables, state, source, years);
      await connection.run(incomingRowsSql);
      // Settling changes nothing for new first revisions, and would be a third of the time of a first history.
      const isFirst = files + change.withdrawn.length === 0 && rows.every(({ revision }) => revision === 1);
      if (!isFirst) await connection.run(settleSql);
      const settled = isFirst
        ? years.map((year) => ({ year, isReplaced: false }))
        : (await connection.runAndReadAll(changesSql)).getRowObjectsJS().map((row) => ({
            year: Number(row["year"]),
            isReplaced: row["moved"] === true,
          }));
      const replace = (name: "revisions" | "daily", partitions: typeof settled) => {
        const sql = writeFiguresSql
          .replaceAll("{more}", name === "daily" ? "" : SUPERSEDED)
          .replaceAll("{rows}", isFirst ? "(SELECT *, true AS is_current FROM stored)" : "settled");
        const isCurrent = name === "daily" ? 1 : 0;
        return replacePartitions(
          tables[name],
          state[name],
          connection,
          partitions.map(({ year }) => ({
            partition: { source, year: String(year) },
            write: (target: string) =>
              connection.run(fill(sql, { source, year, target, is_current: isCurrent })),
          })),
          now,
        );
      };
      const replaced = settled.filter(({ isReplaced }) => isReplaced);
      revisions.push(...(await replace("revisions", replaced)));
      daily.push(...(await replace("daily", settled)));
    }
    const writeList = (name: "held" | "statements", rows: readonly object[], sql: string) => {
      const write = (target: string) => connection.run(fill(sql, { target, rows: listOf(rows) }));
      return replacePartitions(tables[name], state[name], connection, [{ partition: {}, write }], now);
    };
    const { held, statements = [] } = change;
    return {
      daily,
      revisions,
      held: differs.held ? await writeList("held", held, writeHeldSql) : [],
      statements: differs.statements ? await writeList("statements", statements, writeStatementsSql) : [],
    };
  } catch (fault) {
    // The files of earlier groups are in no commit.
    removeUncommitted(tables.daily, daily);
    removeUncommitted(tables.revisions, revisions);
    throw fault;
  }
}

/** Prints rows as JSON that DuckDB reads: it refuses a lone surrogate, which a document may have. */
function listOf(rows: readonly object[]): string {
  return JSON.stringify(rows, (_, value) => (typeof value === "string" ? value.toWellFormed() : value));
}

/** Loads every stored version of the figures of a few years into the working table. Resolves with the number of files read. */
async function loadStored(
  connection: DuckDBConnection,
  tables: DailyTables,
  state: State,
  source: DailySource,
  years: readonly number[],
): Promise<number> {
  let files = 0;
  for (const [rank, name] of (["daily", "revisions"] as const).entries()) {
    const adds = years.flatMap((year) => filesOfPartition(state[name], { source, year: String(year) }));
    await tables[name].verifier.require(adds);
    if (adds.length > 0)
      await connection.run(fill(loadStoredSql, { files: adds.map(tables[name].pathOf), rank }));
    files += adds.length;
  }
  return files;
}

interface Group {
  readonly source: DailySource;
  readonly years: readonly number[];
  readonly rows: readonly Observation[];
}

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

/** In the order of working-tables.sql. */
const FIGURE: readonly RowColumn<Observation>[] = [
  { plain: ({ date }) => date },
  { plain: ({ source }) => DAILY_SOURCES.indexOf(source) },
  { plain: ({ base }) => currencyIndex(base) },
  { plain: ({ quote }) => currencyIndex(quote) },
  { text: ({ printed }) => printed },
  { plain: ({ decimals }) => decimals },
  { plain: ({ observedAt }) => observedAt },
  { plain: ({ publishedAt }) => publishedAt ?? Number.NaN },
  { plain: ({ retrievedAt }) => retrievedAt },
  { text: ({ document }) => document },
  { text: ({ documentSha256 }) => documentSha256 },
  { plain: ({ revision }) => revision },
];
