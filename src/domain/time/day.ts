/** Calendar days as integers: days since 1970-01-01, UTC. Arithmetic is plain addition. Instants are milliseconds, read as people's tools print them. */

export type Day = number;
/** Milliseconds since 1970-01-01T00:00:00Z. */
export type Instant = number;

export const MILLISECONDS_PER_DAY = 86_400_000;

/** Published coverage starts here. */
export const COVERAGE_START: Day = 10_595; // 1999-01-04

/** The last one that has a text: 9999-12-31. */
export const LAST_DAY: Day = 2_932_896;

const DAY_PATTERN = /^\d{4}-\d{2}-\d{2}$/;

/** `YYYY-MM-DD` of a real calendar day (proleptic Gregorian) → Day; anything else → null. */
export function parseDay(text: string): Day | null {
  if (!DAY_PATTERN.test(text)) return null;
  return dayOf(Number(text.slice(0, 4)), Number(text.slice(5, 7)), Number(text.slice(8, 10)));
}

/** Year, month 1–12, day of month 1–31 → Day, or null where there is no such day. */
export function dayOf(year: number, month: number, date: number): Day | null {
  if (month < 1 || month > 12 || date < 1 || date > daysInMonth(year, month)) return null;
  return daysBefore(year, month, date);
}

/** Day → `YYYY-MM-DD`, for years 0 to 9999. */
export function formatDay(day: Day): string {
  const { year, month, date } = civil(day);
  const yearText = year >= 1000 ? String(year) : String(year).padStart(4, "0");
  return `${yearText}-${month < 10 ? "0" : ""}${month}-${date < 10 ? "0" : ""}${date}`;
}

export function yearOf(day: Day): number {
  return civil(day).year;
}

/** The same date a year earlier; of 29 February the 28th. */
export function yearBefore(day: Day): Day {
  const { year, month, date } = civil(day);
  return dayOf(year - 1, month, date) ?? day - 366;
}

export function firstDayOfMonth(day: Day): Day {
  return day - civil(day).date + 1;
}

function daysInMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

// The Gregorian calendar in 400-year eras of 146,097 days, years counted from March so that the leap day comes last.
const DAYS_PER_ERA = 146_097;
const DAYS_TO_1970 = 719_468;

function daysBefore(year: number, month: number, date: number): Day {
  const marchYear = month <= 2 ? year - 1 : year;
  const era = Math.floor(marchYear / 400);
  const yearOfEra = marchYear - era * 400;
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + date - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * DAYS_PER_ERA + dayOfEra - DAYS_TO_1970;
}

function civil(day: Day): { year: number; month: number; date: number } {
  const shifted = day + DAYS_TO_1970;
  const era = Math.floor(shifted / DAYS_PER_ERA);
  const dayOfEra = shifted - era * DAYS_PER_ERA;
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) /
      365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const marchMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9;
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    date: dayOfYear - Math.floor((153 * marchMonth + 2) / 5) + 1,
  };
}

/** The UTC day that contains an instant. */
export function dayAt(instant: Instant): Day {
  return Math.floor(instant / MILLISECONDS_PER_DAY);
}

/** 0 Sunday … 6 Saturday. 1970-01-01 was a Thursday. */
export function weekdayOf(day: Day): number {
  return (((day + 4) % 7) + 7) % 7;
}

/** `YYYY-MM-DDTHH:MM:SSZ`; fractions only where the instant has them. */
export function formatInstant(instant: Instant): string {
  if (instant !== lastFormatted.instant) lastFormatted = { instant, text: instantText(instant) };
  return lastFormatted.text;
}

// One answer names the same observation time for many currencies.
let lastFormatted = { instant: Number.NaN, text: "" };

function instantText(instant: Instant): string {
  const text = new Date(instant).toISOString();
  return text.endsWith(".000Z") ? `${text.slice(0, 19)}Z` : text;
}

/**
 * RFC 3339 with any offset and up to nine decimals; also with a blank for the T, and an offset of hours or without a colon. A
 * blank before an offset is a plus, unescaped in a query.
 */
export const INSTANT_GRAMMAR =
  /^(\d{4}-\d{2}-\d{2})[Tt ]((?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d)(?:\.(\d{1,9}))?(?:[Zz]|([+ -])([01]\d|2[0-3])(?::?([0-5]\d))?)$/;

const YEAR_0 = Date.parse("0000-01-01T00:00:00Z");
const YEAR_10000 = Date.parse("+010000-01-01T00:00:00Z");

/** The instant, cut to milliseconds; null for anything else, a day that does not exist, and years that do not have four digits in UTC. */
export function readInstant(text: string): Instant | null {
  const match = INSTANT_GRAMMAR.exec(text);
  const [, day = "", time = "", fraction = "", sign = "+", hours = "0", minutes = "0"] = match ?? [];
  if (match === null || parseDay(day) === null) return null;
  const offset = (Number(hours) * 60 + Number(minutes)) * 60_000;
  const local = Date.parse(`${day}T${time}.${fraction.slice(0, 3).padEnd(3, "0")}Z`);
  const instant = sign === "-" ? local + offset : local - offset;
  return instant >= YEAR_0 && instant < YEAR_10000 ? instant : null;
}
