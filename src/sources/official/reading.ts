/** Shared by all official tables: how a table is declared, its requests, and strict readers of codes, digits and dates. */

import { BrokenDocument } from "#domain/faults/upstream.ts";
import { periodEnd } from "#domain/history/periods.ts";
import type { Window } from "#domain/intake/reading.ts";
import { canonicalRate, fingerprintOf, orderedRows, publicationId } from "#domain/official/doubts.ts";
import type { OfficialReading, OfficialRow } from "#domain/official/publication.ts";
import { dayInZone } from "#domain/time/calendar.ts";
import { type Day, dayOf, formatDay, parseDay, weekdayOf, yearOf } from "#domain/time/day.ts";
import type { OfficialAdapter, OfficialParsed } from "#ports/official.ts";
import type { Route, UpstreamDocument } from "#ports/upstream.ts";
import { type JsonObject, objectAt, objectsAt, readJsonObject, readJsonObjects } from "#sources/json.ts";
import { decodeText, quoted } from "#sources/text.ts";
import { attributeOf, elementOf, readElements, textOf, type XmlElement } from "#sources/xml.ts";

/** Days, both inclusive. */
export type Span = Pick<Window, "from" | "to">;

/** A route of a table. Its `read` returns every publication of a document; `tableSource` keeps those of the requested days. */
interface TableRoute extends Pick<Route, "name" | "requests" | "mayBeAbsent"> {
  /** Throws BrokenDocument, or UpstreamFault for the authority's own error message. */
  read(document: UpstreamDocument): TableContent;
}

/** `note` says what was left out of the document. */
export type TableContent =
  | readonly OfficialReading[]
  | { readonly readings: readonly OfficialReading[]; readonly note: string | undefined };

interface TableSource extends Omit<OfficialAdapter, "routes"> {
  /** The days to request for a window; null where the table has no publications in it. */
  readonly days: (window: Window) => Span | null;
  /** Routes in the order in which they are tried. */
  readonly routes: (days: Span, reach: Window["reach"]) => readonly TableRoute[];
}

export function tableSource({ days, routes, ...table }: TableSource): OfficialAdapter {
  return {
    ...table,
    routes(window) {
      const requested = days(window);
      if (requested === null) return [];
      return routes(requested, window.reach).map(({ read, ...route }) => ({
        ...route,
        parse: (document) => conclude(requested, read(document), table.id),
      }));
    },
  };
}

/**
 * The publications of an intact document within `days`, by validity and name. A publication that occurs twice with the same content
 * counts once; with different content it throws BrokenDocument.
 */
function conclude(days: Span, content: TableContent, what: string): OfficialParsed {
  const { readings, note } = "readings" in content ? content : { readings: content, note: undefined };
  const byName = new Map<string, OfficialReading>();
  for (const reading of readings) {
    const { publication, validFrom } = reading;
    if (validFrom < days.from || validFrom > days.to) continue;
    const first = byName.get(publication);
    if (first === undefined) byName.set(publication, reading);
    else if (fingerprintOf(first) !== fingerprintOf(reading))
      throw new BrokenDocument(`${what}: two publications ${quoted(publication)} that differ`);
  }
  if (byName.size === 0) {
    const between = `between ${formatDay(days.from)} and ${formatDay(days.to)}`;
    return { outcome: "empty", reason: `nothing was published ${between}` };
  }
  const publications = [...byName.values()].sort(
    (a, b) => a.validFrom - b.validFrom || (a.publication < b.publication ? -1 : 1),
  );
  return { outcome: "publications", publications, ...(note !== undefined && { note }) };
}

/**
 * A publication under the authority's own name. Without `validTo` it is valid until the next one. No authority prints the
 * instant of publication. Throws BrokenDocument on an invalid name, and on rows that are empty or contradict each other.
 */
export function publicationOf(
  name: string,
  validFrom: Day,
  rows: readonly OfficialRow[],
  validTo: Day | null = null,
): OfficialReading {
  return { publication: publicationId(name), validFrom, validTo, publishedAt: null, rows: orderedRows(rows) };
}

/**
 * Countries that share a currency have a row each. A currency with different rates in its rows is left out, because it is unknown
 * which one is right; `left` names these currencies.
 */
export function withOneRate(all: readonly OfficialRow[]): {
  readonly rows: readonly OfficialRow[];
  readonly left: readonly string[];
} {
  const left = [...Map.groupBy(all, ({ quote }) => quote)].flatMap(([currency, rows]) =>
    new Set(rows.map(({ rate }) => canonicalRate(rate))).size === 1 ? [] : [currency],
  );
  return { rows: all.filter(({ quote }) => !left.includes(quote)), left };
}

const CODE = /^[A-Z]{3}$/;
const DIGITS = /^\d+(?:\.\d+)?$/;
const UNIT = /^10{0,6}$/;
/** The longest rate that an authority prints is 0.00014035; a longer one means a broken document. */
const MOST_CHARACTERS = 24;
const HOUR = 3_600_000;

/**
 * Readers of a table's documents; `what` names the document in every fault. `zone` is the table's time zone. A publication may be
 * dated up to `daysAhead` days after its retrieval. Before `hour` in that zone nothing of a day exists. All readers throw
 * BrokenDocument.
 */
