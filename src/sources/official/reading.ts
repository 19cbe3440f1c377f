/** Parts of all parsers of official tables: strict codes, digits and dates, and the verdict publications or empty. */

import { BrokenDocument } from "#domain/faults/upstream.ts";
import type { OfficialReading, OfficialRow, OfficialTable } from "#domain/official/publication.ts";
import { fingerprintOf, orderedRows, publicationId } from "#domain/official/versions.ts";
import { dayInZone } from "#domain/time/calendar.ts";
import { type Day, dayOf, formatDay, weekdayOf, yearOf } from "#domain/time/day.ts";
import type { OfficialParsed, OfficialWindow } from "#ports/official.ts";
import type { UpstreamDocument } from "#ports/upstream.ts";
import { type JsonObject, objectsAt, readJsonObject } from "#sources/json.ts";
import { decodeText, quoted } from "#sources/text.ts";

/** The days of a window, both inclusive. */
export type Span = Pick<OfficialWindow, "from" | "to">;

const CODE = /^[A-Z]{3}$/;
const DIGITS = /^\d+(?:\.\d+)?$/;
const UNIT = /^10*$/;
/** The longest that an authority prints is 0.00014035; a bound, so that a broken document cannot bring a novel. */
const MOST_CHARACTERS = 24;
const LARGEST_UNIT = 1_000_000;

/** Three capital letters, as in ISO 4217. Throws BrokenDocument. */
export function readCode(text: string, what: string): string {
  if (CODE.test(text)) return text;
  throw new BrokenDocument(`${what}: not a currency code: ${quoted(text)}`);
}

/** Plain digits above zero with an optional fraction, returned as printed. `of` names the rate. Throws BrokenDocument. */
export function readRate(text: string, what: string, of: string): string {
  const plain = text.length <= MOST_CHARACTERS && DIGITS.test(text);
  if (plain && /[1-9]/.test(text)) return text;
  throw new BrokenDocument(`${what}: ${of} is not a rate: ${quoted(text)}`);
}

/** 1, 10, 100 … 1,000,000: the amounts by which tables count a currency. Throws BrokenDocument. */
export function readUnit(text: string, what: string, of: string): number {
  const unit = UNIT.test(text) && text.length <= 7 ? Number(text) : Number.NaN;
  if (unit >= 1 && unit <= LARGEST_UNIT) return unit;
  throw new BrokenDocument(`${what}: ${of} is counted by ${quoted(text)}, not by a power of ten`);
}

const DAY_MONTH_YEAR = /^(\d{2})([./-])(\d{2})\2(\d{4})$/;

/** `31/12/2026` with one of the separators as a calendar day; anything else, and no real day, is null. */
export function dayMonthYear(text: string, separators = "./-"): Day | null {
  const [, date, separator = "", month, year] = DAY_MONTH_YEAR.exec(text) ?? [];
  if (year === undefined || !separators.includes(separator)) return null;
  return dayOf(Number(year), Number(month), Number(date));
}

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** The day of `31`, `Dec` and `2026`; null where it is none. */
export function dayWithMonthName(date = "", month = "", year = ""): Day | null {
  return dayOf(Number(year), MONTHS.indexOf(month) + 1, Number(date));
}

/** `31${separator}12${separator}2026`. */
export function printDayMonthYear(day: Day, separator: string): string {
  return formatDay(day).split("-").reverse().join(separator);
}

/**
 * The day itself unless it is later than the day on which the document came, in the table's zone, plus the days by which
 * the table is published ahead: an authority does not publish the future. Throws BrokenDocument; also on null.
 */
export function readTableDay(
  day: Day | null,
  printed: string,
  { zone }: Pick<OfficialTable, "zone">,
  document: UpstreamDocument,
  what: string,
  daysAhead = 0,
): Day {
  if (day === null) throw new BrokenDocument(`${what}: not a date: ${quoted(printed)}`);
  const newest = dayInZone(zone, document.retrievedAt) + daysAhead;
  if (day <= newest) return day;
  throw new BrokenDocument(`${what}: ${formatDay(day)} is in the future, later than ${formatDay(newest)}`);
}

/**
 * A publication by the authority's own name. Without `validTo` it is valid until the next one. No authority prints the
 * instant at which it published. Throws BrokenDocument on what is no name, and on rows that are none or contradict.
 */
