/** Finished exports on disk: the folder of this process, and the files cached in it within a budget. */

import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { FinishedExport } from "#domain/history/rate-columns.ts";
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
  const drop = ({ path }: FinishedExport) =>
    later(HANDED_OUT_MILLISECONDS, () => rmSync(path, { force: true }));
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

const made = new Set<string>();

/** Makes a folder in `parent` for this process alone, and returns its path. A later process removes what is left in it. */
export function openExportFolder(parent: string): string {
  mkdirSync(parent, { recursive: true });
  clearLeftExports(parent);
  const own = join(parent, `${process.pid}-${crypto.randomUUID().slice(0, 8)}`);
  mkdirSync(own);
  made.add(own);
  return own;
}

export function clearLeftExports(parent: string): void {
  if (!existsSync(parent)) return;
  for (const name of readdirSync(parent)) {
    const pid = /^(\d+)-\w+$/.exec(name)?.[1];
    if (pid === undefined) continue;
    const path = join(parent, name);
    // In a container every process may have the same id: a folder with this id that this process did not make is an earlier one's.
    const isLeft = Number(pid) === process.pid ? !made.has(path) : !isAlive(Number(pid));
    if (isLeft) rmSync(path, { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (fault) {
    // A process of another user is alive, too.
    return (fault as NodeJS.ErrnoException).code === "EPERM";
  }
}
