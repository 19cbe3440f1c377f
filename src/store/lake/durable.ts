/** Files that are whole or absent, whatever happens: temp file beside the target, fsync, rename, fsync of the directory. */

import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";

/**
 * Replaces `path` by what `write` puts into the temporary file it is given, then resolves with nothing left to
 * lose. When `write` or the disk fails the old file stays as it was, the temporary one is removed, and it throws.
 */
export async function replaceFile(
  path: string,
  write: (temporary: string) => Promise<void> | void,
): Promise<void> {
  const folder = dirname(path);
  makeFolder(folder);
  const temporary = join(folder, `.${basename(path)}-${process.pid}-${nextNumber()}.tmp`);
  try {
    await write(temporary);
    syncPath(temporary);
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  syncPath(folder);
}

/** A small text file, durable when this returns. */
export function replaceText(path: string, text: string): Promise<void> {
  return replaceFile(path, (temporary) => writeFileSync(temporary, text));
}

/** Removes a file if it is there; durable when this returns. */
export function removeFile(path: string): void {
  rmSync(path, { force: true });
  syncPath(dirname(path));
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

export function syncPath(path: string): void {
  const descriptor = openSync(path, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

let lastNumber = 0;
/** Unique within the process; the process id makes it unique between processes. */
function nextNumber(): number {
  lastNumber += 1;
  return lastNumber;
}
