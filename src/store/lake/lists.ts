/** The two small tables that are written as a whole: held figures, and the statements of routes. */

import type { DuckDBConnection } from "@duckdb/node-api";
import type { Statement } from "#domain/acceptance/statements.ts";
import type { HeldFigure } from "#domain/intake/reading.ts";
import type { LakeChange } from "#ports.ts";
import type { Action } from "#store/delta/actions.ts";
import type { Snapshot } from "#store/delta/snapshot.ts";
import type { Table } from "#store/delta/table.ts";
import { replacePartitions } from "#store/delta/write.ts";
import { appendRows } from "#store/parquet/append.ts";
import { fill } from "#store/parquet/engine.ts";
import heldSql from "./sql/tables/held-table.sql" with { type: "text" };
import statementsSql from "./sql/tables/statements-table.sql" with { type: "text" };
import writeHeldSql from "./sql/write/write-held.sql" with { type: "text" };
import writeStatementsSql from "./sql/write/write-statements.sql" with { type: "text" };

/** The held figures as one file in the place of the one before. */
export async function writeHeld(
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

/** The statements of routes, in the same way. */
export async function writeStatements(
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

/** Creates and fills `statements`, the complete list; `printed` is empty where there is none. */
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
