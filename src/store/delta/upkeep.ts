/** Upkeep of a table: checkpoints for fast opening; removal of old log entries, and of files without a retained version. */

import { rmSync, statSync } from "node:fs";
import { relative } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import { fill } from "#store/parquet/engine.ts";
import { actionsOf, type Snapshot } from "./snapshot.ts";
import checkpointSql from "./sql/checkpoint.sql" with { type: "text" };
import { dataFilesOf, type Table } from "./table.ts";

/** The number of commits after a checkpoint at which a commit with a DuckDB connection makes the next one. */
const CHECKPOINT_EVERY = 20;

/** Makes a checkpoint unless one of the last CHECKPOINT_EVERY commits has one. */
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

/** Resolves when it is durable. Readers may use the table at any moment. */
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

export interface Retention {
  readonly now: number;
  /** The time that older versions stay readable. */
  readonly keptMilliseconds: number;
}

export interface Swept {
  readonly files: number;
  readonly bytes: number;
}

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
  const start = checkpoints.filter((version) => isOlder(table, version, boundary)).at(-2);
  if (start !== undefined) {
    await table.storage?.removeLogBefore(start);
    table.log.removeBefore(start);
  }
  return sweptThere ?? swept;
}

function isOlder(table: Table, version: number, boundary: number): boolean {
  return table.log.readCheckpoint(version, null).timestamp <= boundary;
}

function retainedOf(snapshot: Snapshot, boundary: number): ReadonlySet<string> {
  const retained = new Set(snapshot.files.keys());
  for (const { path, deletionTimestamp } of snapshot.removed.values())
    if (deletionTimestamp > boundary) retained.add(path);
  return retained;
}

function sweep(table: Table, retained: ReadonlySet<string>): Swept {
  let [files, bytes] = [0, 0];
  for (const path of dataFilesOf(table.directory)) {
    const name = relative(table.directory, path);
    if (retained.has(name)) continue;
    bytes += statSync(path).size;
    files += 1;
    rmSync(path, { force: true });
    table.verifier.forget(name);
  }
  return { files, bytes };
}
