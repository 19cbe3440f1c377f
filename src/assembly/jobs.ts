/** What this process does by the clock: collection, upkeep of the archive, accounts, official tables, the watch on the lake. */

import type { Config } from "#config.ts";
import { startScheduler } from "#jobs/scheduler.ts";
import { TIMETABLE } from "#jobs/timetable.ts";
import type { Clock } from "#ports.ts";
import { type AccessedArchive, lookAfter } from "#store/archive/access.ts";
import type { Tell } from "#telemetry.ts";
import type { Accounts } from "./accounts.ts";
import type { Daily } from "./daily.ts";
import type { OpenPublications } from "./official.ts";
import { later } from "./timers.ts";

export interface JobParts {
  readonly config: Pick<Config, "role" | "intradayDays">;
  readonly clock: Clock;
  readonly tell: Tell;
  readonly daily: Daily;
  readonly archive: AccessedArchive;
  readonly accounts: Pick<Accounts, "startJobs"> | null;
  readonly official: Pick<OpenPublications, "startJobs"> | null;
}

/** A process that only answers collects nothing. The returned function stops all of it. */
export function startJobs({ config, clock, tell, daily, archive, accounts, official }: JobParts): () => void {
  const collects = config.role !== "api";
  const perform = (job: (typeof TIMETABLE)[number]) =>
    "upkeep" in job
      ? lookAfter(archive, job.upkeep, clock.now(), config.intradayDays)
      : daily.collector.collect(job.source, job.reach);
  const timing = { clock, tell, later, random: Math.random };
  const stops = [
    collects ? startScheduler({ ...timing, perform }, TIMETABLE) : null,
    accounts?.startJobs(config.role),
    collects ? official?.startJobs() : null,
    daily.watch(),
  ];
  return () => {
    for (const stop of stops) stop?.();
  };
}
