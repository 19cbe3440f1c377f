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
import { open } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

/** A file to replace, and what fills the temporary file that takes its place. */
export interface Replacement {
  readonly path: string;
  readonly write: (temporary: string) => Promise<void> | void;
}

/**
 * Replaces files, in order, and resolves when all of them are durable: every temporary file is complete and flushed
 * before the first rename. When writing or the disk fails before that, all old files stay and the temporary ones go.
 * Flushing several at once lets the file system do it in a few journal commits instead of one a file.
 */
export async function replaceFiles(replacements: readonly Replacement[]): Promise<void> {
  const temporaries: string[] = [];
  try {
    for (const { path, write } of replacements) {
      makeFolder(dirname(path));
      const temporary = join(dirname(path), `.${basename(path)}-${process.pid}-${nextNumber()}.tmp`);
      temporaries.push(temporary);
      await write(temporary);
    }
    await Promise.all(temporaries.map(flush));
    for (const [index, { path }] of replacements.entries()) renameSync(temporaries[index] as string, path);
  } catch (error) {
    for (const temporary of temporaries) rmSync(temporary, { force: true });
    throw error;
  }
  await Promise.all([...new Set(replacements.map(({ path }) => dirname(path)))].map(flush));
}

/** Replaces one file; see `replaceFiles`. */
export function replaceFile(path: string, write: Replacement["write"]): Promise<void> {
  return replaceFiles([{ path, write }]);
}

/** Flushes a file or folder on a thread of the pool, so that several run at once and none stops the process. */
async function flush(path: string): Promise<void> {
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
