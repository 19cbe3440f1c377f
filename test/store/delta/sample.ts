/** A small table of measurements by city, for the tests of tables, logs and files. */

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import type { TableDefinition } from "#store/delta/schema.ts";
import { type Action, filesOf, removalOf, type Snapshot } from "#store/delta/snapshot.ts";
import { openTable, type Table } from "#store/delta/table.ts";
import { writeFiles } from "#store/delta/upkeep.ts";
import { fill, withEngine } from "#store/parquet/engine.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

export const MEASUREMENTS: TableDefinition = {
  name: "measurements",
  description: "Made-up measurements by city",
  columns: [
    { name: "day", type: "date", ranged: true, comment: "the day" },
    { name: "number", type: "integer", ranged: true, comment: "ascending" },
    { name: "value", type: "double", nullable: true, ranged: true, comment: "null for every third one" },
    { name: "word", type: "string", ranged: true, comment: "a few different ones" },
    { name: "taken_at", type: "timestamp", ranged: true, comment: "to the millisecond" },
    { name: "note", type: "string", nullable: true, comment: "mostly null" },
  ],
  partitions: [{ name: "city", type: "string", comment: "where" }],
  currentFile: "measurements.parquet",
};

export const START = Date.UTC(2026, 2, 2);
export const DAY = 86_400_000;

export function open(directory: string): Table {
  return openTable(directory, MEASUREMENTS, "real");
}

const ROWS = `COPY (
  SELECT
    DATE '2026-01-01' + n::INTEGER % 100 AS day,
    n::INTEGER AS number,
    CASE WHEN n % 3 = 0 THEN NULL ELSE n / 7 - 5 END AS value,
    'word ' || n % 11 AS word,
    TIMESTAMPTZ '2026-01-01 00:00:00.125+00' + INTERVAL (n) MINUTE AS taken_at,
    CASE WHEN n % 50 = 7 THEN 'noted' END AS note
  FROM range({from}, {to}) AS numbers(n) ORDER BY number
) TO {target} (FORMAT parquet, PARQUET_VERSION v1, COMPRESSION zstd, USE_TMP_FILE false, ROW_GROUP_SIZE 2048)`;

/** A city's file with the numbers from `from` up to `to`, in the place of the one that it has. */
export async function rewrite(
  connection: DuckDBConnection,
  table: Table,
  base: Snapshot | null,
  city: string,
  [from, to]: readonly [number, number],
  now: number,
): Promise<readonly Action[]> {
  const write = (target: string) => connection.run(fill(ROWS, { from, to, target }));
  const adds = await writeFiles(table, connection, [{ partition: { city }, write }], now);
  const old =
    base === null ? [] : filesOf(base).filter(({ partitionValues }) => partitionValues["city"] === city);
  return [...old.map((add) => removalOf(add, now)), ...adds.map((add) => ({ add }))];
}

/** Commits versions 0 to `last`, one a day from START on: each renews Oslo, every third one Rome, too. */
export async function grow(directory: string, table: Table, last: number): Promise<void> {
  await withEngine(directory, async (connection) => {
    for (let version = (table.latest()?.version ?? -1) + 1; version <= last; version++) {
      const now = START + version * DAY;
      const base = table.latest();
      const actions = [...(await rewrite(connection, table, base, "Oslo", [0, 10 + version], now))];
      if (version % 3 === 0)
        actions.push(...(await rewrite(connection, table, base, "Rome", [version, version + 5], now)));
      actions.push({ txn: { appId: "test/count", version, lastUpdated: now } });
      await table.commit(base, actions, "WRITE", now);
    }
  });
}

/** What a snapshot says, for comparison: files and numbers in any order. */
export function contentOf(snapshot: Snapshot | null): unknown {
  if (snapshot === null) return null;
  const { files, txns, removed: _, ...rest } = snapshot;
  return { ...rest, files: new Map([...files].sort()), txns: new Map([...txns].sort()) };
}

export function commitFile(table: Table, version: number): string {
  return join(table.log.folder, `${String(version).padStart(20, "0")}.json`);
}

export function sidecarFile(table: Table, version: number): string {
  return join(table.log.folder, `.${String(version).padStart(20, "0")}.checkpoint.json`);
}

export function flip(path: string, place?: number): void {
  const bytes = readFileSync(path);
  const at = place ?? bytes.length >> 1;
  bytes[at] = (bytes[at] as number) ^ 1;
  writeFileSync(path, bytes);
}

/** As a disk does it: neither size nor time say so. */
export function flipSilently(path: string): void {
  const stamp = join(temporaryDirectory(), "stamp");
  Bun.spawnSync(["touch", "-r", path, stamp]);
  flip(path);
  Bun.spawnSync(["touch", "-r", stamp, path]);
}

export function faultOf(read: () => unknown): unknown {
  try {
    read();
    return null;
  } catch (fault) {
    return fault;
  }
}
