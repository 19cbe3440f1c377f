/** The service of a year on disk: its real daily side on a real lake, its real HTTP application, restarted at will. */

import { openDaily } from "#assembly/daily.ts";
import { CacheBudget } from "#domain/cache/budget.ts";
import type { Instant } from "#domain/time/day.ts";
import { openAllSeriesCaches } from "#rates/range/range.ts";
import { openTestApp } from "#test/api/harness.ts";

export interface ServiceOptions {
  readonly base: string;
  readonly now: () => Instant;
  readonly directory: string;
  readonly fredApiKey: string | null;
}

export type Service = Awaited<ReturnType<typeof startService>>;

/** Opens the directory as a process that has just started does. */
export async function startService({ base, now, directory, fredApiKey }: ServiceOptions) {
  const caches = new CacheBudget(48 * 1024 * 1024);
  const clock = { now };
  const daily = await openDaily({
    config: { fredApiKey, lakeRetentionDays: 7 },
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
