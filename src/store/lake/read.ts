/** Reading the lake into memory: current observations as typed arrays, superseded and held ones as they are. */

import type { DuckDBConnection } from "@duckdb/node-api";
import type { SupersededObservation } from "#domain/acceptance/revision.ts";
import type { Statement } from "#domain/acceptance/statements.ts";
import { NO_OBSERVATIONS, type ObservationColumns } from "#domain/history/history.ts";
import type { HeldFigure } from "#domain/intake/reading.ts";
import type { LakeRecord } from "#ports.ts";
import type { Add } from "#store/delta/actions.ts";
import { statsOf } from "#store/delta/actions.ts";
import { filesOf, type Snapshot } from "#store/delta/snapshot.ts";
import type { Table } from "#store/delta/table.ts";
import { fill, itemsOf, withEngine } from "#store/parquet/engine.ts";
import { ReadBrokeOff, streamRows } from "#store/parquet/stream.ts";
import columnsSql from "./sql/read-columns.sql" with { type: "text" };
import heldSql from "./sql/read-held.sql" with { type: "text" };
import supersededSql from "./sql/read-revisions.sql" with { type: "text" };
import statementsSql from "./sql/read-statements.sql" with { type: "text" };
import { coverageIn, type DailyTables, datasetVersion, retrievalsIn, type State } from "./state.ts";

/** Everything that a state holds but for the files left out, which are damaged. The others were found intact. */
export async function loadRecord(
  directory: string,
  tables: DailyTables,
  state: State,
  leftOut: ReadonlySet<Add>,
): Promise<Omit<LakeRecord, "damaged">> {
  const of = (table: Table, snapshot: Snapshot | null) => {
    const adds = (snapshot === null ? [] : filesOf(snapshot)).filter((add) => !leftOut.has(add));
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
    return {
      ...about,
      observations: NO_OBSERVATIONS,
      publishedAt: new Float64Array(0),
      superseded: [],
      held: [],
      statements: [],
    };
  }
  return await withEngine(directory, async (connection) => ({
    ...about,
    ...(daily.files.length === 0
      ? { observations: NO_OBSERVATIONS, publishedAt: new Float64Array(0) }
      : await readColumns(connection, daily)),
    superseded: superseded.files.length === 0 ? [] : await readSuperseded(connection, superseded),
    held: held.files.length === 0 ? [] : await readHeld(connection, held),
    statements: statements.files.length === 0 ? [] : await readStatements(connection, statements),
  }));
}

/** Files, and the number of their rows by the log. */
interface Files {
  readonly files: readonly string[];
  readonly rows: number;
}

async function readColumns(
  connection: DuckDBConnection,
  { files, rows: expected }: Files,
): Promise<{ observations: ObservationColumns; publishedAt: Float64Array }> {
  // Of the length in the log: an array that grows would be in memory twice.
  const observations = {
    count: expected,
    source: new Uint8Array(expected),
    date: new Int32Array(expected),
    base: new Uint8Array(expected),
    quote: new Uint8Array(expected),
    units: new Float64Array(expected),
    scale: new Uint8Array(expected),
    decimals: new Uint8Array(expected),
    observedAt: new Float64Array(expected),
    retrievedAt: new Float64Array(expected),
    revision: new Uint16Array(expected),
  };
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

/** A row as the SQL gives it: instants in milliseconds under their column names. */
type Row = Record<string, unknown>;

async function rowsOf(
  connection: DuckDBConnection,
  sql: string,
  { files, rows: expected }: Files,
): Promise<readonly Row[]> {
  const rows = (await connection.runAndReadAll(fill(sql, { files }))).getRowObjectsJS();
  if (rows.length !== expected) throw new ReadBrokeOff(rows.length);
  return rows;
}

function figureOf(row: Row) {
  return {
    source: row["source"] as HeldFigure["source"],
    date: row["date"] as number,
    base: row["base"] as HeldFigure["base"],
    quote: row["quote"] as HeldFigure["quote"],
    printed: row["printed"] as string,
    decimals: row["decimals"] as number,
    observedAt: row["observed_at"] as number,
    publishedAt: row["published_at"] as number | null,
    retrievedAt: row["retrieved_at"] as number,
    document: row["document"] as string,
    documentSha256: row["document_sha256"] as string,
  };
}

async function readHeld(connection: DuckDBConnection, files: Files): Promise<readonly HeldFigure[]> {
  const rows = await rowsOf(connection, heldSql, files);
  return rows.map((row) => ({
    ...figureOf(row),
    rule: row["rule"] as string,
    reason: row["reason"] as string,
  }));
}

async function readStatements(connection: DuckDBConnection, files: Files): Promise<readonly Statement[]> {
  const rows = await rowsOf(connection, statementsSql, files);
  return rows.map((row) => ({
    source: row["source"] as Statement["source"],
    route: row["route"] as string,
    base: row["base"] as Statement["base"],
    quote: row["quote"] as Statement["quote"],
    first: row["first"] as number,
    last: row["last"] as number,
    says: row["says"] as Statement["says"],
    printed: row["printed"] as string | null,
  }));
}

async function readSuperseded(
  connection: DuckDBConnection,
  files: Files,
): Promise<readonly SupersededObservation[]> {
  const rows = await rowsOf(connection, supersededSql, files);
  return rows.map((row) => ({
    ...figureOf(row),
    revision: row["revision"] as number,
    supersededAt: row["superseded_at"] as number,
    why: row["why"] as "revised" | "withdrawn",
    supersededBy: row["superseded_by"] as string,
  }));
}
