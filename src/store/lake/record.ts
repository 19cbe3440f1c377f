/** The record of a lake's state in memory: from a cache of this very state, or from the Parquet files without the damaged ones. */

import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deserialize, serialize } from "node:v8";
import type { DuckDBConnection } from "@duckdb/node-api";
import type { SupersededObservation } from "#domain/acceptance/judgement.ts";
import type { Statement } from "#domain/acceptance/statements.ts";
import { DAILY_SOURCES } from "#domain/currency/source.ts";
import type { DamagedFigures } from "#domain/history/damage.ts";
import { emptyObservations } from "#domain/history/history.ts";
import type { HeldFigure } from "#domain/intake/reading.ts";
import type { LakeRecord } from "#ports.ts";
import { type DamagedFile, sentenceOf } from "#store/delta/damage.ts";
import { type Add, filesOf, type Snapshot, statsOf } from "#store/delta/snapshot.ts";
import type { Table } from "#store/delta/table.ts";
import { fill, itemsOf, ReadBrokeOff, streamRows, withEngine } from "#store/parquet/engine.ts";
import documentsSql from "./sql/read/document-names.sql" with { type: "text" };
import columnsSql from "./sql/read/read-columns.sql" with { type: "text" };
import heldSql from "./sql/read/read-held.sql" with { type: "text" };
import supersededSql from "./sql/read/read-revisions.sql" with { type: "text" };
import statementsSql from "./sql/read/read-statements.sql" with { type: "text" };
import {
  coverageIn,
  type DailyTables,
  datasetVersion,
  recordKey,
  retrievalsIn,
  type State,
  TABLE_NAMES,
} from "./state.ts";

interface DamagedEntry {
  readonly add: Add;
  readonly damage: DamagedFile;
  readonly table: DamagedFigures["table"];
}

/** Finds the files of a state that do not match the log; reads only files that changed since the last check. */
export async function damageOf(tables: DailyTables, state: State): Promise<readonly DamagedEntry[]> {
  const damaged: DamagedEntry[] = [];
  for (const table of TABLE_NAMES) {
    for (const add of filesOf(state[table])) {
      const damage = await tables[table].verifier.check(add);
      if (damage !== null) damaged.push({ add, damage, table });
    }
  }
  return damaged;
}

/** Reads the cache when it is of this very state, else the intact Parquet files. */
export async function readRecord(
  directory: string,
  tables: DailyTables,
  state: State,
  damaged: readonly DamagedEntry[],
): Promise<LakeRecord> {
  const leftOut = new Set(damaged.map(({ add }) => add));
  if (leftOut.size === 0) {
    const cached = loadCached(directory, recordKey(state));
    if (cached !== null)
      return { ...cached, coverage: coverageIn(state), retrievals: retrievalsIn(state), damaged: [] };
    const record = await loadRecord(directory, tables, state, leftOut);
    saveCached(directory, record, recordKey(state));
    return { ...record, damaged: [] };
  }
  const record = await loadRecord(directory, tables, state, leftOut);
  // A record that lacks files must not carry the version of the complete one.
  const paths = damaged.map(({ damage }) => damage.path).join("\n");
  const version = `${record.version}-damaged${Bun.hash(paths).toString(36)}`;
  return { ...record, version, damaged: damaged.map(figuresOf) };
}

function figuresOf({ damage, table }: DamagedEntry): DamagedFigures {
  const { source, year } = damage.partitionValues;
  return {
    table,
    path: `${table}/${damage.path}`,
    sentence: sentenceOf(damage),
    source: DAILY_SOURCES.find((one) => one === source) ?? null,
    year: year === undefined ? null : Number(year),
  };
}

/** Loads a state without the damaged files. The others were found intact. */
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
    return { ...about, ...noFigures(), superseded: [], held: [], statements: [] };
  }
  return await withEngine(directory, async (connection) => ({
    ...about,
    ...(await readFigures(connection, daily)),
    superseded: await readRecords<SupersededObservation>(connection, supersededSql, superseded),
    held: await readRecords<HeldFigure>(connection, heldSql, held),
    statements: await readRecords<Statement>(connection, statementsSql, statements),
  }));
}

