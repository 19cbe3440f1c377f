/** Proof that a conversion loses no row: the old files and the new ones, compared by DuckDB before the old ones go. */

import { join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import type { Add } from "#store/delta/actions.ts";
import type { TableDefinition } from "#store/delta/schema.ts";
import readSql from "#store/lake/sql/convert/read-converted.sql" with { type: "text" };
import type { DailyTables } from "#store/lake/state.ts";
import { fill } from "#store/parquet/engine.ts";
import type { OldFile } from "./old-files.ts";

const KEY = ["source", "date", "base", "quote", "revision"];

/** Rejects unless the held figures are those that were there. */
export async function compareHeld(
  connection: DuckDBConnection,
  { held }: DailyTables,
  adds: readonly Add[],
  directory: string,
  files: readonly OldFile[],
): Promise<void> {
  const columns = columnsOf(held.definition);
  const old = files.map(({ path }) => join(directory, path));
  await requireSame(connection, "held", rowsOf(old, columns), rowsOf(adds.map(held.pathOf), columns));
}

/**
 * Rejects unless both tables have exactly the rows that they had. Where a writer died between the two files of a
 * partition, rows are in both of them: then current and superseded rows are separated, and every revision must be there
 * once, as it was.
 */
export async function compareFigures(
  connection: DuckDBConnection,
  tables: DailyTables,
  adds: Readonly<Record<"daily" | "revisions", readonly Add[]>>,
  directory: string,
  files: readonly OldFile[],
): Promise<void> {
  type Name = keyof typeof adds;
  const oldRows = (name: Name, columns: readonly string[]) =>
    rowsOf(
      files.filter((file) => file.table === name).map(({ path }) => join(directory, path)),
      columns,
    );
  const newRows = (name: Name, columns: readonly string[]) =>
    rowsOf(adds[name].map(tables[name].pathOf), columns);

  if ((await count(connection, `${oldRows("daily", KEY)} INTERSECT ${oldRows("revisions", KEY)}`)) === 0) {
    for (const name of ["daily", "revisions"] as const) {
      const columns = columnsOf(tables[name].definition);
      await requireSame(connection, name, oldRows(name, columns), newRows(name, columns));
    }
    return;
  }
  // One of the two rows may know the publication instant already.
  const compared = columnsOf(tables.daily.definition).filter((column) => column !== "published_at");
  await requireSame(
    connection,
    "revisions",
    `(${oldRows("daily", compared)} UNION ${oldRows("revisions", compared)})`,
    `(${newRows("daily", compared)} UNION ALL ${newRows("revisions", compared)})`,
  );
  const published = (rows: typeof oldRows) => {
    const of = (name: Name) =>
      `SELECT * FROM (${rows(name, [...KEY, "published_at"])}) WHERE published_at IS NOT NULL`;
    return `(${of("daily")} UNION ${of("revisions")})`;
  };
  await requireSame(connection, "publication instants", published(oldRows), published(newRows));
}

async function requireSame(
  connection: DuckDBConnection,
  what: string,
  before: string,
  after: string,
): Promise<void> {
  // Each row as often as it was there before, less as often as it is there now.
  const reader = await connection.runAndReadAll(
    `SELECT
       coalesce(sum(n) FILTER (n > 0), 0)::INTEGER AS lost,
       coalesce(-sum(n) FILTER (n < 0), 0)::INTEGER AS added
     FROM (
       SELECT * EXCLUDE side, sum(side) AS n
       FROM (SELECT *, 1 AS side FROM (${before}) UNION ALL SELECT *, -1 AS side FROM (${after}))
       GROUP BY ALL
     )`,
  );
  const [lost, added] = reader.getRowsJS()[0] as [number, number];
  if (lost + added > 0)
    throw new Error(
      `converting ${what} would lose or change ${lost} rows and make up ${added}: nothing was changed`,
    );
}

async function count(connection: DuckDBConnection, select: string): Promise<number> {
  const rows = (await connection.runAndReadAll(`SELECT count(*)::INTEGER FROM (${select})`)).getRowsJS();
  return rows[0]?.[0] as number;
}

/** Without the year, which follows from the date. */
function columnsOf({ partitions, columns }: TableDefinition): readonly string[] {
  return [...partitions, ...columns].map((column) => column.name).filter((column) => column !== "year");
}

/** No files, no rows: DuckDB wants at least one. */
function rowsOf(files: readonly string[], columns: readonly string[]): string {
  if (files.length === 0)
    return `SELECT ${columns.map((column) => `NULL AS ${column}`).join(", ")} WHERE false`;
  return `SELECT ${columns.join(", ")} FROM (${fill(readSql, { files })})`;
}
