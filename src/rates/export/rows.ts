/** The rows of an export, one symbol after another: days, weeks or months, or the changes since an earlier version. */

import type { CurrencyIndex } from "#domain/currency/currency.ts";
import type { Dataset } from "#domain/dataset/dataset.ts";
import { crossRate, isUnfilled } from "#domain/history/cross.ts";
import { appendCross, appendCrosses } from "#domain/history/cross-columns.ts";
import { type Aggregate, type DailyInterval, periodEnd, periodStart } from "#domain/history/periods.ts";
import {
  AS_PUBLISHED,
  copyRow,
  emptyRateColumns,
  type Fill,
  type Order,
  type RateColumns,
  reverseRows,
  roundColumns,
  setMean,
  WITHDRAWN,
} from "#domain/history/rate-columns.ts";
import { changesSince } from "#domain/point-in-time/changes.ts";
import { datasetAsOf } from "#domain/point-in-time/dataset.ts";
import type { Reach } from "#domain/point-in-time/since.ts";
import type { Day } from "#domain/time/day.ts";

export interface RowsQuery {
  readonly dataset: Dataset;
  readonly base: CurrencyIndex;
  /** Ascending: long rows are ordered by symbol. */
  readonly symbols: readonly CurrencyIndex[];
  readonly first: Day;
  /** Not after the last day with a value in force. */
  readonly last: Day;
  /** Where the last period ends, which may be later. */
  readonly until: Day;
  readonly fill: Fill;
  readonly interval: DailyInterval;
  readonly aggregate: Aggregate;
  readonly order: Order;
  readonly dp: number | null;
  readonly today: Day;
  /** Of changes: what the copy has. */
  readonly reach: Reach | null;
}

/** One block a symbol; those without a row are left out. A block's columns are written again for the next one. */
export function* exportBlocks(query: RowsQuery): Generator<RateColumns> {
  const { dp } = query;
  for (const block of query.reach === null ? rowsInForce(query) : changed(query, query.reach)) {
    if (block.count === 0) continue;
    if (dp !== null) roundColumns(block, dp);
    yield block;
  }
}

/** True when a window has any row: looked for from its end, where there nearly always is one. */
export function hasRow({ dataset, base, symbols, first, last, fill }: RowsQuery): boolean {
  const { history } = dataset;
  for (let day = last; day >= first; day--) {
    for (const symbol of symbols) {
      const cross = crossRate(history, day, base, symbol);
      if (cross !== null && (fill === "previous" || isUnfilled(history, day, cross))) return true;
    }
  }
  return false;
}

function* rowsInForce(query: RowsQuery): Generator<RateColumns> {
  const { dataset, base, symbols, first, last, fill, interval, order } = query;
  const capacity = Math.max(0, last - first + 1);
  const days = emptyRateColumns(capacity);
  const periods = emptyRateColumns(interval === "1d" ? 0 : capacity);
  for (const symbol of symbols) {
    days.count = 0;
    if (capacity > 0) appendCrosses(days, dataset.history, base, symbol, [first, last], fill);
    if (interval !== "1d") toPeriods(days, query, periods);
    const rows = interval === "1d" ? days : periods;
    if (order === "desc") reverseRows(rows);
    yield rows;
  }
}

/** One row a period that has a value, dated with the period's first day. */
function toPeriods(
  days: RateColumns,
  { interval, aggregate, fill, until }: RowsQuery,
  periods: RateColumns,
): void {
  periods.count = 0;
  for (let from = 0, to = 0; from < days.count; from = to) {
    const start = periodStart(interval, days.date[from] as Day);
    const end = Math.min(periodEnd(interval, start), until);
    while (to < days.count && (days.date[to] as Day) <= end) to++;
    // A filled series that ended before the period did has no value at its end.
    if (aggregate === "last" && fill === "previous" && days.date[to - 1] !== end) continue;
    if (aggregate === "last") periods.date[copyRow(days, to - 1, periods)] = start;
    else appendMean(periods, start, days, from, to);
  }
}

function appendMean(into: RateColumns, start: Day, days: RateColumns, from: number, to: number): void {
  let least = from;
  let flags = 0;
  for (let row = from; row < to; row++) {
    flags |= days.flags[row] as number;
    if ((days.observedAt[row] as number) < (days.observedAt[least] as number)) least = row;
  }
  const at = copyRow(days, least, into);
  into.date[at] = start;
  into.flags[at] = flags & ~AS_PUBLISHED;
  into.bound[at] = Number.NaN;
  setMean(into, at, days, from, to);
}

/** Rows of one symbol that are made before others get their turn. */
const CHANGES_A_BLOCK = 1_000;

function* changed(query: RowsQuery, reach: Reach): Generator<RateColumns> {
  const { dataset, base, symbols, first, last, today, fill, order } = query;
  const changes = changesSince(dataset, datasetAsOf(dataset, reach.instant, "retrieved"), reach.day, today);
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
        else appendCross(block, dataset.history, day, symbol, change.cross, "previous");
        block.revision[block.count - 1] = change.revision;
        block.updatedAt[block.count - 1] = change.updatedAt;
      }
      yield block;
    }
  }
}

function appendWithdrawn(into: RateColumns, symbol: CurrencyIndex, day: Day): void {
  const at = into.count++;
  into.symbol[at] = symbol;
  into.date[at] = day;
  into.rate[at] = Number.NaN;
  into.bound[at] = Number.NaN;
  into.flags[at] = WITHDRAWN;
}
