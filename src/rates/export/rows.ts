/** Counts the rows of an export without computing rates, and makes the rows of changes, one symbol after another. */

import type { CurrencyIndex } from "#domain/currency/currency.ts";
import type { Dataset } from "#domain/dataset/dataset.ts";
import { type Cross, derivationBound, figuresOf, isUnfilled } from "#domain/history/cross.ts";
import { type History, leastFreshRow } from "#domain/history/history.ts";
import { periodEnd, periodStart } from "#domain/history/periods.ts";
import {
  AS_PUBLISHED,
  type Crosses,
  DERIVED,
  emptyRateColumns,
  FILLED,
  type Fill,
  type RateColumns,
  type RatesPlan,
  setDigits,
  WITHDRAWN,
} from "#domain/history/rate-columns.ts";
import { changesSince } from "#domain/point-in-time/changes.ts";
import { datasetAsOf } from "#domain/point-in-time/dataset.ts";
import type { Reach } from "#domain/point-in-time/since.ts";
import type { Day } from "#domain/time/day.ts";

/** The dates of one symbol's rows, ascending: days with a value, or the first days of periods with one. */
function* datesOf(
  { history, first, last, until, fill, interval, aggregate }: Crosses,
  base: CurrencyIndex,
  symbol: CurrencyIndex,
): Generator<Day> {
  // A filled series that ends within a period has no value at the period's end.
  const needsEnd = interval !== "1d" && aggregate === "last" && fill === "previous";
  let before = Number.NaN;
  for (let day = first; day <= last; day++) {
    const rows = figuresOf(history, day, base, symbol);
    if (rows === null || (fill === "none" && !isUnfilled(history, day, { rows }))) continue;
    const start = periodStart(interval, day);
    if (start === before || (needsEnd && day !== Math.min(periodEnd(interval, day), until))) continue;
    yield start;
    before = start;
  }
}

export function hasRow(crosses: Crosses, base: CurrencyIndex, symbols: readonly CurrencyIndex[]): boolean {
  return symbols.some((symbol) => datesOf(crosses, base, symbol).next().done !== true);
}

/** Counts the rows of a plan. Yields after each symbol or block. */
export function* countRows({ base, symbols, layout, content }: RatesPlan): Generator<undefined, number> {
  let rows = 0;
  if ("blocks" in content) {
    for (const { count } of content.blocks()) {
      rows += count;
      yield undefined;
    }
    return rows;
  }
  const dates = new Set<Day>();
  for (const symbol of new Set(symbols)) {
    for (const date of datesOf(content, base, symbol)) {
      if (layout === "wide") dates.add(date);
      else rows += 1;
    }
    yield undefined;
  }
  return layout === "wide" ? dates.size : rows;
}

interface ChangesQuery {
  readonly dataset: Dataset;
  readonly base: CurrencyIndex;
  /** Ascending: long rows are ordered by symbol. */
  readonly symbols: readonly CurrencyIndex[];
  readonly first: Day;
  readonly last: Day;
  readonly today: Day;
  readonly fill: Fill;
  readonly order: "asc" | "desc";
  /** The content of the client's copy. */
  readonly reach: Reach;
}

/** Rows of one symbol that are made before others get their turn. */
const CHANGES_A_BLOCK = 1_000;

/** Rows that the copy lacks, in blocks of one symbol each. */
export function* changeBlocks(query: ChangesQuery): Generator<RateColumns> {
  const { dataset, base, symbols, first, last, today, fill, order, reach } = query;
  const changes = changesSince(dataset, datasetAsOf(dataset, reach.instant, "retrieved"), reach, today);
  const days = [...changes.days(first, last, fill)];
  if (order === "desc") days.reverse();
  for (const symbol of symbols) {
    for (let from = 0; from < days.length; from += CHANGES_A_BLOCK) {
      const part = days.slice(from, from + CHANGES_A_BLOCK);
      const block = emptyRateColumns(part.length);
      for (const day of part) {
        const change = changes.at(base, symbol, day, fill);
        if (change === null) continue;
        if (change.cross === null) appendWithdrawn(block, symbol, day);
        else appendValue(block, dataset.history, symbol, day, change.cross);
        block.revision[block.count - 1] = change.revision;
        block.updatedAt[block.count - 1] = change.updatedAt;
      }
      if (block.count > 0) yield block;
    }
  }
}

function appendValue(
  into: RateColumns,
  history: History,
  symbol: CurrencyIndex,
  day: Day,
  cross: Cross,
): void {
  const at = into.count++;
  const isPublished = cross.legs.length === 1 && cross.legs[0]?.multiplies === true;
  const isFilled = !isUnfilled(history, day, cross);
  setDigits(into, at, cross.text);
  into.symbol[at] = symbol;
  into.date[at] = day;
  into.source[at] = history.observations.source[leastFreshRow(history, cross.rows)] as number;
  into.bound[at] = derivationBound(history, cross) ?? Number.NaN;
  into.flags[at] = (cross.derived ? DERIVED : 0) | (isFilled ? FILLED : 0) | (isPublished ? AS_PUBLISHED : 0);
}

function appendWithdrawn(into: RateColumns, symbol: CurrencyIndex, day: Day): void {
  const at = into.count++;
  into.symbol[at] = symbol;
  into.date[at] = day;
  into.rate[at] = Number.NaN;
  into.bound[at] = Number.NaN;
  into.flags[at] = WITHDRAWN;
}
