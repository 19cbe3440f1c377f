/** When the simulated authorities publish, and what they misprint. Nothing is visible before its real hour. */

import { atWallTime, dayInZone, isTargetDay, isUsFederalHoliday, zoneOffset } from "#domain/time/calendar.ts";
import { type Day, dayOf, type Instant, weekdayOf } from "#domain/time/day.ts";
import { hash } from "./world.ts";

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

/** A misprint is replaced in the afternoon of the next TARGET day. */
export function ecbCorrectedAt(day: Day): Instant {
  return atWallTime("Europe/Berlin", nextTargetDay(day), 15, 16) + 4_000;
}

function targetDayUpTo(day: Day): Day {
  let found = day;
  while (!isTargetDay(found)) found--;
  return found;
}

function nextTargetDay(day: Day): Day {
  let found = day + 1;
  while (!isTargetDay(found)) found++;
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

export interface Misprint {
  readonly day: Day;
  readonly currency: string;
}

/** An honest mistake: once a year, from February to November, one figure goes out with two digits swapped, and is replaced. */
export function misprintIn(
  chance: number,
  year: number,
  isDay: (day: Day) => boolean,
  currencies: readonly string[],
): Misprint {
  let day = (dayOf(year, 2, 1) as Day) + (chance % 290);
  while (!isDay(day)) day++;
  return { day, currency: currencies[(chance >>> 12) % currencies.length] ?? "" };
}

/** Currencies that have figures in every year. */
const MISPRINTED = ["NOK", "SEK", "CZK", "HUF", "CHF", "CAD", "JPY", "ZAR"];
const STREAM = 103;

/** Of the ECB's reference rates. */
export function ecbMisprint(seed: number, year: number): Misprint {
  return misprintIn(hash(seed, STREAM, year), year, isTargetDay, MISPRINTED);
}

/**
 * Swaps the first two neighbouring digits that change the value by 0.3 % to 10 %; where none do, the first that change
 * it by less; where all digits are alike, the last one is off by one. What is not a number stays as it is.
 */
export function misprinted(printed: string): string {
  if (!(Number(printed) > 0)) return printed;
  return swapped(printed, 0.003) ?? swapped(printed, 0) ?? lastDigitOff(printed);
}

function swapped(printed: string, leastChange: number): string | null {
  for (let at = 0; at < printed.length - 1; at++) {
    const left = printed.charAt(at);
    const right = printed.charAt(at + 1);
    if (left === "." || right === "." || left === right) continue;
    const text = printed.slice(0, at) + right + left + printed.slice(at + 2);
    const change = Math.abs(Number(text) / Number(printed) - 1);
    if (change >= leastChange && change <= 0.1) return text;
  }
  return null;
}

function lastDigitOff(printed: string): string {
  const last = Number(printed.at(-1));
  return printed.slice(0, -1) + (last === 9 ? 8 : last + 1);
}
