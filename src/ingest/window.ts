/** Which days a collection asks for, from the clock and the reach. */

import type { DailySource } from "#domain/currency/source.ts";
import type { Window } from "#domain/point-in-time/reading.ts";
import { dayInZone } from "#domain/time/calendar.ts";
import { COVERAGE_START, type Day, dayAt, type Instant } from "#domain/time/day.ts";

const RECENT_DAYS = 90;
/** H.10 comes once a week and a holiday delays it, so its newest figures can be ten days old. */
const LATEST_DAYS: Record<DailySource, number> = { ecb_daily: 7, fred_daily: 21 };

/**
 * The window that ends today. Today is the later of the UTC day and the authorities' own calendar days, so that
 * near midnight no authority is ahead of it; a document dated after `to` is broken.
 */
export function windowAt(now: Instant, source: DailySource, reach: Window["reach"]): Window {
  const to = Math.max(dayAt(now), dayInZone("Europe/Berlin", now), dayInZone("America/New_York", now));
  return { reach, from: Math.max(COVERAGE_START, firstDay(source, reach, to)), to };
}

function firstDay(source: DailySource, reach: Window["reach"], to: Day): Day {
  switch (reach) {
    case "history":
      return COVERAGE_START;
    case "recent":
      return to - RECENT_DAYS;
    case "latest":
      return to - LATEST_DAYS[source];
  }
}
