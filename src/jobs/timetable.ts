/** The timetables as data: cron patterns on the wall clocks of the authorities' own cities. */

import { Cron } from "croner";
import type { DailySource } from "#domain/currency/source.ts";
import type { Window } from "#domain/intake/reading.ts";
import { FLUSH_MINUTES } from "#domain/live/live-quote.ts";
import type { OfficialTable } from "#domain/official/publication.ts";
import type { PublicationHours } from "#ports/official.ts";

interface Planned {
  readonly name: string;
  /** Five fields: minute, hour, day of month, month, weekday. */
  readonly pattern: string;
  readonly zone: string;
}

type Reach = Window["reach"];

interface CollectJob extends Planned {
  readonly source: DailySource;
  readonly reach: Reach;
  /** Run only when it is due: a whole history, once a week. */
  readonly whenDue?: true;
}

/**
 * Upkeep of the lake. flush: quotes move from the journal to the table. compact: old dates, versions and log entries are
 * removed. verify: every file is compared with its entry in the log.
 */
export type Upkeep = "flush" | "compact" | "verify";

interface UpkeepJob extends Planned {
  readonly upkeep: Upkeep;
}

export type Job = CollectJob | UpkeepJob | ReturnType<typeof officialTimetable>[number];

const collects =
  (source: DailySource, zone: string) =>
  (name: string, pattern: string, reach: Reach): CollectJob => ({
    ...{ name: `${source.replace("_daily", "")}-${name}`, pattern, zone, source, reach },
    ...(reach === "history" && { whenDue: true }),
  });
const collectEcb = collects("ecb_daily", "Europe/Berlin");
const collectFred = collects("fred_daily", "America/New_York");

/**
 * The ECB publishes around 16:00 Frankfurt on TARGET days; H.10 comes on Mondays (Tuesdays after a holiday) around 16:15 New York. Polls
 * are dense around those times. In between the ECB is polled hourly and H.10 twice a day, which also catches up after an outage.
 * `recent` re-reads the last 90 days, because authorities correct figures silently; the whole history is read once a week, for later
 * corrections (domain/intake/reading.ts).
 */
export const TIMETABLE: readonly (CollectJob | UpkeepJob)[] = [
  collectEcb("publication", "50-59/3 15 * * 1-5", "latest"),
  collectEcb("after-publication", "*/3 16 * * 1-5", "latest"),
  collectEcb("hourly", "17 * * * *", "latest"),
  collectEcb("corrections", "40 6,18 * * *", "recent"),
  collectEcb("whole", "26 * * * *", "history"),
  collectFred("release", "15-59/10 16-18 * * 1-2", "latest"),
  collectFred("daily", "35 9,21 * * *", "latest"),
  collectFred("corrections", "5 3 * * *", "recent"),
  collectFred("whole", "51 * * * *", "history"),
  // The journal has quotes at once; each flush rewrites the day's file and commits.
  { name: "archive-flush", pattern: `*/${FLUSH_MINUTES} * * * *`, zone: "UTC", upkeep: "flush" },
  { name: "lake-compact", pattern: "22 0 * * *", zone: "UTC", upkeep: "compact" },
  { name: "lake-verify", pattern: "37 1 * * *", zone: "UTC", upkeep: "verify" },
];

// ── Official tables ──────────────────────────────────────────────────────────────────────────────

