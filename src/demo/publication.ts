/** The publication hours of the simulated authorities. Nothing is visible before its real hour. */

import { atWallTime, dayInZone, isTargetDay, isUsFederalHoliday, zoneOffset } from "#domain/time/calendar.ts";
import { type Day, type Instant, MILLISECONDS_PER_DAY, weekdayOf } from "#domain/time/day.ts";

/** The newest TARGET day whose reference rates are out: 16:00 Frankfurt on the day. */
export function newestEcbDay(now: Instant): Day {
  const today = dayInZone("Europe/Berlin", now);
  return targetDayUpTo(now < ecbPublishedAt(today) ? today - 1 : today);
}

export function ecbPublishedAt(day: Day): Instant {
  return frankfurt(day, 16 * 3600);
}

/** The load time that the statistical interface has for a day's figures, a few minutes before they are published. */
export function ecbLoadedAt(day: Day): Instant {
  return frankfurt(day, (15 * 60 + 57) * 60 + 1);
}

/** A misprint is replaced in the afternoon of the next TARGET day. */
export function ecbCorrectedAt(day: Day): Instant {
  return frankfurt(nextTargetDay(day), (15 * 60 + 16) * 60 + 4);
}

function targetDayUpTo(day: Day): Day {
  let found = day;
  while (!isTargetDay(found)) found--;
  return found;
}

export function nextTargetDay(day: Day): Day {
  let found = day + 1;
  while (!isTargetDay(found)) found++;
  return found;
}

export interface Release {
  /** Newest day in the release: a Friday, holiday or not. */
  readonly through: Day;
  readonly at: Instant;
}

/** The newest weekly H.10 release: Monday 16:15 New York, Tuesday after a Monday holiday, through the Friday before. */
export function newestFredRelease(now: Instant): Release {
  const today = dayInZone("America/New_York", now);
  const monday = today - ((weekdayOf(today) + 6) % 7);
  const release = releaseInWeekOf(monday);
  return now < release.at ? releaseInWeekOf(monday - 7) : release;
}

function releaseInWeekOf(monday: Day): Release {
  const day = isUsFederalHoliday(monday) ? monday + 1 : monday;
  return { through: monday - 3, at: atWallTime("America/New_York", day, 16, 15) };
}

const frankfurtOffsets = new Map<Day, number>();

/** Instant of a Frankfurt wall time; the offset of a day is looked up once, since a whole history needs thousands. */
function frankfurt(day: Day, secondOfDay: number): Instant {
  let offset = frankfurtOffsets.get(day);
  if (offset === undefined) {
    offset = zoneOffset("Europe/Berlin", day * MILLISECONDS_PER_DAY + MILLISECONDS_PER_DAY / 2);
    frankfurtOffsets.set(day, offset);
  }
  return day * MILLISECONDS_PER_DAY + secondOfDay * 1000 - offset;
}

/** `2024-01-02T15:57:01.000+01:00`: a Frankfurt instant of a day as the statistical interface writes it. */
export function frankfurtText(instant: Instant): string {
  const known = frankfurtTexts.get(instant);
  if (known !== undefined) return known;
  const offset = zoneOffset("Europe/Berlin", instant);
  const text = `${new Date(instant + offset).toISOString().slice(0, 23)}+0${offset / 3_600_000}:00`;
  frankfurtTexts.set(instant, text);
  return text;
}

/** One entry for each load and correction so far: some seven thousand. */
const frankfurtTexts = new Map<Instant, string>();
