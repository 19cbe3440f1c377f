/** What each route of a source last stated about a series, stored where it differs from the current value; evidence about held figures. */

import { type CurrencyCode, currencyIndex } from "#domain/currency/currency.ts";
import { DAILY_SOURCES, type DailySource, PIVOT } from "#domain/currency/source.ts";
import type { History, Row } from "#domain/history/history.ts";
import type { HeldFigure } from "#domain/intake/reading.ts";
import { unitsText } from "#domain/number/decimal.ts";
import { COVERAGE_START, type Day, type Instant, weekdayOf } from "#domain/time/day.ts";
import { canonicalPrinted } from "./printed.ts";

/**
 * One row of the memory. `current`: on every day from `first` to `last` the route stated the current value, or no value where there
 * is no current one. `value` and `nothing`: the route stated something else on one day; these rows take precedence.
 */
export interface Statement {
  readonly source: DailySource;
  readonly route: string;
  readonly base: CurrencyCode;
  readonly quote: CurrencyCode;
  readonly first: Day;
  readonly last: Day;
  readonly says: "current" | "value" | "nothing";
  /** The digits as the route printed them; null unless `says` is `value`. */
  readonly printed: string | null;
  /**
   * Retrieval of the first document that contradicted the current value. Null for `current`, and for statements about an earlier
   * value, which are neither evidence nor contradictions.
   */
  readonly since: Instant | null;
}

/**
 * A complete retrieval of a route: of the figures dated `from` or later, only those in its documents existed at the instant `at`.
 * `at` advances only after another publication became due.
 */
export interface Retrieval {
  readonly source: DailySource;
  readonly route: string;
  readonly from: Day;
  readonly at: Instant;
  /** Newest day, and for a single document its Last-Modified, of the route's documents so far: an older document is an old copy. */
  readonly newest: Day | null;
  readonly modifiedAt: Instant | null;
}

export interface Stated {
  readonly value: string | null;
  readonly printed: string | null;
  /** See Statement; absent for a statement that equals the current value. */
  readonly since?: Instant | null;
}

export const NOTHING_STATED: Stated = { value: null, printed: null };

/** A route's name up to its slash. Routes of one kind copy one publication and share its errors: they do not confirm each other. */
export function kindOfRoute(route: string): string {
  return route.split("/", 1)[0] as string;
}

/** Sorts as the lake's table does: the store recognizes an unchanged list. */
export function byRouteAndSeries(a: Statement, b: Statement): number {
  return (
    byText(a.source, b.source) ||
    byText(a.route, b.route) ||
    byText(a.base, b.base) ||
    byText(a.quote, b.quote) ||
    a.first - b.first ||
    byText(a.says, b.says)
  );
}

/** The order of code units, as the lake sorts. */
export function byText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

interface Span {
  readonly first: Day;
  readonly last: Day;
}

type SeriesKey = Pick<Statement, "source" | "base" | "quote">;

/** The statements of one series while it is judged: made from stored rows, changed by the judgement, then read as rows again. */
export class RouteMemory {
  readonly #spans = new Map<string, Span>();
  readonly #days = new Map<Day, Map<string, Stated>>();

  constructor(rows: readonly Statement[]) {
    for (const { route, first, last, says, printed, since } of rows) {
      if (says === "current") this.#spans.set(route, { first, last });
      else
        this.note(first, route, {
          value: printed === null ? null : canonicalPrinted(printed),
          printed,
          since,
        });
    }
  }

  isEmpty(): boolean {
    return this.#spans.size === 0 && this.#days.size === 0;
  }

  /** True when some route's statement on the day differs from the current value. */
  hasDay(day: Day): boolean {
    return this.#days.has(day);
  }

  /** What the route last stated for the day, given its current value; undefined when no statement is known. */
  before(route: string, day: Day, current: Stated): Stated | undefined {
    const noted = this.#days.get(day)?.get(route);
    if (noted !== undefined) return noted;
    const span = this.#spans.get(route);
    return span !== undefined && span.first <= day && day <= span.last ? current : undefined;
  }

  /** Newest day for which the route stated the current value, or null. */
  lastOf(route: string): Day | null {
    return this.#spans.get(route)?.last ?? null;
  }

  /** The days of a span for which a value of a route of the same kind is noted, ascending. */
  daysStated(route: string, first: Day, last: Day): Day[] {
    const isNoted = ([noted, { value }]: readonly [string, Stated]) =>
      value !== null && kindOfRoute(noted) === kindOfRoute(route);
    const days = [...this.#days].filter(
      ([day, routes]) => first <= day && day <= last && [...routes].some(isNoted),
    );
    return days.map(([day]) => day).sort((a, b) => a - b);
  }

