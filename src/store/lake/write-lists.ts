/** The two small tables that are written as a whole: held figures, and what routes said. */

import type { DuckDBConnection } from "@duckdb/node-api";
import type { Statement } from "#domain/acceptance/statements.ts";
import type { LakeChange } from "#ports.ts";
import { type Action, removalOf } from "#store/delta/actions.ts";
import { fill } from "#store/delta/engine.ts";
import type { Snapshot } from "#store/delta/snapshot.ts";
import type { Table } from "#store/delta/table.ts";
import { writeFiles } from "#store/delta/write.ts";
import { appendHeld, appendStatements } from "./incoming.ts";
import writeHeldSql from "./sql/write-held.sql" with { type: "text" };
import writeStatementsSql from "./sql/write-statements.sql" with { type: "text" };

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
  return await replaceWhole(connection, table, snapshot, write, now);
}

/** What routes said, in the same way. */
export async function writeStatements(
  connection: DuckDBConnection,
  table: Table,
  snapshot: Snapshot | null,
  statements: readonly Statement[],
  now: number,
): Promise<readonly Action[]> {
  await appendStatements(connection, statements);
  const write = (target: string) => connection.run(fill(writeStatementsSql, { target }));
  return await replaceWhole(connection, table, snapshot, write, now);
}

/** A new file in the place of the one that a table without partitions has. */
async function replaceWhole(
  connection: DuckDBConnection,
  table: Table,
  snapshot: Snapshot | null,
  write: (target: string) => Promise<unknown>,
  now: number,
): Promise<readonly Action[]> {
  const adds = await writeFiles(table, connection, [{ partition: {}, write }], now);
  const old = [...(snapshot?.files.values() ?? [])];
  return [...old.map((add) => removalOf(add, now)), ...adds.map((add) => ({ add }))];
}
