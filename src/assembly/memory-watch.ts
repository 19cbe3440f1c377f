/** Returns memory while the process is idle: without it a heap that grew under load stays large. */

import type { CacheBudget } from "#domain/cache/budget.ts";
import { forgetPasts } from "#domain/point-in-time/dataset.ts";
import { every } from "./timers.ts";

/** Called every second: how much of the last one the event loop was busy, 0 to 1, and the heap's bytes now. */
export interface MemoryWatch {
  look(busy: number, heapBytes: number): void;
}

export interface MemoryWatchOptions {
  readonly collect: () => void;
  /** Lets go of what can be made again. */
  readonly trim: () => void;
  /** The heap's bytes after a collection. */
  readonly heapBytes: () => number;
}

/** A collection takes some 30 ms: only while there are few requests, and only where there is memory to gain. */
const IDLE_BELOW = 0.2;
const GROWN_BYTES = 16 * 1024 * 1024;
/** The first idle second may be the gap between two bursts. */
const COLLECT_AFTER_SECONDS = 3;
/** After so long, entries that a burst left in the caches are not requested again soon. */
const TRIM_AFTER_SECONDS = 30;

export function newMemoryWatch({ collect, trim, heapBytes }: MemoryWatchOptions): MemoryWatch {
  let idleSeconds = 0;
  let afterLast = Number.NaN;
  return {
    look: (busy, now) => {
      if (Number.isNaN(afterLast)) afterLast = now;
      // The runtime's own collections lower what is measured against.
      afterLast = Math.min(afterLast, now);
      idleSeconds = busy < IDLE_BELOW ? idleSeconds + 1 : 0;
      const isTrimmed = idleSeconds === TRIM_AFTER_SECONDS;
      const hasGrown = idleSeconds >= COLLECT_AFTER_SECONDS && now - afterLast >= GROWN_BYTES;
      if (!isTrimmed && !hasGrown) return;
      if (isTrimmed) trim();
      collect();
      afterLast = heapBytes();
    },
  };
}

const LOOK_MILLISECONDS = 1_000;
/** Of the cache budget: entries requested all day stay, those of a burst go. */
const KEPT_WHEN_IDLE = 0.1;

const heapBytes = () => process.memoryUsage().heapUsed;

/** Watches this process until the returned function is called. */
export function watchMemory(caches: CacheBudget): () => void {
  const watch = newMemoryWatch({
    collect: () => Bun.gc(true),
    trim: () => {
      caches.trim(caches.limitBytes * KEPT_WHEN_IDLE);
      forgetPasts();
      // Compiled code goes, too: what is used is compiled again, within about a second of load.
      Bun.shrink();
    },
    heapBytes,
  });
  let before = process.cpuUsage();
  let at = performance.now();
  return every(LOOK_MILLISECONDS, () => {
    const spent = process.cpuUsage(before);
    before = process.cpuUsage();
    const elapsed = performance.now() - at;
    at += elapsed;
    watch.look((spent.user + spent.system) / 1000 / elapsed, heapBytes());
  });
}