export function tableReader(what: string, zone: string, { daysAhead = 0, hour = 0 } = {}) {
  const broken = (why: string) => new BrokenDocument(`${what}: ${why}`);
  return {
    what,
    broken,
    text: ({ bytes }: UpstreamDocument) => decodeText(bytes, what),
    xml: ({ bytes }: UpstreamDocument) => readElements(decodeText(bytes, what), what),
    json: ({ bytes }: UpstreamDocument) => readJsonObject(bytes, what),
    jsonList: ({ bytes }: UpstreamDocument) => readJsonObjects(bytes, what),
    element: (parent: XmlElement, name: string) => elementOf(parent, name, what),
    textOf: (parent: XmlElement, name: string) => textOf(parent, name, what),
    attribute: (element: XmlElement, name: string) => attributeOf(element, name, what),
    object: (parent: JsonObject, name: string) => objectAt(parent, name, what),
    objects: (parent: JsonObject, name: string) => objectsAt(parent, name, what),

    code(text: string): string {
      if (CODE.test(text)) return text;
      throw broken(`not a currency code: ${quoted(text)}`);
    },
    /** Plain digits above zero with an optional fraction, as printed. `of` names the rate. */
    rate(text: string, of: string): string {
      if (text.length <= MOST_CHARACTERS && DIGITS.test(text) && /[1-9]/.test(text)) return text;
      throw broken(`${of} is not a rate: ${quoted(text)}`);
    },
    /** 1, 10, 100 … 1,000,000: the units of a currency that a table's rate is for. */
    unit(text: string, of: string): number {
      if (UNIT.test(text)) return Number(text);
      throw broken(`${of} is counted by ${quoted(text)}, not by a power of ten`);
    },
    /** The printed day. It must not be later than the day of retrieval, in the table's zone and from its hour on, plus `daysAhead`. */
    day(
      document: Pick<UpstreamDocument, "retrievedAt">,
      printed: string | null,
      read: (text: string) => Day | null = parseDay,
    ): Day {
      const day = read(printed ?? "");
      if (day === null) throw broken(`not a date: ${quoted(printed ?? "")}`);
      const newest = dayInZone(zone, document.retrievedAt - hour * HOUR) + daysAhead;
      if (day <= newest) return day;
      throw broken(`${formatDay(day)} is in the future, later than ${formatDay(newest)}`);
    },
  };
}

export type TableReader = ReturnType<typeof tableReader>;

const DAY_MONTH_YEAR = /^(\d{2})([./-])(\d{2})\2(\d{4})$/;

/** `31/12/2026`, with any of the separators, as a calendar day; null for anything else. */
export function dayMonthYear(text: string, separators = "./-"): Day | null {
  const [, date, separator = "", month, year] = DAY_MONTH_YEAR.exec(text) ?? [];
  if (year === undefined || !separators.includes(separator)) return null;
  return dayOf(Number(year), Number(month), Number(date));
}

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** The day of `31`, `Dec` and `2026`; null where there is no such day. */
export function dayWithMonthName(date = "", month = "", year = ""): Day | null {
  return dayOf(Number(year), MONTHS.indexOf(month) + 1, Number(date));
}

/** `31-12-2026` for the separator `-`. */
export function printDayMonthYear(day: Day, separator: string): string {
  return formatDay(day).split("-").reverse().join(separator);
}

const SCIENTIFIC = /^(\d+)(?:\.(\d+))?[eE]([+-]?\d{1,2})$/;

/** The same number without an exponent, digit for digit: "4.10E-5" → "0.0000410"; other text is unchanged. */
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

// ── From a window to bounded requests ────────────────────────────────────────────────────────────

/**
 * The days of a window since `began`, the table's first day. A window for the newest publication is widened by `lookbackDays`,
 * which is longer than any pause of the authority. `daysAhead` is how far ahead of its validity a publication comes out.
 */
export function daysSince(began: string, lookbackDays: number, daysAhead = 0) {
  const firstDay = parseDay(began) as Day;
  return ({ reach, from, to }: Window): Span | null => {
    const earliest = reach === "latest" ? Math.min(from, to - lookbackDays) : from;
    const first = Math.max(earliest, firstDay);
    return first > to ? null : { from: first, to: to + daysAhead };
  };
}

/** Consecutive spans of at most `days` days, ascending. */
export function stretches({ from, to }: Span, days: number): readonly Span[] {
  const count = Math.ceil((to - from + 1) / days);
  return Array.from({ length: count }, (_, nth) => {
    const first = from + nth * days;
    return { from: first, to: Math.min(first + days - 1, to) };
  });
}

/** Monday to Friday, ascending. */
export function weekdaysOf({ from, to }: Span): readonly Day[] {
  const days = Array.from({ length: to - from + 1 }, (_, index) => from + index);
  return days.filter((day) => weekdayOf(day) % 6 !== 0);
}

export function yearsOf({ from, to }: Span): readonly number[] {
  const first = yearOf(from);
  return Array.from({ length: yearOf(to) - first + 1 }, (_, index) => first + index);
}

/** The first day of every month of the span, which must begin with a month. */
export function monthsOf({ from, to }: Span): readonly Day[] {
  const months: Day[] = [];
  for (let first = from; first <= to; first = periodEnd("1mo", first) + 1) months.push(first);
  return months;
}
