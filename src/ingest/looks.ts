/** When a route was last read to its end: stored, so that a figure that comes late is known to be late after a restart, too. */

import type { Look } from "#domain/acceptance/statements.ts";
import type { DailySource } from "#domain/currency/source.ts";
import { scheduledPublication } from "#domain/point-in-time/schedule.ts";
import { type Day, dayAt, type Instant, weekdayOf } from "#domain/time/day.ts";

/** A route that was read: `from` is the first day that its documents showed, null where they were unchanged. */
export interface RouteRead {
  readonly route: string;
  readonly from: Day | null;
  readonly at: Instant;
}

/**
 * The list with the route's look moved on, or the same list where that would tell nothing new: no publication has become due since,
 * and the route has shown these days before.
 */
export function advanceLooks(
  looks: readonly Look[],
  source: DailySource,
  { route, from, at }: RouteRead,
): readonly Look[] {
  const known = looks.find((look) => look.source === source && look.route === route);
  const shownFrom = from ?? known?.from;
  // Only what was read in this process is asked for conditionally: without a look there is nothing unchanged.
  if (shownFrom === undefined) return looks;
  if (known !== undefined && known.from <= shownFrom && known.at >= newestDue(source, at)) return looks;
  const others = looks.filter((look) => look !== known);
  return [...others, { source, route, from: shownFrom, at: Math.max(at, known?.at ?? at) }];
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
