/** The memory of one series while it is judged: what its routes said before, and how that changes by what they say now. */

import { COVERAGE_START, type Day, weekdayOf } from "#domain/time/day.ts";
import { canonicalPrinted } from "./canonical.ts";
import type { Stated, Statement } from "./statements.ts";

interface Span {
  readonly first: Day;
  readonly last: Day;
}

type SeriesKey = Pick<Statement, "source" | "base" | "quote">;

/** Mutable: one series' rows come in, the walk over the series notes changes, and the rows are taken out again. */
export class RouteMemory {
  readonly #spans = new Map<string, Span>();
  readonly #days = new Map<Day, Map<string, Stated>>();

  constructor(rows: readonly Statement[]) {
    for (const { route, first, last, says, printed } of rows) {
      if (says === "what_stands") this.#spans.set(route, { first, last });
      else this.note(first, route, { value: printed === null ? null : canonicalPrinted(printed), printed });
    }
  }

  /** True when no route is known to have said anything. */
  isEmpty(): boolean {
    return this.#spans.size === 0 && this.#days.size === 0;
  }

  /** True when some route's word on the day differs from what stands. */
  hasDay(day: Day): boolean {
    return this.#days.has(day);
  }

  /** What the route last said of the day; undefined when it is not known to have said anything. */
  before(route: string, day: Day, stands: Stated): Stated | undefined {
    const own = this.#days.get(day)?.get(route);
    if (own !== undefined) return own;
    const span = this.#spans.get(route);
    return span !== undefined && span.first <= day && day <= span.last ? stands : undefined;
  }

  /** Routes that said the current value of the day. */
  routesOfCurrent(day: Day, stands: Stated): string[] {
    return [...this.#spans.keys()].filter((route) => this.before(route, day, stands)?.value === stands.value);
  }

  /** Days strictly between two on which the route's noted word is a value. */
  daysStated(route: string, first: Day, last: Day): Day[] {
    const days: Day[] = [];
    for (const [day, routes] of this.#days) {
      if (first < day && day < last && typeof routes.get(route)?.value === "string") days.push(day);
    }
    return days;
  }

  /** Routes that are noted with the value for the day. */
  routesStating(day: Day, value: string): string[] {
    const noted = [...(this.#days.get(day) ?? [])];
    return noted.filter(([, stated]) => stated.value === value).map(([route]) => route);
  }

  /** Notes a word that differs from what stands. */
  note(day: Day, route: string, stated: Stated): void {
    const routes = this.#days.get(day);
    if (routes === undefined) this.#days.set(day, new Map([[route, stated]]));
    else routes.set(route, stated);
  }

  /** Brings the day up to date: what stood, what stands now, and what routes said of it in this collection. */
  settle(day: Day, stood: Stated, stands: Stated, said: ReadonlyMap<string, Stated>): void {
    const noted = this.#days.get(day);
    const routes = new Set([...this.#spans.keys(), ...(noted?.keys() ?? []), ...said.keys()]);
    for (const route of routes) {
      const stated = said.get(route) ?? this.before(route, day, stood);
      if (stated === undefined) continue;
      if (stated.value !== stands.value) this.note(day, route, stated);
      else this.#days.get(day)?.delete(route);
    }
    if (this.#days.get(day)?.size === 0) this.#days.delete(day);
  }

  /**
   * Notes that a document of the route spoke of every day of the span. Spans that overlap, or have only a weekend between them, are
   * one; of others the later one is kept: of the days between nothing is known.
   */
  read(route: string, { first, last }: Span): void {
    const known = this.#spans.get(route);
    if (known === undefined) {
      this.#spans.set(route, { first, last });
    } else if (meets(known, { first, last })) {
      this.#spans.set(route, { first: Math.min(known.first, first), last: Math.max(known.last, last) });
    } else if (last > known.last) {
      this.#spans.set(route, { first, last });
    }
  }

  rows({ source, base, quote }: SeriesKey): Statement[] {
    const rows: Statement[] = [];
    const key = { source, base, quote };
    for (const [route, { first, last }] of this.#spans)
      rows.push({ ...key, route, first, last, says: "what_stands", printed: null });
    for (const [day, routes] of this.#days) {
      if (!(day >= COVERAGE_START)) continue;
      for (const [route, { printed }] of routes) {
        const says = printed === null ? "nothing" : "value";
        rows.push({ ...key, route, first: day, last: day, says, printed });
      }
    }
    return rows;
  }
}

/** Whether no weekday lies between two spans. */
function meets(a: Span, b: Span): boolean {
  const [earlier, later] = a.first <= b.first ? [a, b] : [b, a];
  for (let day = earlier.last + 1; day < later.first; day++) {
    const weekday = weekdayOf(day);
    if (weekday !== 0 && weekday !== 6) return false;
  }
  return true;
}
