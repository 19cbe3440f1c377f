/** Writes files that are complete or absent after any crash: temp file beside the target, fsync, rename, fsync of the directory. */

import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { open } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

/** Replaces a file by the temporary file that `write` fills; durable when it resolves. After a fault the old file stays. */
export async function replaceFile(
  path: string,
  write: (temporary: string) => Promise<void> | void,
): Promise<void> {
  makeFolder(dirname(path));
  const temporary = join(dirname(path), `.${basename(path)}.${crypto.randomUUID()}.tmp`);
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

/** Flushes a file or folder on a thread of the pool: several run at once, and the process goes on. */
export async function flush(path: string): Promise<void> {
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Replaces a small text file; durable when it resolves. */
export function replaceText(path: string, text: string): Promise<void> {
  return replaceFile(path, (temporary) => writeFileSync(temporary, text));
}

/** Makes a folder with its parents; every new entry is durable when this returns. */
export function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  const parent = dirname(folder);
  makeFolder(parent);
  mkdirSync(folder, { recursive: true });
  syncPath(parent);
}

/** Makes several folders; flushes each parent once. */
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

/** Removes what is no longer needed. On a disk that has turned read-only it stays, without an error. */
export function discard(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {}
}

/** Removes a folder below `root` unless something is in it, and then its parents likewise. */
export function removeIfEmpty(folder: string, root: string): void {
  if (folder === root) return;
  try {
    rmdirSync(folder);
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code !== "ENOTEMPTY") throw fault;
    return;
  }
  removeIfEmpty(dirname(folder), root);
}

/** Returns the numbers in the names that match a pattern, ascending; the pattern's group has the digits. */
export function numbersIn(names: readonly string[], pattern: RegExp): readonly number[] {
  return names
    .flatMap((name) => pattern.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => a - b);
}

/** Returns the names in a folder; empty without a folder. */
export function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (fault) {
    const { code } = fault as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return [];
    throw fault;
  }
}
