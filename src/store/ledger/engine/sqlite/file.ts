/** The ledger's file before it is opened: what is there, and how one is made in a single visible step. */

import { randomBytes } from "node:crypto";
import { existsSync, linkSync, lstatSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { makeFolder, syncPath } from "#store/disk/durable.ts";
import type { Engine } from "#store/ledger/engine/engine.ts";
import { bytesOf } from "#store/ledger/engine/faults.ts";
import { checkFile, type FileCheck } from "#store/ledger/engine/integrity/integrity.ts";
import { openSqlite, patiently } from "./sqlite.ts";

/** The database, its log, and the index of that. */
const PARTS = ["", "-wal", "-shm"] as const;

export type FoundFile =
  | { readonly state: "missing" | "empty"; readonly hasLog: boolean }
  | ({ readonly state: "there" } & Pick<FileCheck, "isWhole">);

/** Rejects with LedgerDamaged, and with SQLite's errors where it cannot be opened. Nothing is written. */
export async function findFile(path: string): Promise<FoundFile> {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  const hasLog = bytesOf(`${path}-wal`) > 0;
  if (stats === undefined) return { state: "missing", hasLog };
  if (stats.isFile() && stats.size === 0) return { state: "empty", hasLog };
  const { isEmpty, isWhole } = await patiently(() => checkFile(path));
  return isEmpty ? { state: "empty", hasLog } : { state: "there", isWhole };
}

/**
 * Makes the file with the tables that `fill` gives it. It has its name only once it is whole, so that an empty one is
 * always a loss; of several processes that start at once one is first.
 */
export async function makeFile(path: string, fill: (engine: Engine) => Promise<unknown>): Promise<void> {
  const folder = dirname(path);
  makeFolder(folder);
  const made = `${path}.${randomBytes(8).toString("hex")}.new`;
  try {
    const engine = await openSqlite(made);
    try {
      await fill(engine);
    } finally {
      await engine.close();
    }
    linkFirst(made, path);
  } finally {
    for (const part of PARTS) rmSync(`${made}${part}`, { force: true });
  }
  syncPath(folder);
}

/** Renames an empty file and a log without its file: a log that stayed behind would be taken into the next database. */
export function setAside(path: string): void {
  if (bytesOf(path) > 0) return;
  const aside = `${path}.${randomBytes(4).toString("hex")}.aside`;
  for (const part of PARTS) if (existsSync(`${path}${part}`)) renameSync(`${path}${part}`, `${aside}${part}`);
  syncPath(dirname(path));
}

/** Unlike a rename, a link never replaces the file of a process that was faster. */
function linkFirst(made: string, path: string): void {
  try {
    linkSync(made, path);
  } catch (fault) {
    if ((fault as { code?: unknown }).code !== "EEXIST") throw fault;
  }
}
