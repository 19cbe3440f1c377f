/** The days that a collection requests, and the day through which a route has published. */

import type { Retrieval } from "#domain/acceptance/statements.ts";
import type { DailySource } from "#domain/currency/source.ts";
import { scheduledPublication } from "#domain/history/schedule.ts";
import type { Coverage, Window } from "#domain/intake/reading.ts";
import { dayInZone, ecbObservedAt, fredObservedAt } from "#domain/time/calendar.ts";
import {
  COVERAGE_START,
  type Day,
  dayAt,
  formatDay,
  formatInstant,
  type Instant,
  weekdayOf,
} from "#domain/time/day.ts";
import type { ReadDocument } from "./gather.ts";

const RECENT_DAYS = 90;
/** H.10 comes once a week and a holiday delays it, so its newest figures can be ten days old. */
const LATEST_DAYS: Record<DailySource, number> = { ecb_daily: 7, fred_daily: 21 };

/**
 * The window that ends on the source's last day of observation: nothing can be known of a later one. A document dated after `to` is
 * broken.
 */
export function windowAt(now: Instant, source: DailySource, reach: Window["reach"]): Window {
  const isEcb = source === "ecb_daily";
  const today = dayInZone(isEcb ? "Europe/Berlin" : "America/New_York", now);
  const observedAt = (isEcb ? ecbObservedAt : fredObservedAt)(today);
  const to = observedAt <= now ? today : today - 1;
  return { reach, from: Math.max(COVERAGE_START, firstDay(source, reach, to)), to };
}

function firstDay(source: DailySource, reach: Window["reach"], to: Day): Day {
  if (reach === "history") return COVERAGE_START;
  return to - (reach === "recent" ? RECENT_DAYS : LATEST_DAYS[source]);
}

/** A series this far behind the newest one has ended: the others do not wait for it. */
const ENDED_AFTER_DAYS = 31;

/**
 * The day through which every living series was published: the oldest of the currency pairs' newest days. A document can have one
 * series or one year. Null when no document names a day.
 */
export function coveredThrough(read: readonly ReadDocument[]): Day | null {
  const byPair = new Map<string, Day>();
  let closed: Day | null = null;
  for (const { content: reading } of read) {
    if (reading.outcome === "holiday") closed = later(closed, reading.coveredThrough);
    if (reading.outcome !== "figures") continue;
    const pairs = new Set(reading.figures.map(({ base, quote }) => base + quote));
    for (const pair of pairs)
      byPair.set(pair, later(byPair.get(pair) ?? null, reading.coveredThrough) as Day);
  }
  if (byPair.size === 0) return closed;
  const newest = Math.max(...byPair.values());
  return Math.min(...[...byPair.values()].filter((day) => day >= newest - ENDED_AFTER_DAYS));
}

/** `recent` reads 90 days back; a coverage older than this could leave a gap before them. */
const RECENT_REACHES_DAYS = 80;

/**
 * `history` if the last 90 days would leave a gap, else `recent`. A coverage begins only with a history that was read whole: without one
 * the history is missing, even if there are figures.
 */
export function neededReach(
  coverage: readonly Coverage[],
  source: DailySource,
  today: Day,
): "history" | "recent" {
  const covered = coverage.find((entry) => entry.source === source)?.coveredThrough ?? -Infinity;
  return covered < today - RECENT_REACHES_DAYS ? "history" : "recent";
}

function later(a: Day | null, b: Day | null): Day | null {
  if (a === null || b === null) return a ?? b;
  return Math.max(a, b);
}

/** The list with the source's entry moved forward. The same list if it would not move: an entry never goes back. */
export function advanceCoverage(
  coverage: readonly Coverage[],
  source: DailySource,
  day: Day | null,
  retrievedAt: number,
): readonly Coverage[] {
  const current = coverage.find((entry) => entry.source === source);
  if (day === null || (current !== undefined && current.coveredThrough >= day)) return coverage;
  const others = coverage.filter((entry) => entry.source !== source);
  return [...others, { source, coveredThrough: day, retrievedAt }];
}

const HOUR = 3_600_000;

/** A route that was read. `from` is null where its documents were unchanged, `newest` also where they have no figure. */
export interface RouteRead extends Omit<Retrieval, "source" | "from"> {
  readonly from: Day | null;
}

/** Why the documents are an older copy than the route delivered before; null where they are not. */
export function oldCopyOf(
  retrievals: readonly Retrieval[],
  source: DailySource,
  { route, newest, modifiedAt }: RouteRead,
): string | null {
  const before = retrievals.find((retrieval) => retrieval.source === source && retrieval.route === route);
  if (before === undefined) return null;
  if (newest !== null && before.newest !== null && newest < before.newest) {
    return `ends on ${formatDay(newest)}, and the copy read before on ${formatDay(before.newest)}`;
  }
  if (modifiedAt !== null && before.modifiedAt !== null && modifiedAt < before.modifiedAt) {
    return `is of ${formatInstant(modifiedAt)}, and the copy read before of ${formatInstant(before.modifiedAt)}`;
  }
  return null;
}

/**
 * The list with the route's retrieval advanced. The same list if that is no news: no publication has become due since, and the route
 * has covered these days before. A stored retrieval more than an hour ahead comes from a wrong clock, and is set back.
 */
export function advanceRetrievals(
  retrievals: readonly Retrieval[],
  source: DailySource,
  { route, from, at, newest, modifiedAt }: RouteRead,
): readonly Retrieval[] {
  const stored = retrievals.find((retrieval) => retrieval.source === source && retrieval.route === route);
  const isAhead = stored !== undefined && stored.at > at + HOUR;
  const before = isAhead ? { ...stored, at } : stored;
  const shownFrom = from ?? before?.from;
  // The documents were unchanged, and no retrieval says which days they cover.
  if (shownFrom === undefined) return retrievals;
  const isNewer = isLater(newest, before?.newest) || isLater(modifiedAt, before?.modifiedAt);
  const isCovered =
    before !== undefined && !isAhead && before.from <= shownFrom && before.at >= newestDue(source, at);
  if (isCovered && !isNewer) return retrievals;
  const others = retrievals.filter((retrieval) => retrieval !== stored);
  const advanced: Retrieval = {
    source,
    route,
    from: shownFrom,
    at: isCovered ? before.at : Math.max(at, before?.at ?? at),
    newest: later(newest, before?.newest ?? null),
    modifiedAt: later(modifiedAt, before?.modifiedAt ?? null),
  };
  return [...others, advanced];
}

function isLater(a: number | null, b: number | null | undefined): boolean {
  return a !== null && (b == null || a > b);
}

/** The newest scheduled publication at or before an instant. */
function newestDue(source: DailySource, at: Instant): Instant {
  for (let day = dayAt(at) + 1; ; day--) {
    const weekday = weekdayOf(day);
    if (weekday === 0 || weekday === 6) continue;
    const due = scheduledPublication(source, day);
    if (due <= at) return due;
  }
}
