/** `current/`: one plain Parquet file per partition under a fixed name, for readers without a Delta reader. Derived from the log. */

import { linkSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { makeFolder, removeIfEmpty } from "#store/disk/durable.ts";
import { sha256Of } from "./damage.ts";
import { CURRENT_FOLDER, partitionFolder, type TableDefinition } from "./schema.ts";
import type { Snapshot } from "./snapshot.ts";
import type { Table } from "./table.ts";

/** Returns a path such as `current/daily/source=ecb_daily/year=2026/rates.parquet`, relative to the lake's directory. */
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
 * Brings the folder of a table up to a snapshot. Each name is replaced atomically by a hard link to the table's file. An
 * unchanged partition costs two system calls. The caller is the one writer. A
 * partition with a missing file stays unchanged. A copy of shared storage has no such folder: its second names would
 * keep deleted files on the disk.
 */
export function refreshCurrent(lakeDirectory: string, table: Table, snapshot: Snapshot): void {
  if (table.storage !== null) return;
  for (const { file, path } of outdated(lakeDirectory, table, snapshot)) replaceByLink(file, path);
  for (const path of others(lakeDirectory, table, snapshot)) {
    rmSync(path, { force: true });
    removeIfEmpty(dirname(path), join(lakeDirectory, CURRENT_FOLDER, table.definition.name));
  }
}

/** Returns whether every partition of a snapshot has its file, and the folder has no others. */
export function isCurrent(lakeDirectory: string, table: Table, snapshot: Snapshot): boolean {
  if (table.storage !== null) return true;
  return (
    outdated(lakeDirectory, table, snapshot).length === 0 &&
    others(lakeDirectory, table, snapshot).length === 0
  );
}

/**
 * Resolves with one sentence for each file in `current/` that equals no file of the table, present or older. An older one is no
 * fault: it is replaced a moment after the commit.
 */
export async function foreignFiles(lakeDirectory: string, table: Table): Promise<readonly string[]> {
  const snapshot = table.latest();
  if (table.storage !== null || snapshot === null) return [];
  const doubted: { readonly name: string; readonly digest: string }[] = [];
  const paths = outdated(lakeDirectory, table, snapshot).map(({ path }) => path);
  for (const path of [...paths, ...others(lakeDirectory, table, snapshot)]) {
    // Null where it is missing, or was replaced meanwhile.
    const digest = basename(path).startsWith(".") ? null : await sha256Of(path).catch(() => null);
    if (digest !== null) doubted.push({ name: relative(lakeDirectory, path), digest });
  }
  // Read after the files: a writer may have committed meanwhile.
  const { files, removed } = table.latest() ?? snapshot;
  const own = new Set(
    [...files.values(), ...removed.values()].map(
      ({ partitionValues, tags }) => `${currentPath(table.definition, partitionValues)} ${tags.sha256}`,
    ),
  );
  return doubted
    .filter(({ name, digest }) => !own.has(`${name} ${digest}`))
    .map(({ name }) => `${name} is no file of the table: the next start of a server puts it right`);
}

function outdated(lakeDirectory: string, table: Table, snapshot: Snapshot) {
  const links: { readonly file: string; readonly path: string }[] = [];
  for (const add of snapshot.files.values()) {
    const [file, path] = [
      table.pathOf(add),
      join(lakeDirectory, currentPath(table.definition, add.partitionValues)),
    ];
    const source = statSync(file, { bigint: true, throwIfNoEntry: false });
    if (source === undefined) continue;
    const there = statSync(path, { bigint: true, throwIfNoEntry: false });
    if (there?.ino !== source.ino) links.push({ file, path });
  }
  return links;
}

function replaceByLink(file: string, path: string): void {
  makeFolder(dirname(path));
  // Readers of the folder skip a name that begins with a dot.
  const temporary = join(dirname(path), ".next.tmp");
  rmSync(temporary, { force: true });
  linkSync(file, temporary);
  renameSync(temporary, path);
}

/** Returns files outside the snapshot: of removed partitions, or left by a writer that died. */
function others(lakeDirectory: string, { definition }: Table, snapshot: Snapshot): readonly string[] {
  const root = join(lakeDirectory, CURRENT_FOLDER, definition.name);
  if (statSync(root, { throwIfNoEntry: false }) === undefined) return [];
  const paths = new Set(
    [...snapshot.files.values()].map(({ partitionValues }) => currentPath(definition, partitionValues)),
  );
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !paths.has(relative(lakeDirectory, path)));
}