interface Files {
  readonly files: readonly string[];
  readonly rows: number;
}

/** `documentKeys` are as document-names.sql has them. */
type Columns = ReturnType<typeof emptyColumns>;

function emptyColumns(count: number) {
  const observations = emptyObservations(count);
  return { observations, publishedAt: new Float64Array(count), documentKeys: new Float64Array(count) };
}

type Figures = Pick<LakeRecord, "observations" | "publishedAt" | "documents">;

/** Reads current figures. Each of the few documents is read once, and a figure has its place in their list. */
async function readFigures(connection: DuckDBConnection, { files, rows }: Files): Promise<Figures> {
  if (files.length === 0) return noFigures();
  const reader = await connection.runAndReadAll(fill(documentsSql, { files }));
  const named = reader.getRowsJS() as unknown as readonly (readonly [number, string, string])[];
  const placeOf = new Map(named.map(([key], place) => [key, place]));
  if (placeOf.size < named.length) throw new Error("two documents have one key");
  const { documentKeys, ...columns } = await readColumns(connection, { files, rows });
  const places = new Int32Array(rows);
  for (const [row, key] of documentKeys.entries()) places[row] = placeOf.get(key) as number;
  const list = named.map(([, document, documentSha256]) => ({ document, documentSha256 }));
  return { ...columns, documents: { list, places } };
}

function noFigures(): Figures {
  const { documentKeys: _, ...columns } = emptyColumns(0);
  return { ...columns, documents: { list: [], places: new Int32Array(0) } };
}

async function readColumns(connection: DuckDBConnection, { files, rows: expected }: Files): Promise<Columns> {
  // Allocated at the length in the log: an array that grows would be in memory twice.
  const columns = emptyColumns(expected);
  const { count: _, ...figures } = columns.observations;
  // In the order of read-columns.sql.
  const arrays = [...Object.values(figures), columns.publishedAt, columns.documentKeys];
  let count = 0;
  const stream = await streamRows(connection, fill(columnsSql, { files }));
  for (let rows = await stream.next(); rows !== null; rows = await stream.next()) {
    for (const [index, column] of arrays.entries()) {
      const items = itemsOf<typeof column>(rows.chunk.getColumnVector(index));
      column.set(items.subarray(0, rows.count), count);
    }
    count += rows.count;
  }
  if (count !== expected) throw new ReadBrokeOff(count);
  return columns;
}

/** Reads rows as records: a column of the statement becomes the camel-case member of its name and type. */
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

/** Readers of the lake skip a name that begins with a dot. */
const CACHE_FILE = ".columns.cache";
const HASH_BYTES = 8;

type CachedRecord = Omit<LakeRecord, "coverage" | "retrievals" | "damaged">;

/** Names the form of the file, which depends on the runtime, and the state. */
const keyOf = (key: string) => `10 ${Bun.version} ${key}`;

/** Returns the record of state `key` without coverage and retrievals; null without an intact cache of it. */
export function loadCached(directory: string, key: string): CachedRecord | null {
  try {
    const file = readFileSync(join(directory, CACHE_FILE));
    const content = file.subarray(0, -HASH_BYTES);
    if (!file.subarray(content.length).equals(hashOf(content))) return null;
    const cached = deserialize(content) as { readonly key: string; readonly record: CachedRecord };
    return cached.key === keyOf(key) ? cached.record : null;
  } catch {
    // The cache is missing: it is made again.
    return null;
  }
}

/** Writes in place: a half-written cache has a wrong hash. On a full disk there is no cache, and no failure. */
function saveCached(directory: string, record: CachedRecord, key: string): void {
  const { version, observations, publishedAt, documents, held, superseded, statements } = record;
  const cached = { version, observations, publishedAt, documents, held, superseded, statements };
  const content = serialize({ key: keyOf(key), record: cached });
  const path = join(directory, CACHE_FILE);
  try {
    writeFileSync(path, content);
    appendFileSync(path, hashOf(content));
  } catch {
    // The next start reads the files.
  }
}

function hashOf(content: Uint8Array): Buffer {
  const hash = Buffer.alloc(HASH_BYTES);
  hash.writeBigUInt64LE(BigInt(Bun.hash(content)));
  return hash;
}
