/** What each route of a source last said of a series, kept where it differs from what stands: whether a route changed its word. */

import type { CurrencyCode } from "#domain/currency/currency.ts";
import type { DailySource } from "#domain/currency/source.ts";
import type { Day, Instant } from "#domain/time/day.ts";

/**
 * One row of the memory. `what_stands`: of every day from `first` to `last` the route said what stands now, and nothing where nothing
 * stands. `value` and `nothing` are of one day (`first` = `last`), go before it, and hold where the route said something else.
 */
export interface Statement {
  readonly source: DailySource;
  /** Name of the route, as the adapter gives it. */
  readonly route: string;
  readonly base: CurrencyCode;
  readonly quote: CurrencyCode;
  readonly first: Day;
  readonly last: Day;
  readonly says: "what_stands" | "value" | "nothing";
  /** The digits as the route printed them; null unless `says` is `value`. */
  readonly printed: string | null;
}

/**
 * That a route's documents were read to the end: it could have shown figures dated `from` or later, and what it did not show by
 * `at` was not there. `at` moves on only when a publication has become due since; otherwise it would add nothing.
 */
export interface Look {
  readonly source: DailySource;
  readonly route: string;
  readonly from: Day;
  readonly at: Instant;
}

/** A route's word on one figure: the value in its one spelling (see canonical.ts) beside the digits, or null for none. */
export interface Stated {
  readonly value: string | null;
  readonly printed: string | null;
}

export const NOTHING_STATED: Stated = { value: null, printed: null };

/**
 * What a route's name has before its slash, or the whole name: routes of one kind are made of one publication, such as the ECB's
 * files, and an error of it is in all of them. They do not confirm each other.
 */
export function kindOfRoute(route: string): string {
  return route.split("/", 1)[0] as string;
}

/** In the order of the lake's table, so that an unchanged list is recognized. */
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

function byText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
