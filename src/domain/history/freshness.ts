/** When a source's next figures are due, and so when what we have is stale. Windows from real publication calendars. */

import type { DailySource } from "#domain/currency/source.ts";
import {
  atWallTime,
  dayInZone,
  isTargetDay,
  isUsFederalDay,
  isUsFederalHoliday,
} from "#domain/time/calendar.ts";
import { type Day, type Instant, weekdayOf } from "#domain/time/day.ts";

/** ECB: around 16:00 Frankfurt on every TARGET day; two hours of grace. */
const ECB_DUE_HOUR = 16;
const ECB_GRACE_HOURS = 2;
/** H.10: Mondays 16:15 New York, Tuesday after a holiday, with figures through the Friday before; three hours of grace. */
const FRED_DUE_HOUR = 16;
const FRED_DUE_MINUTE = 15;
const FRED_GRACE_HOURS = 3;
const HOUR = 3_600_000;
const MINUTE = 60_000;

/** The newest day whose figures must have been published by `now`, grace included. */
export function newestDueDay(source: DailySource, now: Instant): Day {
  // Every release falls on a whole minute, so one look at the zone tables serves all requests of a minute.
  const minute = Math.floor(now / MINUTE);
  const known = lastDue.get(source);
  if (known?.minute === minute) return known.day;
  const day =
    source === "ecb_daily"
      ? newestEcbDay(now - ECB_GRACE_HOURS * HOUR)
      : newestFredDay(now - FRED_GRACE_HOURS * HOUR);
  lastDue.set(source, { minute, day });
  return day;
}

const lastDue = new Map<DailySource, { readonly minute: number; readonly day: Day }>();

/** The next instant at which the source is expected to publish. */
export function nextPublication(source: DailySource, now: Instant): Instant {
  if (source === "ecb_daily") {
    for (let day = dayInZone("Europe/Berlin", now); ; day++) {
      const at = atWallTime("Europe/Berlin", day, ECB_DUE_HOUR, 0);
      if (at > now && isTargetDay(day)) return at;
    }
  }
  for (let day = dayInZone("America/New_York", now); ; day++) {
    if (isFredReleaseDay(day)) {
      const at = fredReleaseAt(day);
      if (at > now) return at;
    }
  }
}

/**
 * True when a figure of `date` should have been followed by a newer one. `coveredThrough` is the last day the source's
 * documents spoke for: H.10 marks closed days with a dot, and a dot is an answer, not a delay.
 */
export function isStale(source: DailySource, date: Day, coveredThrough: Day, now: Instant): boolean {
  const due = newestDueDay(source, now);
  if (source === "ecb_daily") return date < due;
  const answered = coveredThrough - date <= 7 ? Math.max(date, coveredThrough) : date;
  return answered < due;
}

function newestEcbDay(at: Instant): Day {
  let day = dayInZone("Europe/Berlin", at);
  if (at < atWallTime("Europe/Berlin", day, ECB_DUE_HOUR, 0)) day -= 1;
  while (!isTargetDay(day)) day -= 1;
  return day;
}

function newestFredDay(at: Instant): Day {
  let release = dayInZone("America/New_York", at);
  while (!isFredReleaseDay(release) || fredReleaseAt(release) > at) release -= 1;
  // Through the Friday before the release's Monday.
  let day = release - ((weekdayOf(release) + 6) % 7) - 3;
  while (!isUsFederalDay(day)) day -= 1;
  return day;
}

function isFredReleaseDay(day: Day): boolean {
  const weekday = weekdayOf(day);
  return (weekday === 1 && !isUsFederalHoliday(day)) || (weekday === 2 && isUsFederalHoliday(day - 1));
}

function fredReleaseAt(day: Day): Instant {
  return atWallTime("America/New_York", day, FRED_DUE_HOUR, FRED_DUE_MINUTE);
}
