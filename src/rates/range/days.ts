/** Daily rows: blocks of days that all pages share, and the page that is cut out of them with its provenance. */

import type { Cache, CacheBudget } from "#domain/cache/budget.ts";
import type { CurrencyIndex } from "#domain/currency/currency.ts";
import type { Dataset } from "#domain/dataset/dataset.ts";
import { figuresOf } from "#domain/history/cross.ts";
import type { Row } from "#domain/history/history.ts";
import type { Order } from "#domain/history/rate-columns.ts";
import {
  BLOCK_DAYS,
  blockOf,
  bytesOf,
  daysOfBlock,
  hasValue,
  type Series,
  SeriesCache,
} from "#domain/history/series.ts";
import { firstNot } from "#domain/number/search.ts";
import type { Day } from "#domain/time/day.ts";
import type { RangeQuery } from "./query.ts";
import { createOrigins, originOfRow, originOn, type PageOrigin, type ValueOrigin } from "./rows.ts";

export type SeriesQuery = Pick<RangeQuery, "base" | "symbols" | "fill">;

export interface PageWindow {
  /** Days that may have rows, both included; nothing when `first` is after `last`. */
  readonly first: Day;
  readonly last: Day;
  /** Last day that series are made for. */
  readonly end: Day;
  readonly order: Order;
  readonly limit: number;
  /** Day of the page's first row; null for the first of the window. */
  readonly from: Day | null;
}

interface RowBlock {
  /** Names the rows: equal for equal rows of one version of the data. */
  readonly key: string;
  /** Days on which any symbol has a value, ascending. */
  readonly days: Int32Array;
  /** Position in DAILY_SOURCES of the row's least fresh contribution. */
  readonly sources: Uint8Array;
  /** 1 where any value of the row is forward-filled. */
  readonly filled: Uint8Array;
}

/** A block and the series with its values: a repeated page needs one lookup for each block. */
interface BlockWithColumns {
  readonly block: RowBlock;
  readonly columns: readonly Series[];
}

/** Rows `from` to before `to` of a block; a value there is `textAt(column, day - column.firstDay)`. */
export interface RowSpan extends BlockWithColumns {
  readonly from: number;
  readonly to: number;
}

export interface SeriesCaches {
  readonly series: SeriesCache;
  readonly blockAt: BlockAt;
}

/**
 * Returns the block of a query that holds a day, with its columns. `end` is the last day with a value. A block that is not cached
 * is made first; the generator yields after every few columns.
 */
export type BlockAt = (
  dataset: Dataset,
  query: SeriesQuery,
  end: Day,
  day: Day,
) => Generator<undefined, BlockWithColumns>;

/** Caches with a `share` of the budget of their own: those of past states never displace the present. */
export function openSeriesCaches(budget: CacheBudget, name: string, share: number): SeriesCaches {
  const series = new SeriesCache(budget, name, share);
  const blocks = budget.cache<string, BlockWithColumns>(`${name}_rows`, { share });
  return { series, blockAt: blockAtOf(series, blocks) };
}

function blockAtOf(series: SeriesCache, blocks: Cache<string, BlockWithColumns>): BlockAt {
  return function* (dataset, { base, symbols, fill }, end, day) {
    const { history } = dataset;
    const number = blockOf(history, day);
    const key = `${history.version} ${end} ${base} ${symbols.join(",")} ${fill} ${number}`;
    let cached = blocks.get(key);
    if (cached === undefined) {
      const columns = yield* columnsAt(series, dataset, { base, symbols, fill }, end, day);
      const block = buildBlock(key, columns, daysOfBlock(history, number, end));
      cached = { block, columns };
      const columnBytes = columns.reduce((sum, column) => sum + bytesOf(column), 0);
      blocks.set(key, cached, key.length + BLOCK_BYTES + block.days.length * 6 + columnBytes);
    }
    return cached;
  };
}

/** Columns that are made in one step: about a millisecond, several times that before the code is compiled. */
const STEP_COLUMNS = 4;

/** The columns of a block. Yields after every few. */
export function* columnsAt(
  series: SeriesCache,
  { history }: Dataset,
  { base, symbols, fill }: SeriesQuery,
  end: Day,
  day: Day,
): Generator<undefined, readonly Series[]> {
  const columns: Series[] = [];
  for (const symbol of symbols) {
    if (columns.length > 0 && columns.length % STEP_COLUMNS === 0) yield undefined;
    columns.push(series.take(history, [base, symbol], fill, end, day));
  }
  return columns;
}

/** Bytes of the objects around the arrays of a block. */
const BLOCK_BYTES = 400;

