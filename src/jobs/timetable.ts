/** The timetable as data: cron patterns on the wall clocks of the authorities' own cities. */

import type { DailySource } from "#domain/currency/source.ts";
import type { Window } from "#domain/intake/reading.ts";
import { FLUSH_MINUTES } from "#domain/live/live-quote.ts";

interface Planned {
  readonly name: string;
  /** Five fields: minute, hour, day of month, month, weekday. */
  readonly pattern: string;
  /** IANA name. */
  readonly zone: string;
}

interface CollectJob extends Planned {
  readonly source: DailySource;
  readonly reach: Window["reach"];
  /** Checked each time, run when due: a whole history, once a week. */
  readonly whenDue?: true;
}

/**
 * Upkeep of the lake. flush: quotes move from the journal to the table. compact: closed dates get their index; old
 * dates, versions and log entries are removed. verify: every file is compared with its entry in the log.
 */
export type Upkeep = "flush" | "compact" | "verify";

interface UpkeepJob extends Planned {
  readonly upkeep: Upkeep;
}

/** Collects one official table; official-timetable.ts makes these jobs. */
export interface OfficialJob extends Planned {
  readonly table: string;
  readonly reach: Window["reach"];
}

export type Job = CollectJob | UpkeepJob | OfficialJob;

/**
 * The ECB publishes around 16:00 Frankfurt on TARGET days; H.10 comes on Mondays (Tuesdays after a holiday) around 16:15
 * New York. Polls are dense around those times and hourly otherwise, which also catches up after an outage. `recent`
 * re-reads the last 90 days, because authorities correct figures silently; the whole history is read once a week, for
 * later corrections (domain/intake/reading.ts).
 */
export const TIMETABLE: readonly (CollectJob | UpkeepJob)[] = [
  {
    name: "ecb-publication",
    pattern: "50-59/3 15 * * 1-5",
    zone: "Europe/Berlin",
    source: "ecb_daily",
    reach: "latest",
  },
  {
    name: "ecb-after-publication",
    pattern: "*/3 16 * * 1-5",
    zone: "Europe/Berlin",
    source: "ecb_daily",
    reach: "latest",
  },
  { name: "ecb-hourly", pattern: "17 * * * *", zone: "Europe/Berlin", source: "ecb_daily", reach: "latest" },
  {
    name: "ecb-corrections",
    pattern: "40 6,18 * * *",
    zone: "Europe/Berlin",
    source: "ecb_daily",
    reach: "recent",
  },
  {
    name: "fred-release",
    pattern: "15-59/10 16-18 * * 1-2",
    zone: "America/New_York",
    source: "fred_daily",
    reach: "latest",
  },
  {
    name: "fred-daily",
    pattern: "35 9,21 * * *",
    zone: "America/New_York",
    source: "fred_daily",
    reach: "latest",
  },
  {
    name: "fred-corrections",
    pattern: "5 3 * * *",
    zone: "America/New_York",
    source: "fred_daily",
    reach: "recent",
  },
  {
    name: "ecb-whole",
    pattern: "26 * * * *",
    zone: "Europe/Berlin",
    source: "ecb_daily",
    reach: "history",
    whenDue: true,
  },
  {
    name: "fred-whole",
    pattern: "51 * * * *",
    zone: "America/New_York",
    source: "fred_daily",
    reach: "history",
    whenDue: true,
  },
  // The journal has quotes at once; each flush rewrites the day's file and commits.
  { name: "archive-flush", pattern: `*/${FLUSH_MINUTES} * * * *`, zone: "UTC", upkeep: "flush" },
  { name: "lake-compact", pattern: "22 0 * * *", zone: "UTC", upkeep: "compact" },
  { name: "lake-verify", pattern: "37 1 * * *", zone: "UTC", upkeep: "verify" },
];
