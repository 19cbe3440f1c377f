/** The files of a table: new data files, written before a commit names them; checkpoints; removal of log entries and files without a retained version. */

import { rmSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import { flush, makeFolders, removeIfEmpty } from "#store/disk/durable.ts";
import { fill } from "#store/parquet/engine.ts";
import { sha256Of } from "./damage.ts";
import { type Column, partitionFolder, type TableDefinition } from "./schema.ts";
import {
  type Action,
  type Add,
  actionsOf,
  type FileStats,
  filesOfPartition,
  removalOf,
  type Snapshot,
} from "./snapshot.ts";
import checkpointSql from "./sql/checkpoint.sql" with { type: "text" };
import { dataFilesOf, type Table } from "./table.ts";

export interface NewFile {
  readonly partition: Readonly<Record<string, string>>;
  readonly write: (target: string) => Promise<unknown>;
}

/**
 * Writes files and resolves with their actions when they are durable; a file without rows is left out. A fault removes
 * all of them. Readers see them when a commit names them.
 */
export async function writeFiles(
  table: Table,
  connection: DuckDBConnection,
  files: readonly NewFile[],
  now: number,
): Promise<readonly Add[]> {
  const { definition, directory, verifier } = table;
  const named = files.map((file) => {
    const folder = partitionFolder(definition, file.partition);
    return { ...file, path: join(folder, `part-${crypto.randomUUID()}.parquet`) };
  });
  const absolute = named.map(({ path }) => join(directory, path));
  const folders = [...new Set(absolute.map((path) => dirname(path)))];
  makeFolders(folders);
  try {
    for (const [index, { write }] of named.entries()) await write(absolute[index] as string);
    await Promise.all(absolute.map(flush));
    await Promise.all(folders.map(flush));
    const described = await describe(connection, definition, absolute);
    const adds: Add[] = [];
    for (const [index, { path, partition }] of named.entries()) {
      const file = absolute[index] as string;
      const stats = described.get(file);
      if (stats === undefined) {
        rmSync(file, { force: true });
        continue;
      }
      adds.push({
        path,
        partitionValues: partition,
        size: statSync(file).size,
        modificationTime: now,
        dataChange: true,
        stats: JSON.stringify(stats),
        tags: { sha256: await sha256Of(file) },
      });
      verifier.trust(path);
    }
    return adds;
  } catch (fault) {
    for (const path of absolute) rmSync(path, { force: true });
    throw fault;
  }
}

export async function replacePartitions(
  table: Table,
  snapshot: Snapshot,
  connection: DuckDBConnection,
  files: readonly NewFile[],
  now: number,
): Promise<readonly Action[]> {
  const adds = await writeFiles(table, connection, files, now);
  const old = files.flatMap(({ partition }) => filesOfPartition(snapshot, partition));
  return [...old.map((add) => removalOf(add, now)), ...adds.map((add) => ({ add }))];
}

/** Removes the files of a failed commit; committed files stay. */
export function removeUncommitted(table: Table, actions: readonly Action[]): void {
  const files = table.latest()?.files;
  for (const action of actions)
    if ("add" in action && files?.has(action.add.path) !== true)
      rmSync(table.pathOf(action.add), { force: true });
}

/** Reads the statistics from the files themselves, by path; a file without rows has no entry. */
async function describe(
  connection: DuckDBConnection,
  { columns }: TableDefinition,
  paths: readonly string[],
): Promise<ReadonlyMap<string, FileStats>> {
  if (paths.length === 0) return new Map();
  const ranged = columns.filter((column) => column.ranged);
  const selected = [
    ...ranged.flatMap((column) => [
      `${printed(column, "min")} AS "min ${column.name}"`,
      `${printed(column, "max")} AS "max ${column.name}"`,
    ]),
    ...columns.map(({ name }) => `(count(*) - count(${name}))::INTEGER AS "nulls ${name}"`),
  ];
  const list = paths.map((path) => `'${path.replaceAll("'", "''")}'`).join(", ");
  const reader = await connection.runAndReadAll(
    `SELECT filename, count(*)::INTEGER AS rows, ${selected.join(", ")}
     FROM read_parquet([${list}], filename = true, hive_partitioning = false) GROUP BY filename`,
  );
  const pick = <T>(row: Record<string, unknown>, prefix: string, of: readonly Column[]) =>
    Object.fromEntries(of.map(({ name }) => [name, row[`${prefix} ${name}`] as T]));
  return new Map(
    reader.getRowObjectsJS().map((row) => {
      const present = ranged.filter(({ name }) => row[`min ${name}`] !== null);
      const stats: FileStats = {
        numRecords: row["rows"] as number,
        minValues: pick(row, "min", present),
        maxValues: pick(row, "max", present),
        nullCount: pick(row, "nulls", columns),
      };
      return [row["filename"] as string, stats];
    }),
  );
}

/** Prints bounds as the protocol does. Its milliseconds lose nothing: this program's instants have no smaller part. */
function printed({ name, type }: Column, bound: "min" | "max"): string {
  if (type === "date") return `${bound}(${name})::VARCHAR`;
  if (type === "timestamp") return `strftime(${bound}(${name})::TIMESTAMP, '%Y-%m-%dT%H:%M:%S.%gZ')`;
  return `${bound}(${name})`;
}

/** A checkpoint is due after so many commits; a commit with a DuckDB connection makes it. */
const CHECKPOINT_EVERY = 20;

/** Makes a checkpoint unless one of the last CHECKPOINT_EVERY commits has made it. */
export async function checkpointIfDue(
  table: Table,
  connection: DuckDBConnection,
  retention: Retention,
): Promise<void> {
  const snapshot = table.latest();
  if (snapshot === null || commitsSinceCheckpoint(table) < CHECKPOINT_EVERY) return;
  await checkpoint(table, snapshot, connection, retention);
}

/** Counts the commits that opening the table reads one by one. */
export function commitsSinceCheckpoint(table: Table): number {
  return (table.latest()?.version ?? 0) - (table.log.list().checkpoints.at(-1) ?? 0);
}

/** Makes a checkpoint after new commits, then cleans up. `use` gives a DuckDB connection. The caller is the one writer. */
export async function maintain(
  table: Table,
  snapshot: Snapshot,
  retention: Retention,
  use: (work: (connection: DuckDBConnection) => Promise<void>) => Promise<void>,
): Promise<Swept> {
  if (commitsSinceCheckpoint(table) > 0)
    await use((connection) => checkpoint(table, snapshot, connection, retention));
  return await cleanUp(table, retention);
}

/** Makes a checkpoint; resolves when it is durable. Readers may use the table meanwhile. */
export async function checkpoint(
  table: Table,
  snapshot: Snapshot,
  connection: DuckDBConnection,
  { now, keptMilliseconds }: Retention,
): Promise<void> {
  const { version, timestamp } = snapshot;
  const commit = { version, timestamp, actions: actionsOf(snapshot, now - keptMilliseconds) };
  await table.log.writeCheckpoint(commit, snapshot.metaData.id, async (json, target) => {
    await connection.run(fill(checkpointSql, { json, target }));
  });
}

/** Reads a Parquet checkpoint, with every column that it has. Rejects when it cannot be read. */
export async function actionsIn(connection: DuckDBConnection, path: string): Promise<readonly Action[]> {
  const read = fill("SELECT to_json(row) FROM (FROM read_parquet({path})) AS row", { path });
  const rows = (await connection.runAndReadAll(read)).getRowsJS() as [string][];
  // Each row has one action; the columns of the others are null.
  return rows.map(([row]) => JSON.parse(row, (_, value) => value ?? undefined) as Action);
}

export interface Retention {
  readonly now: number;
  readonly keptMilliseconds: number;
}

export type Swept = ReturnType<typeof sweep>;

/**
 * Removes log entries and data files that only versions older than the retention need, and uncommitted files of writers
 * that died. The caller is the one writer. A crash may end it after any step: a file is removed before its log entry.
 */
export async function cleanUp(table: Table, retention: Retention): Promise<Swept> {
  const snapshot = table.latest();
  if (snapshot === null) return { files: 0, bytes: 0 };
  const boundary = retention.now - retention.keptMilliseconds;
  const retained = retainedOf(snapshot, boundary);
  const swept = sweep(table, retained);
  const sweptThere = await table.storage?.sweep(retained);
  table.log.removeLeftovers();
  // Every younger version can be made from the newest checkpoint before the boundary, or from the one before it
  // when that is damaged.
  const { checkpoints } = table.log.list();
  const isOlder = (version: number) => table.log.readCheckpoint(version, null).timestamp <= boundary;
  const start = checkpoints.filter(isOlder).at(-2);
  if (start !== undefined) {
    await table.storage?.removeLogBefore(start);
    table.log.removeBefore(start);
  }
  return sweptThere ?? swept;
}

function retainedOf(snapshot: Snapshot, boundary: number): ReadonlySet<string> {
  const retained = new Set(snapshot.files.keys());
  for (const { path, deletionTimestamp } of snapshot.removed.values())
    if (deletionTimestamp > boundary) retained.add(path);
  return retained;
}

function sweep(table: Table, retained: ReadonlySet<string>) {
  let [files, bytes] = [0, 0];
  for (const path of dataFilesOf(table.directory)) {
    const name = relative(table.directory, path);
    if (retained.has(name)) continue;
    bytes += statSync(path).size;
    files += 1;
    rmSync(path, { force: true });
    removeIfEmpty(dirname(path), table.directory);
    table.verifier.forget(name);
  }
  return { files, bytes };
}