function buildBlock(key: string, columns: readonly Series[], [first, last]: readonly [Day, Day]): RowBlock {
  const days: Day[] = [];
  const sources: number[] = [];
  const filled: number[] = [];
  for (let day = first; day <= last; day++) {
    const row = originOfRow(columns.flatMap((column) => originOn(column, day) ?? []));
    if (row.source < 0) continue;
    days.push(day);
    sources.push(row.source);
    filled.push(row.filled ? 1 : 0);
  }
  return {
    key,
    days: Int32Array.from(days),
    sources: Uint8Array.from(sources),
    filled: Uint8Array.from(filled),
  };
}

/**
 * The first `limit` rows of the window, block by block: spans in its order, in each of which rows ascend. `next` is the day of the row
 * after the page.
 */
export function* collectDays(
  blockAt: BlockAt,
  dataset: Dataset,
  query: SeriesQuery,
  { order, first, last, end, limit, from: start }: PageWindow,
): Generator<undefined, { readonly spans: readonly RowSpan[]; readonly next: Day | null }> {
  const isUp = order === "asc";
  const spans: RowSpan[] = [];
  let rest = limit;
  const { firstDay } = dataset.history;
  let day = isUp ? Math.max(first, start ?? first) : Math.min(last, start ?? last);
  while (isUp ? day <= last : day >= first) {
    const { block, columns } = yield* blockAt(dataset, query, end, day);
    const [since, until] = isUp
      ? [firstAtLeast(block.days, day), firstAtLeast(block.days, last + 1)]
      : [firstAtLeast(block.days, first), firstAtLeast(block.days, day + 1)];
    const from = isUp ? since : Math.max(since, until - rest);
    const to = isUp ? Math.min(until, since + rest) : until;
    if (to > from) spans.push({ block, from, to, columns });
    rest -= to - from;
    if (to < until) return { spans, next: block.days[to] as Day };
    if (from > since) return { spans, next: block.days[from - 1] as Day };
    const blockStart = firstDay + Math.floor((day - firstDay) / BLOCK_DAYS) * BLOCK_DAYS;
    day = isUp ? blockStart + BLOCK_DAYS : blockStart - 1;
  }
  return { spans, next: null };
}

function firstAtLeast(days: Int32Array, least: Day): number {
  return firstNot(days.length, (at) => (days[at] as Day) < least);
}

/** The least fresh contribution of the page and of each symbol, and the symbols that were triangulated anywhere in it. */
export function originOfDays(symbols: readonly CurrencyIndex[], spans: readonly RowSpan[]): PageOrigin {
  const origins = createOrigins(symbols);
  for (const span of spans) {
    for (const [index, oldest] of originsOfSpan(span).entries())
      if (oldest.source >= 0) origins.add(index, oldest);
  }
  return origins.origin();
}

const originsOfBlocks = new WeakMap<RowBlock, readonly ValueOrigin[]>();

/** The least fresh value of each column, with the flags of all; gathered once for a whole block. */
function originsOfSpan(span: RowSpan): readonly ValueOrigin[] {
  const { block, from, to, columns } = span;
  const { days } = block;
  const isWhole = from === 0 && to === days.length;
  const cached = isWhole ? originsOfBlocks.get(block) : undefined;
  if (cached !== undefined) return cached;
  const origins = columns.map((column) => {
    const { firstDay, observedAt, flags: flagsOf } = column;
    let flags = 0;
    let oldest = Number.POSITIVE_INFINITY;
    let oldestAt = -1;
    for (let row = from; row < to; row++) {
      const at = (days[row] as Day) - firstDay;
      // A day without a value has no flags.
      flags |= flagsOf[at] as number;
      const observed = observedAt[at] as number;
      if (observed >= oldest || !hasValue(column, at)) continue;
      oldest = observed;
      oldestAt = at;
    }
    const { [oldestAt]: source = -1 } = column.source;
    const { [oldestAt]: ownSource = -1 } = column.ownSource;
    const { [oldestAt]: baseSource = -1 } = column.baseSource;
    return { observedAt: oldest, source, ownSource, baseSource, flags };
  });
  if (isWhole) originsOfBlocks.set(block, origins);
  return origins;
}

/** Every observation that a value of the page rests on. */
export function* figuresOfDays(dataset: Dataset, spans: readonly RowSpan[]): Generator<Row> {
  for (const { block, from, to: until, columns } of spans) {
    for (let row = from; row < until; row++) {
      const day = block.days[row] as Day;
      for (const column of columns) yield* figuresIn(dataset, column, day);
    }
  }
}

/** The observations behind the value of one day; empty without a value. */
export function figuresIn({ history }: Dataset, series: Series, day: Day): readonly Row[] {
  if (!hasValue(series, day - series.firstDay)) return [];
  return figuresOf(history, day, series.from, series.to) ?? [];
}