export function publicationOf(
  name: string,
  validFrom: Day,
  rows: readonly OfficialRow[],
  validTo: Day | null = null,
): OfficialReading {
  return {
    publication: publicationId(name),
    validFrom,
    validTo,
    publishedAt: null,
    rows: orderedRows(rows),
  };
}

/**
 * The verdict on an intact document: its publications within the window, by validity and name. One that is there twice
 * counts once where both say the same, and throws BrokenDocument where they do not. None in the window is "empty".
 */
export function conclude(
  window: Span,
  publications: readonly OfficialReading[],
  what: string,
  note?: string,
): OfficialParsed {
  const wanted = new Map<string, OfficialReading>();
  for (const reading of publications) {
    if (reading.validFrom < window.from || reading.validFrom > window.to) continue;
    const known = wanted.get(reading.publication);
    if (known !== undefined && fingerprintOf(known) !== fingerprintOf(reading)) {
      throw new BrokenDocument(`${what}: two publications ${quoted(reading.publication)} that differ`);
    }
    wanted.set(reading.publication, known ?? reading);
  }
  if (wanted.size === 0) {
    const between = `between ${formatDay(window.from)} and ${formatDay(window.to)}`;
    return { outcome: "empty", reason: `nothing was published ${between}` };
  }
  const sorted = [...wanted.values()].sort(byValidityAndName);
  return { outcome: "publications", publications: sorted, ...(note !== undefined && { note }) };
}

function byValidityAndName(a: OfficialReading, b: OfficialReading): number {
  return a.validFrom - b.validFrom || (a.publication < b.publication ? -1 : 1);
}

// ── From a window to bounded requests ────────────────────────────────────────────────────────────

/**
 * The window clamped to what the table has, and for the newest publication wide enough to hold one: `lookbackDays` is
 * longer than any pause of the authority. Null when the window lies before the table's beginning.
 */
export function requestedWindow<Wanted extends Pick<OfficialWindow, "reach" | "from" | "to">>(
  window: Wanted,
  began: Day,
  lookbackDays: number,
): Wanted | null {
  const earliest = window.reach === "latest" ? Math.min(window.from, window.to - lookbackDays) : window.from;
  const from = Math.max(earliest, began);
  return from > window.to ? null : { ...window, from };
}

/** A window in stretches of at most `days`, ascending. */
export function stretches({ from, to }: Span, days: number): readonly Span[] {
  const found: Span[] = [];
  for (let first = from; first <= to; first += days) {
    found.push({ from: first, to: Math.min(first + days - 1, to) });
  }
  return found;
}

/** Monday to Friday, ascending. */
export function weekdaysOf({ from, to }: Span): readonly Day[] {
  const days = Array.from({ length: to - from + 1 }, (_, index) => from + index);
  return days.filter((day) => weekdayOf(day) % 6 !== 0);
}

/** Every year that a window touches, ascending. */
export function yearsOf({ from, to }: Span): readonly number[] {
  const first = yearOf(from);
  return Array.from({ length: yearOf(to) - first + 1 }, (_, index) => first + index);
}

/** A list of objects that is a whole document by itself. Throws BrokenDocument. */
export function readJsonObjects(bytes: Uint8Array, what: string): readonly JsonObject[] {
  // The reader wants an object, so the list is made the one member of one; a second would be something after the list.
  const wrapped = readJsonObject(new TextEncoder().encode(`{"list":${decodeText(bytes, what)}}`), what);
  if (wrapped.size !== 1) throw new BrokenDocument(`${what}: something after its end`);
  return objectsAt(wrapped, "list", what);
}

const SCIENTIFIC = /^(\d+)(?:\.(\d+))?[eE]([+-]?\d{1,2})$/;

/** The same number without an exponent, digit for digit: "4.10E-5" → "0.0000410"; anything else as it is. */
export function withoutExponent(digits: string): string {
  const match = SCIENTIFIC.exec(digits);
  if (match === null) return digits;
  const [, whole = "", fraction = "", exponent = ""] = match;
  const all = whole + fraction;
  const point = whole.length + Number(exponent);
  if (point <= 0) return `0.${"0".repeat(-point)}${all}`;
  if (point >= all.length) return all + "0".repeat(point - all.length);
  return `${all.slice(0, point)}.${all.slice(point)}`;
}
