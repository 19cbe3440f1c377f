/** Returns memory while the process is idle, and cuts the caches while it is large: a heap that grew under load stays so by itself. */

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
/** What dropped code and entries held is free only at a second collection. */
const COLLECT_AGAIN_AFTER_SECONDS = 35;

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
      if (!isTrimmed && !hasGrown && idleSeconds !== COLLECT_AGAIN_AFTER_SECONDS) return;
      if (isTrimmed) trim();
      collect();
      afterLast = heapBytes();
    },
  };
}

/** What a process takes beside its caches that answers requests of all kinds. A larger one is under pressure. */
const ANSWERING_BYTES = 165_000_000;
/** What collecting adds: DuckDB, and documents that are read. */
const COLLECTING_BYTES = 60_000_000;
/** So much beyond it the caches keep the least share. */
const TIGHT_BYTES = 30_000_000;
const KEPT_WHEN_TIGHT = 0.1;
const PRESSURE_MILLISECONDS = 250;

/** A process as the pressure is judged by. */
export interface Pressed {
  readonly residentBytes: number;
  /** Budget of its caches. */
  readonly limitBytes: number;
  /** Whether it collects, too. */
  readonly collects: boolean;
}

/** The bytes that its caches keep: with much in flight they give way to it, the more the larger the process is. */
export function keptUnderPressure({ residentBytes, limitBytes, collects }: Pressed): number {
  const excess = residentBytes - limitBytes - ANSWERING_BYTES - (collects ? COLLECTING_BYTES : 0);
  const share = Math.min(1, Math.max(KEPT_WHEN_TIGHT, 1 - excess / TIGHT_BYTES));
  return share * limitBytes;
}

const LOOK_MILLISECONDS = 1_000;
/** Of the cache budget: entries requested all day stay, those of a burst go. */
const KEPT_WHEN_IDLE = 0.05;

const heapBytes = () => process.memoryUsage().heapUsed;

/** Watches this process until the returned function is called. */
export function watchMemory(caches: CacheBudget, collects: boolean): () => void {
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
  const stopPressure = every(PRESSURE_MILLISECONDS, () => {
    const residentBytes = process.memoryUsage.rss();
    caches.trim(keptUnderPressure({ residentBytes, limitBytes: caches.limitBytes, collects }));
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
