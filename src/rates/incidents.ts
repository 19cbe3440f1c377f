/** The history of the status page: faults of each part, and how late daily figures were collected. */

import { DAILY_SOURCES, type DailySource } from "#domain/currency/source.ts";
import { nextPublication } from "#domain/history/schedule.ts";
import { type Day, type Instant, MILLISECONDS_PER_DAY } from "#domain/time/day.ts";
import type { StatusLog } from "#ports/ledger.ts";
import type { DailyDeps } from "./query.ts";
import type { ServiceStatus } from "./status.ts";

/** `waiting`: the first quotes are not due yet. */
const FINE: ReadonlySet<string> = new Set(["ok", "unused", "off", "waiting"]);

/** The parts, and the faults as "<part> <state>": "ecb_daily stale". */
export function lookOf({ database, limits, cache, lake, clock, live, daily, official }: ServiceStatus) {
  const parts = [
    ["database", database.status],
    ["limits", limits.status],
    ["cache", cache.status],
    ["lake", lake.damaged.length > 0 && lake.status === "ok" ? "damaged" : lake.status],
    ["clock", clock.status],
    ["live", live.status],
    ...Object.entries(daily).map(([source, { status }]) => [source, status] as const),
    // A table never collected has not failed: a first start reads them one by one.
    ...official
      .filter(({ status }) => status !== "missing")
      .map(({ table, status }) => [table, status] as const),
  ] as const;
  return {
    parts: parts.map(([part]) => part),
    faults: parts.filter(([, state]) => !FINE.has(state)).map((part) => part.join(" ")),
  };
}

/** One day, at one look a minute. */
const MOST_WAITING = 1440;

/** Returns a function that logs a look. Looks that the log refused are retried with the next: an outage of the ledger is logged too. */
export function lookKeeper(log: StatusLog): (report: ServiceStatus, at: Instant) => Promise<void> {
  let waiting: readonly (readonly [ReturnType<typeof lookOf>, Instant])[] = [];
  return async (report, at) => {
    waiting = [...waiting, [lookOf(report), at] as const].slice(-MOST_WAITING);
    for (const look of waiting) {
      await log.note(...look);
      waiting = waiting.filter((one) => one !== look);
    }
  };
}

/** For each publication scheduled since an instant, the milliseconds until its collection, at least 0. */
export function publicationDelays(
  { dataset }: Pick<DailyDeps, "dataset">,
  source: DailySource,
  since: Instant,
): readonly number[] {
  const columns = dataset()?.history.observations;
  if (columns === undefined) return [];
  const place = DAILY_SOURCES.indexOf(source);
  const collectedAt = new Map<Day, Instant>();
  // Ordered by source and date: the newest days of a source are its last rows.
  for (let row = columns.source.lastIndexOf(place, columns.count - 1); row >= 0; row -= 1) {
    const day = columns.date[row] as Day;
    if (columns.source[row] !== place || day * MILLISECONDS_PER_DAY < since - LONGEST_LEAD) break;
    // Revisions begin at 1; a later one was collected with a correction.
    if (columns.revision[row] !== 1) continue;
    collectedAt.set(day, Math.min(columns.retrievedAt[row] as Instant, collectedAt.get(day) ?? Infinity));
  }
  return [...collectedAt].flatMap(([day, at]) => {
    // The ECB publishes on the day itself, H.10 after the end of its week.
    const from = (source === "ecb_daily" ? day : day + 1) * MILLISECONDS_PER_DAY;
    const publishedAt = nextPublication(source, from);
    return publishedAt < since ? [] : [Math.max(0, at - publishedAt)];
  });
}

/** The longest time between a day and the publication of its figures. */
const LONGEST_LEAD = 14 * MILLISECONDS_PER_DAY;
