/** Finished exports on disk: the folder of this process, and the files cached in it within a budget. */

import { mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { FinishedExport } from "#domain/history/rate-columns.ts";
import { discard, namesIn } from "#store/disk/durable.ts";
import { openLock } from "#store/disk/writer-lock.ts";
import { runLater } from "#store/parquet/idle.ts";

/** How long a file stays on disk after it left the cache: a reader that has just got its path can still open it. */
export const HANDED_OUT_MILLISECONDS = 1_000;

/** `budgetBytes` bounds the cache; files that have just left it are extra. */
export function createExportCache(
  budgetBytes: number,
  later: (milliseconds: number, run: () => void) => unknown = runLater,
) {
  const files = new Map<string, FinishedExport>();
  let bytes = 0;
  const drop = ({ path }: FinishedExport) => later(HANDED_OUT_MILLISECONDS, () => discard(path));
  const remove = (identity: string, finished: FinishedExport) => {
    files.delete(identity);
    bytes -= finished.bytes;
    drop(finished);
  };
  return {
    /** Returns the file of an identity. It stays on the disk for HANDED_OUT_MILLISECONDS at least. */
    find(identity: string): FinishedExport | null {
      const finished = files.get(identity);
      if (finished === undefined) return null;
      files.delete(identity);
      files.set(identity, finished);
      return finished;
    },
    put(identity: string, finished: FinishedExport): void {
      const before = files.get(identity);
      if (before !== undefined) remove(identity, before);
      if (finished.bytes > budgetBytes) {
        drop(finished);
        return;
      }
      for (const [oldest, file] of files) {
        if (bytes + finished.bytes <= budgetBytes) break;
        remove(oldest, file);
      }
      files.set(identity, finished);
      bytes += finished.bytes;
    },
  };
}

const LOCK = ".owner.sqlite";

/** Makes a folder in `parent` for this process, until `lock` is closed or the process dies. A later process removes what is left in it. */
export function openExportFolder(parent: string) {
  mkdirSync(parent, { recursive: true });
  clearLeftExports(parent);
  const name = `${process.pid}-${crypto.randomUUID().slice(0, 8)}`;
  // Hidden until it is locked: a process that begins in between would remove it.
  const hidden = join(parent, `.${name}`);
  mkdirSync(hidden);
  try {
    const lock = openLock(join(hidden, LOCK));
    lock.take();
    const folder = join(parent, name);
    renameSync(hidden, folder);
    return { folder, lock };
  } catch (fault) {
    rmSync(hidden, { recursive: true, force: true });
    throw fault;
  }
}

/** The lock says whether a folder is in use. An id of a process does not: each container has its own. */
export function clearLeftExports(parent: string): void {
  for (const name of namesIn(parent)) {
    if (!/^\d+-\w+$/.test(name)) continue;
    const folder = join(parent, name);
    try {
      const lock = openLock(join(folder, LOCK));
      if (lock.take()) rmSync(folder, { recursive: true, force: true });
      void lock.close();
    } catch {
      // Another process is removing it now, or the next start will.
    }
  }
}
