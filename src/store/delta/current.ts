/** `current/`: one plain Parquet file a partition under a fixed name, for readers without a Delta reader. Derived from the log. */

import {
  copyFileSync,
  linkSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  utimesSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";
import { makeFolder } from "#store/disk/durable.ts";
import { partitionFolder, type TableDefinition } from "./schema.ts";
import type { Snapshot } from "./snapshot.ts";
import type { Table } from "./table.ts";

export const CURRENT_FOLDER = "current";

/** `current/daily/source=ecb_daily/year=2026/rates.parquet`, relative to the lake's directory. */
export function currentPath(
  definition: TableDefinition,
  partition: Readonly<Record<string, string>>,
): string {
  return join(
    CURRENT_FOLDER,
    definition.name,
    partitionFolder(definition, partition),
    definition.currentFile,
  );
}

/**
 * Brings the folder of a table up to a snapshot: each name leads to the very file of the table (a hard link; a copy
 * where the file system has none), replaced atomically. Costs two system calls a partition when nothing changed. The
 * caller is the one writer. A partition whose file is missing stays as it is. A copy of a table in shared storage has no such
 * folder: its second names would keep on the disk what leaves the copy.
 */
export function refreshCurrent(lakeDirectory: string, table: Table, snapshot: Snapshot): void {
  if (table.storage !== null) return;
  for (const { file, path } of outdated(lakeDirectory, table, snapshot)) replaceByLink(file, path);
  for (const path of others(lakeDirectory, table, snapshot)) {
    rmSync(path, { force: true });
    removeIfEmpty(dirname(path), join(lakeDirectory, CURRENT_FOLDER, table.definition.name));
  }
}

/** Whether the folder matches a snapshot: every partition has its file, and there is none beside them. */
export function isCurrent(lakeDirectory: string, table: Table, snapshot: Snapshot): boolean {
  if (table.storage !== null) return true;
  return (
    outdated(lakeDirectory, table, snapshot).length === 0 &&
    others(lakeDirectory, table, snapshot).length === 0
  );
}

function outdated(lakeDirectory: string, table: Table, snapshot: Snapshot) {
  const found: { readonly file: string; readonly path: string }[] = [];
  for (const add of snapshot.files.values()) {
    const [file, path] = [
      table.pathOf(add),
      join(lakeDirectory, currentPath(table.definition, add.partitionValues)),
    ];
    const source = statSync(file, { bigint: true, throwIfNoEntry: false });
    if (source === undefined) continue;
    const there = statSync(path, { bigint: true, throwIfNoEntry: false });
    if (there === undefined || (there.ino !== source.ino && !isCopy(there, source)))
      found.push({ file, path });
  }
  return found;
}

/** Where the file system has no hard links: then the copy has the time of its file, as far as it can be set. */
function isCopy(
  there: { readonly size: bigint; readonly mtimeNs: bigint },
  source: { readonly size: bigint; readonly mtimeNs: bigint; readonly nlink: bigint },
): boolean {
  const difference = there.mtimeNs - source.mtimeNs;
  // Not "younger": a clock that was set back would make every older version pass for the newest.
  return (
    source.nlink === 1n && there.size === source.size && difference > -COPIED_NS && difference < COPIED_NS
  );
}

/** Times are set by a double of seconds. */
const COPIED_NS = 10_000n;

function replaceByLink(file: string, path: string): void {
  makeFolder(dirname(path));
  // Begins with a dot and ends otherwise: no reader of the folder takes it for data.
  const temporary = join(dirname(path), ".next.tmp");
  rmSync(temporary, { force: true });
  try {
    linkSync(file, temporary);
  } catch (fault) {
    const { code } = fault as NodeJS.ErrnoException;
    if (code !== "EPERM" && code !== "ENOTSUP" && code !== "EOPNOTSUPP" && code !== "EMLINK") throw fault;
    copyFileSync(file, temporary);
    const { atimeMs, mtimeMs } = statSync(file);
    utimesSync(temporary, atimeMs / 1000, mtimeMs / 1000);
  }
  renameSync(temporary, path);
}

/** Files that are not of the snapshot: of partitions that are gone, or left by a writer that died. */
function others(lakeDirectory: string, { definition }: Table, snapshot: Snapshot): readonly string[] {
  const root = join(lakeDirectory, CURRENT_FOLDER, definition.name);
  if (statSync(root, { throwIfNoEntry: false }) === undefined) return [];
  const wanted = new Set(
    [...snapshot.files.values()].map(({ partitionValues }) => currentPath(definition, partitionValues)),
  );
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !wanted.has(relative(lakeDirectory, path)));
}

function removeIfEmpty(folder: string, root: string): void {
  if (folder === root) return;
  try {
    rmdirSync(folder);
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code !== "ENOTEMPTY") throw fault;
    return;
  }
  removeIfEmpty(dirname(folder), root);
}
