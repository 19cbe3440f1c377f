/** Finished exports, kept on disk within a budget: the one used longest ago goes first. */

import { rmSync } from "node:fs";
import type { FinishedExport } from "#domain/export-plan.ts";

/** A file that has just been handed out may not be open yet. */
const GRACE_MILLISECONDS = 10_000;

export interface Shelf {
  find(identity: string): FinishedExport | null;
  put(identity: string, finished: FinishedExport): void;
  close(): void;
}

export function createShelf(budgetBytes: number): Shelf {
  const kept = new Map<string, FinishedExport>();
  const going = new Map<string, ReturnType<typeof setTimeout>>();
  let bytes = 0;

  const remove = (path: string) => {
    const timer = setTimeout(() => {
      going.delete(path);
      rmSync(path, { force: true });
    }, GRACE_MILLISECONDS);
    timer.unref();
    going.set(path, timer);
  };

  return {
    find(identity) {
      const finished = kept.get(identity);
      if (finished === undefined) return null;
      kept.delete(identity);
      kept.set(identity, finished);
      return finished;
    },
    put(identity, finished) {
      const before = kept.get(identity);
      if (before !== undefined) {
        kept.delete(identity);
        bytes -= before.bytes;
        remove(before.path);
      }
      kept.set(identity, finished);
      bytes += finished.bytes;
      // The newest stays whatever its size: somebody is about to read it.
      for (const [oldest, file] of kept) {
        if (bytes <= budgetBytes || oldest === identity) return;
        kept.delete(oldest);
        bytes -= file.bytes;
        remove(file.path);
      }
    },
    close() {
      for (const timer of going.values()) clearTimeout(timer);
      going.clear();
      kept.clear();
    },
  };
}
