/** Writes new data files of a table: flushed, hashed and described before a commit names them. */

import { rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import { flush, makeFolders } from "#store/disk/durable.ts";
import { sha256Of } from "./damage.ts";
import { type Column, partitionFolder, type TableDefinition } from "./schema.ts";
import {
  type Action,
  type Add,
  type FileStats,
  filesOfPartition,
  removalOf,
  type Snapshot,
} from "./snapshot.ts";
import type { Table } from "./table.ts";

/** The next file of a partition, and the statement that fills it. */
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

/** Writes files that replace those of the same partitions in a snapshot. */
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

/** Prints bounds as the protocol does. This program's instants are whole milliseconds, which loses nothing. */
function printed({ name, type }: Column, bound: "min" | "max"): string {
  if (type === "date") return `${bound}(${name})::VARCHAR`;
  if (type === "timestamp") return `strftime(${bound}(${name})::TIMESTAMP, '%Y-%m-%dT%H:%M:%S.%gZ')`;
  return `${bound}(${name})`;
}
