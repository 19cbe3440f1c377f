/** The bank days of Mexico: when the FIX and the rate of the Diario Oficial are observed, and which of them is due. */

import { atWallTime, dayInZone, easterSunday, nthWeekday } from "#domain/time/calendar.ts";
import { type Day, dayOf, type Instant, weekdayOf, yearOf } from "#domain/time/day.ts";

const ZONE = "America/Mexico_City";
const HOUR = 3_600_000;
/** The FIX is announced from noon on; two hours of grace. */
const NOON = 12;
const FIX_GRACE_HOURS = 2;
/** The Diario is out in the morning; by noon it has been read. */
const DOF_DUE_HOUR = 12;

/**
 * True when Banco de México determines a FIX. Verified on every determination since 2008: weekends, 1 January, the first
 * Monday of February, the third of March and of November, Maundy Thursday, Good Friday, 1 May, 16 September, 2 November,
 * 12 and 25 December; since 2024 the 1 October on which a president takes office, every six years.
 */
export function isMexicanBankDay(day: Day): boolean {
  const weekday = weekdayOf(day);
  if (weekday === 0 || weekday === 6) return false;
  const year = yearOf(day);
  const on = (month: number, date: number) => day === dayOf(year, month, date);
  if (on(1, 1) || on(5, 1) || on(9, 16) || on(11, 2) || on(12, 12) || on(12, 25)) return false;
  if (on(10, 1) && year >= 2024 && (year - 2024) % 6 === 0) return false;
  const monday = (month: number, nth: number) => day === nthWeekday(year, month, 1, nth);
  if (monday(2, 1) || monday(3, 3) || monday(11, 3)) return false;
  const easter = easterSunday(year);
  return day !== easter - 3 && day !== easter - 2;
}

/** Noon in Mexico City on the day of determination. */
export function fixObservedAt(day: Day): Instant {
  return atWallTime(ZONE, day, NOON, 0);
}

/** The beginning of the day of the issue in Mexico City. */
export function dofEffectiveAt(day: Day): Instant {
  return atWallTime(ZONE, day, 0, 0);
}

/** The newest day with a FIX that must be known by now, grace included. */
export function newestDueFix(now: Instant): Day {
  return newestDue(now - FIX_GRACE_HOURS * HOUR, NOON, isMexicanBankDay);
}

/** The newest issue of the Diario that must be known by now. On 5 May there may be no issue: that day is never due. */
export function newestDueDof(now: Instant): Day {
  return newestDue(now, DOF_DUE_HOUR, (day) => isMexicanBankDay(day) && day !== dayOf(yearOf(day), 5, 5));
}

function newestDue(at: Instant, hour: number, isOpen: (day: Day) => boolean): Day {
  let day = dayInZone(ZONE, at);
  if (at < atWallTime(ZONE, day, hour, 0)) day -= 1;
  while (!isOpen(day)) day -= 1;
  return day;
}
