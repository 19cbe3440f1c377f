/** Reading the lake into memory: current observations as typed arrays, superseded and held ones as they are. */

import type { DuckDBConnection } from "@duckdb/node-api";
import type { SupersededObservation } from "#domain/acceptance/revision.ts";
import type { Statement } from "#domain/acceptance/statements.ts";
import { emptyObservations, NO_OBSERVATIONS, type ObservationColumns } from "#domain/history/history.ts";
import type { HeldFigure } from "#domain/intake/reading.ts";
import type { LakeRecord } from "#ports.ts";
import type { Add } from "#store/delta/actions.ts";
import { statsOf } from "#store/delta/actions.ts";
import { filesOf, type Snapshot } from "#store/delta/snapshot.ts";
import type { Table } from "#store/delta/table.ts";
import { fill, itemsOf, withEngine } from "#store/parquet/engine.ts";
import { ReadBrokeOff, streamRows } from "#store/parquet/stream.ts";
import columnsSql from "./sql/read/read-columns.sql" with { type: "text" };
import heldSql from "./sql/read/read-held.sql" with { type: "text" };
import supersededSql from "./sql/read/read-revisions.sql" with { type: "text" };
import statementsSql from "./sql/read/read-statements.sql" with { type: "text" };
import { coverageIn, type DailyTables, datasetVersion, retrievalsIn, type State } from "./state.ts";

/** Everything that a state holds but for the files left out, which are damaged. The others were found intact. */
export async function loadRecord(
  directory: string,
  tables: DailyTables,
  state: State,
  leftOut: ReadonlySet<Add>,
): Promise<Omit<LakeRecord, "damaged">> {
  const of = (table: Table, snapshot: Snapshot) => {
    const adds = filesOf(snapshot).filter((add) => !leftOut.has(add));
    const rows = adds.reduce((sum, add) => sum + statsOf(add).numRecords, 0);
    return { files: adds.map(table.pathOf), rows };
  };
  const daily = of(tables.daily, state.daily);
  const superseded = of(tables.revisions, state.revisions);
  const held = of(tables.held, state.held);
  const statements = of(tables.statements, state.statements);
  const about = {
    version: datasetVersion(state),
    coverage: coverageIn(state),
    retrievals: retrievalsIn(state),
  };
  if ([daily, superseded, held, statements].every(({ files }) => files.length === 0)) {
    return { ...about, ...NO_COLUMNS, superseded: [], held: [], statements: [] };
  }
  return await withEngine(directory, async (connection) => ({
    ...about,
    ...(await readColumns(connection, daily)),
    superseded: await readRecords<SupersededObservation>(connection, supersededSql, superseded),
    held: await readRecords<HeldFigure>(connection, heldSql, held),
    statements: await readRecords<Statement>(connection, statementsSql, statements),
  }));
}

/** Files, and the number of their rows by the log. */
interface Files {
  readonly files: readonly string[];
  readonly rows: number;
}

interface Columns {
  readonly observations: ObservationColumns;
  readonly publishedAt: Float64Array;
}

const NO_COLUMNS: Columns = { observations: NO_OBSERVATIONS, publishedAt: new Float64Array(0) };

async function readColumns(connection: DuckDBConnection, { files, rows: expected }: Files): Promise<Columns> {
  if (files.length === 0) return NO_COLUMNS;
  // Of the length in the log: an array that grows would be in memory twice.
  const observations = emptyObservations(expected);
  const publishedAt = new Float64Array(expected);
  const { count: _, ...arrays } = observations;
  // In the order of read-columns.sql.
  const columns = [...Object.values(arrays), publishedAt];

  let count = 0;
  const stream = await streamRows(connection, fill(columnsSql, { files }));
  for (let rows = await stream.next(); rows !== null; rows = await stream.next()) {
    if (count + rows.count > expected) throw new ReadBrokeOff(count);
    for (const [index, column] of columns.entries()) {
      const items = itemsOf<typeof column>(rows.chunk.getColumnVector(index));
      column.set(items.subarray(0, rows.count), count);
    }
    count += rows.count;
  }
  if (count !== expected) throw new ReadBrokeOff(count);
  return { observations, publishedAt };
}

/** Rows as records: a column of the statement is the member of its name in camel case, and has that member's type. */
async function readRecords<T extends object>(
  connection: DuckDBConnection,
  sql: string,
  { files, rows: expected }: Files,
): Promise<readonly T[]> {
  if (files.length === 0) return [];
  const reader = await connection.runAndReadAll(fill(sql, { files }));
  const rows = reader.getRowsJS();
  if (rows.length !== expected) throw new ReadBrokeOff(rows.length);
  const members = reader
    .columnNames()
    .map((name) => name.replace(/_([a-z])/g, (_, first: string) => first.toUpperCase()));
  return rows.map((row) => Object.fromEntries(members.map((member, at) => [member, row[at]])) as T);
}