  /** Routes that stated `value` (null: no figure) for the day since the current value last changed. */
  routesStating(day: Day, value: string | null): string[] {
    const noted = [...(this.#days.get(day) ?? [])];
    return noted
      .filter(([, stated]) => stated.value === value && stated.since != null)
      .map(([route]) => route);
  }

  /** For a day without a current value: routes that covered days before and after it and have no value of it. */
  routesWithout(day: Day): string[] {
    const isWithout = ([route, { first, last }]: readonly [string, Span]) =>
      first < day && day < last && (this.#days.get(day)?.get(route)?.value ?? null) === null;
    return [...this.#spans].filter(isWithout).map(([route]) => route);
  }

  /** Updates the memory of a day after its judgement: its value before and now, and what routes stated in this collection. */
  update(day: Day, before: Stated, current: Stated, stated: ReadonlyMap<string, Stated>): void {
    // A first value does not outdate earlier statements about the day: they contradict it.
    const hasChanged = before.value !== null && before.value !== current.value;
    const routes = new Set([...this.#spans.keys(), ...(this.#days.get(day)?.keys() ?? []), ...stated.keys()]);
    for (const route of routes) {
      const earlier = this.before(route, day, before);
      const latest = stated.get(route) ?? earlier;
      if (latest === undefined) continue;
      if (latest.value === current.value) this.#days.get(day)?.delete(route);
      else if (latest === earlier) this.note(day, route, hasChanged ? { ...latest, since: null } : latest);
      else if (hasChanged || earlier?.value !== latest.value || earlier.since == null)
        this.note(day, route, latest);
    }
    const agreeing = [...stated].filter(([, { value }]) => value === current.value);
    const kinds = new Set(agreeing.map(([route]) => kindOfRoute(route)));
    // A route of the same kind states the current value now: the older statements of its kind are settled.
    for (const route of [...(this.#days.get(day)?.keys() ?? [])])
      if (!stated.has(route) && kinds.has(kindOfRoute(route))) this.#days.get(day)?.delete(route);
    if (this.#days.get(day)?.size === 0) this.#days.delete(day);
  }

  note(day: Day, route: string, stated: Stated): void {
    const routes = this.#days.get(day);
    if (routes === undefined) this.#days.set(day, new Map([[route, stated]]));
    else routes.set(route, stated);
  }

  /**
   * Notes that a document covered every day of the span. Spans that overlap, or have only a weekend between them, are merged. Of two
   * separate spans the later one stays.
   */
  addSpan(route: string, { first, last }: Span): void {
    const span = this.#spans.get(route);
    if (span === undefined) {
      this.#spans.set(route, { first, last });
    } else if (meets(span, { first, last })) {
      this.#spans.set(route, { first: Math.min(span.first, first), last: Math.max(span.last, last) });
    } else if (last > span.last) {
      this.#spans.set(route, { first, last });
    }
  }

  rows({ source, base, quote }: SeriesKey): Statement[] {
    const rows: Statement[] = [];
    const key = { source, base, quote };
    for (const [route, { first, last }] of this.#spans)
      rows.push({ ...key, route, first, last, says: "current", printed: null, since: null });
    for (const [day, routes] of this.#days) {
      if (!(day >= COVERAGE_START)) continue;
      for (const [route, { printed, since = null }] of routes) {
        const says = printed === null ? "nothing" : "value";
        rows.push({ ...key, route, first: day, last: day, says, printed, since });
      }
    }
    return rows;
  }
}

function meets(a: Span, b: Span): boolean {
  const [earlier, later] = a.first <= b.first ? [a, b] : [b, a];
  for (let day = earlier.last + 1; day < later.first; day++) {
    const weekday = weekdayOf(day);
    if (weekday !== 0 && weekday !== 6) return false;
  }
  return true;
}

export interface HeldEvidence {
  readonly held: HeldFigure;
  readonly currency: CurrencyCode;
  /** The newest believed value of the same figure up to its date, as printed; null without a value within 60 days. */
  readonly believed: { readonly date: Day; readonly printed: string; readonly retrievedAt: Instant } | null;
  /** What each route of the source states for this day; `current` is the accepted figure. */
  readonly statements: readonly Statement[];
}

const LONGEST_LOOK = 60;

/** `history` is null before the first collection. */
export function evidenceOf(
  figure: HeldFigure,
  history: History | null,
  statements: readonly Statement[],
): HeldEvidence {
  const { source, date, base, quote } = figure;
  const currency = currencyOf(figure);
  const believed = history === null ? null : believedBefore(figure, currency, history);
  const ofDay = statements.filter(
    (said) =>
      said.source === source &&
      said.base === base &&
      said.quote === quote &&
      said.first <= date &&
      date <= said.last,
  );
  const apart = new Set(ofDay.flatMap(({ says, route }) => (says === "current" ? [] : [route])));
  return {
    held: figure,
    currency,
    believed,
    statements: ofDay
      .filter(({ says, route }) => says !== "current" || !apart.has(route))
      // A route that states the current value states no figure where there is no current value.
      .map((said) =>
        said.says === "current" && believed?.date !== date ? { ...said, says: "nothing" } : said,
      ),
  };
}

/** The side of the pair that is not the source's pivot. */
export function currencyOf({ source, base, quote }: SeriesKey): CurrencyCode {
  return base === PIVOT[source] ? quote : base;
}

function believedBefore(
  { source, date }: HeldFigure,
  currency: CurrencyCode,
  history: History,
): HeldEvidence["believed"] {
  const sourceIndex = DAILY_SOURCES.indexOf(source);
  for (let day = date; day > date - LONGEST_LOOK; day--) {
    const row = history.row(sourceIndex, day, currencyIndex(currency));
    if (row < 0) continue;
    const retrievedAt = history.observations.retrievedAt[row] as Instant;
    return { date: day, printed: printedAt(history, row), retrievedAt };
  }
  return null;
}

export function printedAt({ observations: { units, scale } }: History, row: Row): string {
  return unitsText(units[row] as number, scale[row] as number);
}
