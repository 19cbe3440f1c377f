/** The rows of a page of weeks, months, quarters or years: the last value or the exact mean of each, from the daily series. */

import type { CurrencyIndex } from "#domain/currency/currency.ts";
import type { Dataset } from "#domain/dataset/dataset.ts";
import type { History, Row } from "#domain/history/history.ts";
import {
  type Aggregate,
  meanOfDigits,
  type PeriodInterval,
  type PrintedDigits,
  periodEnd,
  periodStart,
} from "#domain/history/periods.ts";
import { blockOf, daysOfBlock, hasValue, type Series, textAt } from "#domain/history/series.ts";
import type { Day } from "#domain/time/day.ts";
import { columnsAt, figuresIn, type PageWindow, type SeriesCaches, type SeriesQuery } from "./days.ts";
import {
  createOrigins,
  type ListedPage,
  type ListedRow,
  leastFreshOf,
  originOfRow,
  originOn,
  type ValueOrigin,
} from "./rows.ts";

export interface PeriodQuery extends SeriesQuery {
  readonly interval: PeriodInterval;
  readonly aggregate: Aggregate;
}

/**
 * The first `limit` periods of the window with a value, in its order. Only days inside the window count. A row has the date of its
 * period's first calendar day, even if that is before the window. `window.last` is not after today.
 */
export function* collectPeriods(
  caches: Pick<SeriesCaches, "series">,
  dataset: Dataset,
  query: PeriodQuery,
  window: PageWindow,
): Generator<undefined, ListedPage> {
  const { interval, symbols } = query;
  const { first, last, limit, order } = window;
  const descending = order === "desc";
  const rows: ListedRow[] = [];
  const used: (readonly PeriodCell[])[] = [];
  const origins = createOrigins(symbols);
  const page = () => ({ rows, origin: origins.origin(), figures: figuresOfCells(dataset, used) });
  const start = window.from ?? (descending ? last : first);
  const made = new Set<number>();
  for (let period = periodStart(interval, start); first <= last; ) {
    const ends = periodEnd(interval, period);
    if (period > last || ends < first) break;
    const days = [Math.max(period, first), Math.min(ends, last)] as const;
    for (const day of daysOfEachBlock(dataset.history, days[0], Math.min(days[1], window.end))) {
      const block = blockOf(dataset.history, day);
      if (!made.has(block)) yield* columnsAt(caches.series, dataset, query, window.end, day);
      made.add(block);
    }
    const cells = periodCells(caches, dataset, query, days, window.end);
    if (cells.length > 0) {
      if (rows.length === limit) return { ...page(), next: period };
      const values = cells.map(leastFresh);
      for (const [at, value] of values.entries()) origins.add((cells[at] as PeriodCell).index, value);
      rows.push({ date: period, ...originOfRow(values), rates: cells, changes: null });
      used.push(cells);
      if (rows.length % STEP_ROWS === 0) yield undefined;
    }
    period = descending ? periodStart(interval, period - 1) : ends + 1;
  }
  return { ...page(), next: null };
}

/** Every observation that the values of the rows rest on. */
function* figuresOfCells(dataset: Dataset, rows: readonly (readonly PeriodCell[])[]): Generator<Row> {
  for (const cells of rows) {
    for (const { blocks, from, to } of cells)
      for (let day = from; day <= to; day++) yield* figuresIn(dataset, seriesOn(blocks, day), day);
  }
}

/** The first day in each block of series that a window touches. */
function daysOfEachBlock(history: History, first: Day, last: Day): readonly Day[] {
  const days: Day[] = [];
  for (let day = first; day <= last; day = daysOfBlock(history, blockOf(history, day), last)[1] + 1)
    days.push(day);
  return days;
}

function seriesOn(blocks: readonly Series[], day: Day): Series {
  return blocks.findLast(({ firstDay }) => firstDay <= day) as Series;
}

/** Rows of a step: a few milliseconds with all currencies. */
const STEP_ROWS = 4;

/** The value of one symbol in a period: the mean of the days `from` to `to`, or the value of one day. A year may touch three blocks. */
interface PeriodCell {
  /** Position in the query's symbols. */
  readonly index: number;
  readonly symbol: CurrencyIndex;
  readonly blocks: readonly Series[];
  readonly from: Day;
  /** The last day with a value. */
  readonly to: Day;
  readonly text: string;
}

function periodCells(
  caches: Pick<SeriesCaches, "series">,
  { history }: Dataset,
  { base, symbols, fill, aggregate }: PeriodQuery,
  [from, until]: readonly [Day, Day],
  end: Day,
): PeriodCell[] {
  const cells: PeriodCell[] = [];
  const to = Math.min(until, end);
  if (to < from) return cells;
  const touched = daysOfEachBlock(history, from, to);
  // The last value of a filled series is that of the period's last day: a series that ended before has no value.
  const least = aggregate === "last" && fill === "previous" ? until : from;
  for (const [index, symbol] of symbols.entries()) {
    const blocks = touched.map((day) => caches.series.take(history, [base, symbol], fill, end, day));
    const day = lastWithValue(blocks, least, to);
    if (day === null) continue;
    const text = aggregate === "last" ? textOn(blocks, day) : meanOf(blocks, from, day);
    cells.push({ index, symbol, blocks, from: aggregate === "last" ? day : from, to: day, text });
  }
  return cells;
}

function lastWithValue(blocks: readonly Series[], first: Day, last: Day): Day | null {
  for (let day = last; day >= first; day--) {
    const series = seriesOn(blocks, day);
    if (hasValue(series, day - series.firstDay)) return day;
  }
  return null;
}

/** The origin of the least fresh day of a cell, with the flags of all. */
function leastFresh({ blocks, from, to }: PeriodCell): ValueOrigin {
  const days = Array.from({ length: to - from + 1 }, (_, later) => from + later);
  return leastFreshOf(days.flatMap((day) => originOn(seriesOn(blocks, day), day) ?? [])) as ValueOrigin;
}

function textOn(blocks: readonly Series[], day: Day): string {
  const series = seriesOn(blocks, day);
  return textAt(series, day - series.firstDay);
}

function meanOf(blocks: readonly Series[], from: Day, to: Day): string {
  const values: PrintedDigits[] = [];
  for (let day = from; day <= to; day++) {
    const { firstDay, digits, ends } = seriesOn(blocks, day);
    const at = day - firstDay;
    const value = { bytes: digits, from: ends[at] as number, to: ends[at + 1] as number };
    if (value.to > value.from) values.push(value);
  }
  return meanOfDigits(values);
}
