/** Writes files that are complete or absent after any crash: temp file beside the target, fsync, rename, fsync of the directory. */

import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { open } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

/**
 * Replaces a file by what `write` puts into a temporary one, and resolves when it is durable: the temporary file is complete and
 * flushed before it is renamed. When writing or the disk fails before that, the old file stays and the temporary one is removed.
 */
export async function replaceFile(
  path: string,
  write: (temporary: string) => Promise<void> | void,
): Promise<void> {
  makeFolder(dirname(path));
  const temporary = join(dirname(path), `.${basename(path)}-${process.pid}-${nextNumber()}.tmp`);
  try {
    await write(temporary);
    await flush(temporary);
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  await flush(dirname(path));
}

/** Flushes a file or folder on a thread of the pool, so that several run at once and none stops the process. */
export async function flush(path: string): Promise<void> {
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** A small text file, durable when this returns. */
export function replaceText(path: string, text: string): Promise<void> {
  return replaceFile(path, (temporary) => writeFileSync(temporary, text));
}

/** Creates a folder with its parents; every new directory entry is durable when this returns. */
export function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  const parent = dirname(folder);
  makeFolder(parent);
  mkdirSync(folder, { recursive: true });
  syncPath(parent);
}

/** Creates several folders; one directory entry after the other, but each parent is flushed only once. */
export function makeFolders(folders: readonly string[]): void {
  const parents = new Set<string>();
  for (const folder of folders) {
    if (existsSync(folder)) continue;
    makeFolder(dirname(folder));
    mkdirSync(folder);
    parents.add(dirname(folder));
  }
  for (const parent of parents) syncPath(parent);
}

/** Flushes a file or folder; durable when this returns. */
export function syncPath(path: string): void {
  const descriptor = openSync(path, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Names in a folder; none where there is no such folder. */
export function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (fault) {
    const { code } = fault as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return [];
    throw fault;
  }
}

let lastNumber = 0;
/** Unique within the process; the process id makes it unique between processes. */
function nextNumber(): number {
  lastNumber += 1;
  return lastNumber;
}
