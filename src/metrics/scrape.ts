/** One scrape: calls all readers at once, each with a deadline. A reader that fails costs its own gauges only. */

import type { Instant } from "#domain/time/day.ts";
import type { BoundedCounter } from "./instruments.ts";
import type { MetricsReaders } from "./readers.ts";

interface Clearable {
  clear(): void;
}

type Reading<Name extends keyof MetricsReaders> = Awaited<ReturnType<MetricsReaders[Name]>>;

/** The gauges that one reader feeds. */
export interface ReaderGroup<Name extends keyof MetricsReaders> {
  readonly name: Name;
  /** Resolves when the gauges hold what the reader answered; without a reader they are cleared. Rejects with its fault. */
  refresh(readers: Partial<MetricsReaders>, now: Instant, deadline: Deadline): Promise<void>;
}

/** Rejects when the promise is not settled in time. */
export type Deadline = <T>(promise: Promise<T>) => Promise<T>;

export function group<Name extends keyof MetricsReaders>(
  name: Name,
  gauges: Readonly<Record<string, Clearable>>,
  fill: (reading: Reading<Name>, now: Instant) => void,
): ReaderGroup<Name> {
  const clear = () => {
    for (const gauge of Object.values(gauges)) gauge.clear();
  };
  // A reader that hangs is waited for by every scrape, and not called again by each of them.
  let asked: Promise<Reading<Name>> | null = null;
  return {
    name,
    async refresh(readers, now, deadline) {
      try {
        const reader = readers[name];
        if (reader === undefined) return clear();
        asked ??= ask<Reading<Name>>(reader as () => Reading<Name>).finally(() => {
          asked = null;
        });
        const reading = await deadline(asked);
        clear();
        fill(reading, now);
      } catch (fault) {
        clear();
        throw fault;
      }
    },
  };
}

async function ask<T>(reader: () => T | Promise<T>): Promise<T> {
  return await reader();
}

/** Never rejects: faults are counted by the reader's name. */
export async function refreshAll(
  groups: readonly ReaderGroup<keyof MetricsReaders>[],
  readers: Partial<MetricsReaders>,
  now: Instant,
  deadline: Deadline,
  errors: BoundedCounter<"reader">,
): Promise<void> {
  const refreshed = groups.map(async ({ name, refresh }) => {
    try {
      await refresh(readers, now, deadline);
    } catch {
      errors.add({ reader: readerLabel(name) });
    }
  });
  await Promise.all(refreshed);
}

/** `hot_book` of `hotBook`: label values are written as the names of metrics are. */
export function readerLabel(name: keyof MetricsReaders): string {
  return name.replace(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`);
}

/** A deadline of so many milliseconds; its timer does not keep the process alive. */
export function within(milliseconds: number): Deadline {
  return async (promise) => {
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(() => late.reject(new Error(`no answer in ${milliseconds} ms`)), milliseconds);
    timer.unref();
    try {
      return await Promise.race([promise, late.promise]);
    } finally {
      clearTimeout(timer);
    }
  };
}

/** Seconds, never below zero: another clock may be a little ahead of ours. Null of null. */
export function secondsSince(instant: Instant | null, now: Instant): number | null {
  return instant === null ? null : Math.max(now - instant, 0) / 1000;
}
