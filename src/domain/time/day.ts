/** Calendar days as integers (days since 1970-01-01, UTC; arithmetic is plain addition), and instants as milliseconds. */

export type Day = number;
/** Milliseconds since 1970-01-01T00:00:00Z. */
export type Instant = number;

export const MILLISECONDS_PER_DAY = 86_400_000;

export const COVERAGE_START: Day = 10_595; // 1999-01-04

/** The last day with a text of four-digit years: 9999-12-31. */
export const LAST_DAY: Day = 2_932_896;

const DAY_PATTERN = /^\d{4}-\d{2}-\d{2}$/;

/** `YYYY-MM-DD` of a real calendar day (proleptic Gregorian) → Day; anything else → null. */
export function parseDay(text: string): Day | null {
  if (!DAY_PATTERN.test(text)) return null;
  return dayOf(Number(text.slice(0, 4)), Number(text.slice(5, 7)), Number(text.slice(8, 10)));
}

/** Year, month 1–12, day of month 1–31 → Day, or null where there is no such day. */
export function dayOf(year: number, month: number, date: number): Day | null {
  const at = new Date(0);
  // Not Date.UTC, for which years before 100 are of the twentieth century.
  const day = at.setUTCFullYear(year, month - 1, date) / MILLISECONDS_PER_DAY;
  return at.getUTCMonth() === month - 1 && at.getUTCDate() === date ? day : null;
}

/** Day → `YYYY-MM-DD`, for years 0 to 9999. */
export function formatDay(day: Day): string {
  const at = midnightOf(day);
  const [year, month, date] = [at.getUTCFullYear(), at.getUTCMonth() + 1, at.getUTCDate()];
  const yearText = year >= 1000 ? String(year) : String(year).padStart(4, "0");
  return `${yearText}-${month < 10 ? "0" : ""}${month}-${date < 10 ? "0" : ""}${date}`;
}

export function yearOf(day: Day): number {
  return midnightOf(day).getUTCFullYear();
}

/** The same date a year earlier; 28 February for 29 February. */
export function yearBefore(day: Day): Day {
  const at = midnightOf(day);
  return dayOf(at.getUTCFullYear() - 1, at.getUTCMonth() + 1, at.getUTCDate()) ?? day - 366;
}

export function firstDayOfMonth(day: Day): Day {
  return day - midnightOf(day).getUTCDate() + 1;
}

function midnightOf(day: Day): Date {
  return new Date(day * MILLISECONDS_PER_DAY);
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
 * RFC 3339 with any offset and up to nine decimals. Also allowed: a blank instead of the T; an offset of hours only, or without its
 * colon; a blank before an offset, which is an unescaped plus of a query.
 */
export const INSTANT_GRAMMAR =
  /^(\d{4}-\d{2}-\d{2})[Tt ]((?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d)(?:\.(\d{1,9}))?(?:[Zz]|([+ -])([01]\d|2[0-3])(?::?([0-5]\d))?)$/;

const YEAR_0 = Date.parse("0000-01-01T00:00:00Z");
const YEAR_10000 = Date.parse("+010000-01-01T00:00:00Z");

/** The instant, cut to milliseconds; null for anything else, a day that does not exist, or a year without four digits in UTC. */
export function readInstant(text: string): Instant | null {
  const match = INSTANT_GRAMMAR.exec(text);
  const [, day = "", time = "", fraction = "", sign = "+", hours = "0", minutes = "0"] = match ?? [];
  if (match === null || parseDay(day) === null) return null;
  const offset = (Number(hours) * 60 + Number(minutes)) * 60_000;
  const local = Date.parse(`${day}T${time}.${fraction.slice(0, 3).padEnd(3, "0")}Z`);
  const instant = sign === "-" ? local + offset : local - offset;
  return instant >= YEAR_0 && instant < YEAR_10000 ? instant : null;
}
