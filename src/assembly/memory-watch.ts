/** Returns memory while the process is idle, and sooner than the runtime while it is large: a heap that grew under load stays so by itself. */

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

/** Called four times a second: the resident memory and the heap's bytes now. */
export interface PressureWatch {
  look(residentBytes: number, heapBytes: number): void;
}

/** Less is not worth marking the heap for. */
const PRESSED_GROWTH_BYTES = 4 * 1024 * 1024;

/**
 * Collects while the process is busy, too, once it is large. The runtime alone lets the heap grow by half before it does. `collect` does not
 * wait: most of the work is another thread's.
 */
export function newPressureWatch(pressedBytes: number, collect: () => void): PressureWatch {
  let afterLast = 0;
  return {
    look: (residentBytes, heapBytes) => {
      const hasGrown = heapBytes > afterLast + PRESSED_GROWTH_BYTES;
      if (residentBytes > pressedBytes && hasGrown) {
        collect();
        afterLast = heapBytes;
      } else afterLast = Math.min(afterLast, heapBytes);
    },
  };
}

/** Beside the budget of caches: what a process takes that answers requests of all kinds. */
const PRESSED_BYTES = 170_000_000;
const PRESSURE_MILLISECONDS = 250;

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
      // Compiled code goes, too: what is used is compiled again.
      Bun.shrink();
    },
    heapBytes,
  });
  const pressure = newPressureWatch(PRESSED_BYTES + caches.limitBytes, () => Bun.gc(false));
  const stopPressure = every(PRESSURE_MILLISECONDS, () => {
    const { rss, heapTotal, external } = process.memoryUsage();
    pressure.look(rss, heapTotal + external);
  });
  let before = process.cpuUsage();
  let at = performance.now();
  const stop = every(LOOK_MILLISECONDS, () => {
    const spent = process.cpuUsage(before);
    before = process.cpuUsage();
    const elapsed = performance.now() - at;
    at += elapsed;
    watch.look((spent.user + spent.system) / 1000 / elapsed, heapBytes());
  });
  return () => {
    stop();
    stopPressure();
  };
}
