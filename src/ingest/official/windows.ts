/** Which publications a collection asks for: from the clock, in days of the table's own zone. */

import type { OfficialTable } from "#domain/official/publication.ts";
import { dayInTableZone } from "#domain/official/table-day.ts";
import { type Day, dayOf, type Instant, yearOf } from "#domain/time/day.ts";
import type { OfficialAdapter, OfficialWindow } from "#ports/official.ts";

/** How far back corrections are looked for: a by-day route asks some two dozen times for a month. */
const RECENT_DAYS: Record<OfficialTable["cadence"], number> = {
  daily: 30,
  weekly: 60,
  monthly: 100,
  quarterly: 200,
};
/** A pause of the service is made good so far back; what is older takes the history. */
const LONGEST_MADE_GOOD_DAYS = 400;
/** Before the first publication of any table: adapters begin with their own. */
const FIRST_YEAR = 1990;
/** A last window shorter than this could lie in an authority's pause. */
const SHORTEST_HISTORY_DAYS = 60;

/**
 * The windows of a collection, ascending: one for `latest` and `recent`; for `history` a calendar year each, or as many
 * as one document of the table has, so that progress is made durable; the last has one more where the year is young. `rereadAt` is when the window of
 * `recent` was last read whole: a longer time than that window is read again from then on.
 */
export function windowsAt(
  now: Instant,
  { zone, cadence, historyYears = 1 }: Pick<OfficialAdapter, "zone" | "cadence" | "historyYears">,
  reach: OfficialWindow["reach"],
  rereadAt: Instant | null,
): readonly OfficialWindow[] {
  const to = dayInTableZone(zone, now);
  if (reach === "latest") return [{ reach, from: to, to }];
  if (reach === "recent") {
    const reread = rereadAt === null ? to : dayInTableZone(zone, rereadAt) - 1;
    const from = Math.min(to - RECENT_DAYS[cadence], Math.max(reread, to - LONGEST_MADE_GOOD_DAYS));
    return [{ reach, from, to }];
  }
  const first = (year: number): Day => dayOf(year, 1, 1) as Day;
  const lastYear = to - first(yearOf(to)) < SHORTEST_HISTORY_DAYS ? yearOf(to) - 1 : yearOf(to);
  const count = Math.ceil((lastYear - FIRST_YEAR + 1) / historyYears);
  return Array.from({ length: count }, (_, nth) => {
    const year = FIRST_YEAR + nth * historyYears;
    const next = year + historyYears;
    return { reach, from: first(year), to: next > lastYear ? to : first(next) - 1 };
  });
}
