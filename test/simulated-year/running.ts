/** The service of the simulated year: its real daily side on a real lake, its real HTTP application, restarted at will. */

import { openDaily } from "#assembly/daily.ts";
import { CacheBudget } from "#domain/cache/budget.ts";
import type { Instant } from "#domain/time/day.ts";
import { openAllSeriesCaches } from "#rates/range/range.ts";
import { openTestApp, type TestApp } from "#test/api/harness.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

export interface Running {
  readonly app: TestApp;
  readonly daily: Awaited<ReturnType<typeof openDaily>>;
  stop(): Promise<void>;
}

/** Opens `directory` (a new one for null) as a process that has just started does. */
export async function startRunning(base: string, now: () => Instant, directory: string): Promise<Running> {
  const caches = new CacheBudget(48 * 1024 * 1024);
  const clock = { now };
  const daily = await openDaily({
    config: { fredApiKey: null, lakeRetentionDays: 7 },
    lakeDirectory: directory,
    upstream: { clock, base, userAgent: "test", sleep: async () => {} },
    simulated: true,
    clock,
    emit: () => {},
    caches,
  });
  const { holder } = daily;
  const app = openTestApp({
    clock,
    simulated: true,
    dataset: holder.dataset,
    pinned: holder.pinned,
    unsettled: holder.unsettled,
    process: () => ({ role: "all", collecting: true, stopping: false }),
    collection: () => daily.collector.states(),
    ...openAllSeriesCaches(caches),
  });
  return { app, daily, stop: async () => await daily.lake.close() };
}

export const newLakeDirectory = temporaryDirectory;
