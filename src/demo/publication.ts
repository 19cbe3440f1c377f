/** When the simulated authorities publish. Nothing is visible before its real hour. */

import { atWallTime, dayInZone, isTargetDay, isUsFederalHoliday, zoneOffset } from "#domain/time/calendar.ts";
import { type Day, type Instant, weekdayOf } from "#domain/time/day.ts";

/** The newest TARGET day with published reference rates: 16:00 Frankfurt on the day. */
export function newestEcbDay(now: Instant): Day {
  const today = dayInZone("Europe/Berlin", now);
  return targetDayUpTo(now < ecbPublishedAt(today) ? today - 1 : today);
}

export function ecbPublishedAt(day: Day): Instant {
  return atWallTime("Europe/Berlin", day, 16, 0);
}

/** The load time that the statistical interface has for a day's figures, a few minutes before they are published. */
export function ecbLoadedAt(day: Day): Instant {
  return atWallTime("Europe/Berlin", day, 15, 57) + 1_000;
}

function targetDayUpTo(day: Day): Day {
  let found = day;
  while (!isTargetDay(found)) found--;
  return found;
}

/** The newest weekly H.10 release: Monday 16:15 New York, Tuesday after a Monday holiday, through the Friday before. */
export function newestFredRelease(now: Instant) {
  const today = dayInZone("America/New_York", now);
  const monday = today - ((weekdayOf(today) + 6) % 7);
  const release = releaseInWeekOf(monday);
  return now < release.at ? releaseInWeekOf(monday - 7) : release;
}

/** `through` is the newest day in the release: a Friday, holiday or not. */
function releaseInWeekOf(monday: Day) {
  const day = isUsFederalHoliday(monday) ? monday + 1 : monday;
  return { through: monday - 3, at: atWallTime("America/New_York", day, 16, 15) };
}

/** `2024-01-02T15:57:01.000+01:00`: a Frankfurt instant of a day as the statistical interface writes it. */
export function frankfurtText(instant: Instant): string {
  const offset = zoneOffset("Europe/Berlin", instant);
  return `${new Date(instant + offset).toISOString().slice(0, 23)}+0${offset / 3_600_000}:00`;
}
