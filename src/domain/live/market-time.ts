/** Time as the market counts it: hours in which it was closed do not make a quote older. */

import { atWallTime, dayInZone } from "#domain/time/calendar.ts";
import type { Instant } from "#domain/time/day.ts";
import { marketSession } from "#domain/time/session.ts";

const NEW_YORK = "America/New_York";

/** Milliseconds of open market from `from` to `to`; 0 when `to` is not later. Costs one step a day in between. */
export function openMilliseconds(from: Instant, to: Instant): number {
  let open = 0;
  let at = from;
  // Sessions only turn at 17:00 New York, so each stretch up to the next such instant is open or closed as a whole.
  for (let day = dayInZone(NEW_YORK, from); at < to; day++) {
    const until = Math.min(to, atWallTime(NEW_YORK, day, 17, 0));
    if (until <= at) continue;
    if (marketSession(at) === "open") open += until - at;
    at = until;
  }
  return open;
}
