/** The rows of a page that changed since an earlier version, for incremental sync: new, revised and withdrawn values. */

import type { CurrencyIndex } from "#domain/currency/currency.ts";
import type { View } from "#domain/dataset/dataset.ts";
import { type Cross, isUnfilled } from "#domain/history/cross.ts";
import { currencyRow, type History, leastFreshRow, ownRow } from "#domain/history/history.ts";
import { DERIVED, FILLED } from "#domain/history/rate-columns.ts";
import { type Changes, changesSince } from "#domain/point-in-time/changes.ts";
import { datasetAsOf, type Window } from "#domain/point-in-time/dataset.ts";
import type { Reach } from "#domain/point-in-time/since.ts";
import { type Day, dayAt, type Instant } from "#domain/time/day.ts";
import type { PageWindow, SeriesQuery } from "./days.ts";
import { createOrigins, type ListedPage, type ListedRow, originOfRow, type ValueOrigin } from "./rows.ts";

/**
 * The first `limit` rows of the window, in its order, with a change since `reach`. `window.last` may be after today, see lastDayOf.
 * `span` is the part of history to rebuild as of that instant; null for all of it.
 */
export function* collectChanges(
  { dataset, now }: View,
  query: SeriesQuery,
  window: PageWindow,
  reach: Reach,
  span: Window | null,
): Generator<undefined, ListedPage> {
  const then = datasetAsOf(dataset, reach.instant, "retrieved", span);
  const changes = changesSince(dataset, then, reach, dayAt(now));
  const rows: ListedRow[] = [];
  const origins = createOrigins(query.symbols);
  for (const day of daysOf(changes, query, window)) {
    const made = rowOn(dataset.history, changes, query, day);
    if (made === null) continue;
    if (rows.length === window.limit) return { rows, origin: origins.origin(), figures: [], next: day };
    rows.push(made.row);
    for (const [index, value] of made.values) origins.add(index, value);
    if (rows.length % STEP_ROWS === 0) yield undefined;
  }
  return { rows, origin: origins.origin(), figures: [], next: null };
}

/** Rows of a step: a few milliseconds with all currencies. */
const STEP_ROWS = 24;

function daysOf(changes: Changes, { fill }: SeriesQuery, { first, last, order, from }: PageWindow) {
  if (order === "asc") return changes.days(from ?? first, last, fill);
  return [...changes.days(first, from ?? last, fill)].reverse();
}

/** The row of a day with the origins of its values by their position in the query's symbols; null where nothing has changed. */
function rowOn(history: History, changes: Changes, { base, symbols, fill }: SeriesQuery, day: Day) {
  const values: (readonly [number, ValueOrigin])[] = [];
  const rates: { symbol: CurrencyIndex; text: string }[] = [];
  const updated: { symbol: CurrencyIndex; at: Instant; revision: number }[] = [];
  const withdrawn: CurrencyIndex[] = [];
  for (const [index, symbol] of symbols.entries()) {
    const change = changes.at(base, symbol, day, fill);
    if (change === null) continue;
    if (change.cross === null) {
      withdrawn.push(symbol);
      continue;
    }
    values.push([index, originOf(history, day, [base, symbol], change.cross)]);
    rates.push({ symbol, text: change.cross.text });
    updated.push({ symbol, at: change.updatedAt, revision: change.revision });
  }
  if (rates.length + withdrawn.length === 0) return null;
  const origin = originOfRow(values.map(([, value]) => value));
  return { row: { date: day, ...origin, rates, changes: { updated, withdrawn } }, values };
}

function originOf(
  history: History,
  day: Day,
  [base, symbol]: readonly [CurrencyIndex, CurrencyIndex],
  cross: Cross,
): ValueOrigin {
  const { source, observedAt } = history.observations;
  const least = leastFreshRow(history, cross.rows);
  return {
    observedAt: observedAt[least] as Instant,
    source: source[least] as number,
    ownSource: source[currencyRow(history, symbol, cross.rows)] as number,
    baseSource: source[ownRow(history, base, cross.rows)] ?? -1,
    flags: (cross.derived ? DERIVED : 0) | (isUnfilled(history, day, cross) ? 0 : FILLED),
  };
}
