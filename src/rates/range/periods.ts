/** The rows of a page of weeks or months: the last value or the exact mean of each period, from the daily series. */

import type { CurrencyIndex } from "#domain/currency/currency.ts";
import type { Dataset } from "#domain/dataset/dataset.ts";
import type { Row } from "#domain/history/history.ts";
import type { Aggregate, DailyInterval } from "#domain/history/periods.ts";
import { meanOfDigits, periodEnd, periodStart } from "#domain/history/periods.ts";
import { blockOf, hasValue, type Series, textAt } from "#domain/history/series.ts";
import type { ListedRow } from "#domain/rates/series.ts";
import type { Day } from "#domain/time/day.ts";
import { columnsAt, type PageWindow, type SeriesCaches, type SeriesQuery } from "./blocks.ts";
import { figuresOf } from "./days.ts";
import { createOrigins, type ListedPage, originOfRow, type ValueOrigin } from "./rows.ts";

export interface PeriodQuery extends SeriesQuery {
  readonly interval: DailyInterval;
  readonly aggregate: Aggregate;
}

/**
 * The first `limit` periods of the window with a value, in its order. Only days inside the window count; a row is
 * dated with the first calendar day of its period, be it before the window. `window.last` is not after today.
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
  const figures: (() => Iterable<Row>)[] = [];
  const origins = createOrigins(symbols);
  const start = window.from ?? (descending ? last : first);
  let block = Number.NaN;
  for (let period = periodStart(interval, start); first <= last; ) {
    const ends = periodEnd(interval, period);
    if (period > last || ends < first) break;
    const days = [Math.max(period, first), Math.min(ends, last)] as const;
    const touched = blockOf(dataset.history, days[1]);
    if (touched !== block) {
      yield* columnsAt(caches.series, dataset, query, window.end, Math.min(days[1], window.end));
      block = touched;
    }
    const cells = periodCells(caches, dataset, query, days, window.end);
    if (cells.length > 0) {
      if (rows.length === limit) return { rows, origin: origins.origin(), figures, next: period };
      for (const { index, days: used, value } of cells) {
        origins.add(index, value);
        figures.push(() => used.flatMap(({ day, series }) => figuresOf(dataset, series, day)));
      }
      rows.push(rowOf(period, cells, query));
      if (rows.length % STEP_ROWS === 0) yield undefined;
    }
    period = descending ? periodStart(interval, period - 1) : ends + 1;
  }
  return { rows, origin: origins.origin(), figures, next: null };
}

/** Rows of a step: a few milliseconds with all currencies. */
const STEP_ROWS = 16;

/** A day that counts for a period, and the block of the series that has its value. */
interface Used {
  readonly day: Day;
  readonly series: Series;
}

/** The days of one symbol that count for a period. */
interface Cell {
  readonly index: number;
  readonly symbol: CurrencyIndex;
  readonly days: readonly Used[];
  /** The least fresh of them, with the flags of all. */
  readonly value: ValueOrigin;
}

function periodCells(
  caches: Pick<SeriesCaches, "series">,
  { history }: Dataset,
  { base, symbols, fill, aggregate }: PeriodQuery,
  [from, to]: readonly [Day, Day],
  end: Day,
): Cell[] {
  const cells: Cell[] = [];
  for (const [index, symbol] of symbols.entries()) {
    let series: Series | null = null;
    /** Null where the pair has no value that day; a period may touch two blocks. */
    const valueOn = (day: Day): Used | null => {
      if (day > end) return null;
      if (series === null || day < series.firstDay || day >= series.firstDay + series.flags.length)
        series = caches.series.take(history, [base, symbol], fill, end, day);
      return hasValue(series, day - series.firstDay) ? { day, series } : null;
    };
    const days: Used[] = [];
    if (aggregate === "mean") {
      for (let day = from; day <= to; day++) {
        const value = valueOn(day);
        if (value !== null) days.push(value);
      }
    } else {
      // The value in force on the period's last day: a filled series that ended before it has no value, as on that day itself.
      const least = fill === "previous" ? to : from;
      let value: Used | null = null;
      for (let day = to; day >= least && value === null; day--) value = valueOn(day);
      if (value !== null) days.push(value);
    }
    if (days.length > 0) cells.push({ index, symbol, days, value: leastFresh(days) });
  }
  return cells;
}

function leastFresh(days: readonly Used[]): ValueOrigin {
  let least: ValueOrigin | null = null;
  let all = 0;
  for (const { day, series } of days) {
    const at = day - series.firstDay;
    const flags = series.flags[at] as number;
    const observedAt = series.observedAt[at] as number;
    all |= flags;
    if (least !== null && observedAt >= least.observedAt) continue;
    least = {
      observedAt,
      source: series.source[at] as number,
      ownSource: series.ownSource[at] as number,
      flags,
    };
  }
  return { ...(least as ValueOrigin), flags: all };
}

function rowOf(date: Day, cells: readonly Cell[], { aggregate }: PeriodQuery): ListedRow {
  const rates = cells.map(({ symbol, days }) => new PeriodRate(symbol, days, aggregate));
  return { date, ...originOfRow(cells.map(({ value }) => value)), rates, changes: null };
}

/** A value that is printed when it is read: a reader of only the origin does not pay for the means. */
class PeriodRate {
  readonly symbol: CurrencyIndex;
  readonly #days: readonly Used[];
  readonly #aggregate: Aggregate;
  #text: string | null = null;

  constructor(symbol: CurrencyIndex, days: readonly Used[], aggregate: Aggregate) {
    this.symbol = symbol;
    this.#days = days;
    this.#aggregate = aggregate;
  }

  get text(): string {
    this.#text ??= this.#print();
    return this.#text;
  }

  #print(): string {
    const first = this.#days[0] as Used;
    if (this.#aggregate === "last") return textAt(first.series, first.day - first.series.firstDay);
    return meanOfDigits(
      this.#days.map(({ day, series }) => {
        const at = day - series.firstDay;
        return {
          bytes: series.digits,
          from: series.ends[at] as number,
          to: series.ends[at + 1] as number,
        };
      }),
    );
  }
}