/** Cron patterns around the hours of publication, dense when these are exact; empty: only the general ones. */
const AROUND_PUBLICATION: Readonly<Record<string, readonly string[]>> = {
  // The FIX is announced from 12:00 on.
  mex_fix: ["*/5 12 * * 1-5", "*/15 13-14 * * 1-5"],
  mex_settlement: ["2-59/15 12-14 * * 1-5"],
  // The Diario's morning edition.
  mex_dof: ["*/15 6-12 * * 1-5"],
  // Between 11:45 and 12:15.
  pol_a: ["45-59/5 11 * * 1-5", "*/5 12 * * 1-5"],
  pol_b: ["*/15 12-13 * * 1-5"],
  // Between 7:45 and 8:15.
  pol_c: ["45-59/5 7 * * 1-5", "*/5 8 * * 1-5"],
  // Declared after 14:30.
  cze_fixing: ["30-59/5 14 * * 1-5", "*/15 15 * * 1-5"],
  // Shortly after 13:00.
  rou_reference: ["*/5 13 * * 1-5"],
  // The penultimate Thursday of the month before; amendments on any day.
  gbr_monthly: ["10 8-18 * * 4"],
  che_daily: ["*/30 6-10 * * 1-5"],
  // Set at 15:30.
  tur_indicative: ["30-59/5 15 * * 1-5", "*/15 16 * * 1-5"],
  usa_treasury: [],
  // After 11:00.
  hun_official: ["*/5 11 * * 1-5", "*/15 12 * * 1-5"],
  // Certified in the afternoon; the open data follow in the evening.
  col_trm: ["*/15 14-19 * * 1-5"],
  // From 16:00.
  eue_reference: ["*/5 16 * * 1-5", "*/15 17 * * 1-5"],
  eue_customs: [],
  // By 16:30.
  can_daily: ["25-59/5 16 * * 1-5"],
};

/** Between the hours of publication, for late documents and after outages. */
const OTHERWISE: Record<OfficialTable["cadence"], string> = {
  daily: "7-23",
  weekly: "8,12,16,20",
  monthly: "9,17",
  quarterly: "9,17",
};

/**
 * Makes the jobs of the tables: around the hours of publication, in between, and twice a day the last weeks for
 * corrections. Tables without hours of their own are requested in between. Minutes differ by table, which spreads the
 * requests.
 */
export function officialTimetable(tables: readonly Pick<OfficialTable, "id" | "zone" | "cadence">[]) {
  return tables.flatMap(({ id, zone, cadence }, nth) => {
    const minute = (7 + nth * 11) % 60;
    const job = (name: string, pattern: string, reach: Reach) =>
      ({ name: `official-${id}-${name}`, pattern, zone, table: id, reach }) as const;
    const around = AROUND_PUBLICATION[id] ?? [];
    return [
      ...around.map((pattern) => job("publication", pattern, "latest")),
      job("otherwise", `${minute} ${OTHERWISE[cadence]} * * *`, "latest"),
      job("corrections", `${(minute + 30) % 60} 5,19 * * *`, "recent"),
    ];
  });
}

/** Minutes "45-59/5" and "10" begin at the number, "*\/15" at 0; hours "13-14" or "12"; then the days. */
const AROUND = /^(?:\*|(\d+))\S* (\d+)(?:-(\d+))? (.+)$/;

/** Returns the first and last hour of the dense polls; null for a table without hours of its own. */
export function publicationHours({ id, zone }: Pick<OfficialTable, "id" | "zone">): PublicationHours | null {
  const patterns = AROUND_PUBLICATION[id] ?? [];
  const first = AROUND.exec(patterns[0] ?? "");
  const last = AROUND.exec(patterns.at(-1) ?? "");
  if (first === null || last === null) return null;
  const [, minuteText = "0", hour = "", , days] = first;
  // The first poll may be a few minutes late, because minutes differ by table.
  const minute = String(Math.floor(Number(minuteText) / 5) * 5);
  const opening = new Cron(`${minute} ${hour} ${days}`, { timezone: zone, paused: true });
  return {
    opens: `${hour.padStart(2, "0")}:${minute.padStart(2, "0")}`,
    closes: `${String(Number(last[3] ?? last[2]) + 1).padStart(2, "0")}:00`,
    next: (after) => {
      const next = opening.nextRun(new Date(after));
      if (next === null) throw new Error(`the hours of ${id} never come`);
      return next.getTime();
    },
  };
}
