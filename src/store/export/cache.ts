/** Finished exports on disk: the folder of this process, and the files cached in it within a budget. */

import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { FinishedExport } from "#domain/history/rate-columns.ts";

/** Within this time the reader that was given a file has opened it, and can read on after it was removed. */
export const HANDED_OUT_MILLISECONDS = 1_000;

interface CacheTimes {
  /** Monotonic, in milliseconds. */
  readonly now: () => number;
  /** Waits, then calls; the returned function calls it off. */
  readonly later: (milliseconds: number, run: () => void) => () => void;
}

const REAL_TIMES: CacheTimes = { now: () => performance.now(), later: runLater };

/** Runs something once after so many milliseconds, without holding the process; the returned function prevents it. */
export function runLater(milliseconds: number, run: () => void): () => void {
  const timer = setTimeout(run, milliseconds);
  timer.unref();
  return () => clearTimeout(timer);
}

interface CachedFile {
  readonly finished: FinishedExport;
  handedAt: number;
}

/** `budgetBytes` bounds the cache; files that were given out just before their removal are beside it until opened. */
export function createExportCache(budgetBytes: number, { now, later }: CacheTimes = REAL_TIMES) {
  const files = new Map<string, CachedFile>();
  const going = new Map<string, () => void>();
  let bytes = 0;

  const drop = (path: string, handedAt: number) => {
    const wait = handedAt + HANDED_OUT_MILLISECONDS - now();
    if (wait <= 0) return rmSync(path, { force: true });
    const stop = later(wait, () => {
      going.delete(path);
      rmSync(path, { force: true });
    });
    going.set(path, stop);
  };
  const remove = (identity: string, { finished, handedAt }: CachedFile) => {
    files.delete(identity);
    bytes -= finished.bytes;
    drop(finished.path, handedAt);
  };

  return {
    /** The file of an identity, which is then given out: it stays on the disk for HANDED_OUT_MILLISECONDS at least. */
    find(identity: string): FinishedExport | null {
      const found = files.get(identity);
      if (found === undefined) return null;
      found.handedAt = now();
      files.delete(identity);
      files.set(identity, found);
      return found.finished;
    },
    /** Takes a file that has just been given out. One that is larger than the whole budget is not cached. */
    put(identity: string, finished: FinishedExport) {
      const before = files.get(identity);
      if (before !== undefined) remove(identity, before);
      if (finished.bytes > budgetBytes) return drop(finished.path, now());
      for (const [oldest, file] of files) {
        if (bytes + finished.bytes <= budgetBytes) break;
        remove(oldest, file);
      }
      files.set(identity, { finished, handedAt: now() });
      bytes += finished.bytes;
    },
    close(): void {
      for (const stop of going.values()) stop();
      going.clear();
      files.clear();
    },
  };
}

/** Folders of this process. */
const made = new Set<string>();

/** Makes the folder; the returned path is this process's own. Nothing in it outlives the process for long. */
export function openExportFolder(parent: string): string {
  mkdirSync(parent, { recursive: true });
  clearLeftExports(parent);
  const own = join(parent, `${process.pid}-${crypto.randomUUID().slice(0, 8)}`);
  mkdirSync(own);
  made.add(own);
  return own;
}

/** Removes the files of processes that are dead. A folder that is not there yet holds none. */
export function clearLeftExports(parent: string): void {
  if (!existsSync(parent)) return;
  for (const name of readdirSync(parent)) {
    const pid = /^(\d+)-\w+$/.exec(name)?.[1];
    if (pid === undefined) continue;
    const path = join(parent, name);
    // In a container every process has the same number: a folder that this one did not make is of an earlier one.
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
