/** Finished exports, kept on disk within a budget that holds at every moment: the one used longest ago goes first. */

import { rmSync } from "node:fs";
import type { FinishedExport } from "#domain/history/export-plan.ts";

/** Within this time whoever was handed a file has opened it, and reads on whether it has a name or not. */
export const HANDED_OUT_MILLISECONDS = 1_000;

export interface Shelf {
  /** The file of an identity, which is then handed out: it stays on the disk for HANDED_OUT_MILLISECONDS at least. */
  find(identity: string): FinishedExport | null;
  /** Takes a file that has just been handed out. One that is larger than the whole budget is not kept. */
  put(identity: string, finished: FinishedExport): void;
  close(): void;
}

export interface ShelfTimes {
  /** Monotonic, in milliseconds. */
  readonly now: () => number;
  /** Waits, then calls; the returned function calls it off. */
  readonly later: (milliseconds: number, run: () => void) => () => void;
}

const REAL_TIMES: ShelfTimes = {
  now: () => performance.now(),
  later: (milliseconds, run) => {
    const timer = setTimeout(run, milliseconds);
    timer.unref();
    return () => clearTimeout(timer);
  },
};

interface Kept {
  readonly finished: FinishedExport;
  handedAt: number;
}

/** `budgetBytes` bounds what is kept; files that were handed out just before they had to go are beside it until opened. */
export function createShelf(budgetBytes: number, { now, later }: ShelfTimes = REAL_TIMES): Shelf {
  const kept = new Map<string, Kept>();
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
  const remove = (identity: string, { finished, handedAt }: Kept) => {
    kept.delete(identity);
    bytes -= finished.bytes;
    drop(finished.path, handedAt);
  };

  return {
    find(identity) {
      const found = kept.get(identity);
      if (found === undefined) return null;
      found.handedAt = now();
      kept.delete(identity);
      kept.set(identity, found);
      return found.finished;
    },
    put(identity, finished) {
      const before = kept.get(identity);
      if (before !== undefined) remove(identity, before);
      if (finished.bytes > budgetBytes) return drop(finished.path, now());
      for (const [oldest, file] of kept) {
        if (bytes + finished.bytes <= budgetBytes) break;
        remove(oldest, file);
      }
      kept.set(identity, { finished, handedAt: now() });
      bytes += finished.bytes;
    },
    close() {
      for (const stop of going.values()) stop();
      going.clear();
      kept.clear();
    },
  };
}
