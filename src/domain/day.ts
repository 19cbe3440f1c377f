/** Calendar days as integers: days since 1970-01-01, UTC. Arithmetic is plain addition. */

export type Day = number;
/** Milliseconds since 1970-01-01T00:00:00Z. */
export type Instant = number;

export const MILLISECONDS_PER_DAY = 86_400_000;

/** Published coverage starts here. */
export const COVERAGE_START: Day = 10_595; // 1999-01-04

const DAY_PATTERN = /^(\d{4})-(\d{2})-(\d{2})$/;

/** `YYYY-MM-DD` of a real calendar day (proleptic Gregorian) → Day; anything else → null. */
export function parseDay(text: string): Day | null {
  const match = DAY_PATTERN.exec(text);
  if (match === null) return null;
  const [year, month, date] = [Number(match[1]), Number(match[2]), Number(match[3])];
  const day = dayOf(year, month, date);
  return day !== null && formatDay(day) === text ? day : null;
}

/** Year, month 1–12, day of month 1–31 → Day, or null where there is no such day. */
export function dayOf(year: number, month: number, date: number): Day | null {
  const at = new Date(0);
  at.setUTCFullYear(year, month - 1, date);
  if (at.getUTCFullYear() !== year || at.getUTCMonth() !== month - 1 || at.getUTCDate() !== date) {
    return null;
  }
  return Math.floor(at.getTime() / MILLISECONDS_PER_DAY);
}

/** Day → `YYYY-MM-DD`. */
export function formatDay(day: Day): string {
  return new Date(day * MILLISECONDS_PER_DAY).toISOString().slice(0, 10);
}

/** The UTC day that contains an instant. */
export function dayAt(instant: Instant): Day {
  return Math.floor(instant / MILLISECONDS_PER_DAY);
}

/** 0 Sunday … 6 Saturday. 1970-01-01 was a Thursday. */
export function weekdayOf(day: Day): number {
  return (((day + 4) % 7) + 7) % 7;
}

export function yearOf(day: Day): number {
  return new Date(day * MILLISECONDS_PER_DAY).getUTCFullYear();
}

/** `YYYY-MM-DDTHH:MM:SSZ`; fractions only where the instant has them. */
export function formatInstant(instant: Instant): string {
  const text = new Date(instant).toISOString();
  return text.endsWith(".000Z") ? `${text.slice(0, 19)}Z` : text;
}
