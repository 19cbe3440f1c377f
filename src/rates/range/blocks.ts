/** The rows of a range query by blocks of days: the days with a row, their source, whether they are filled. All pages share them. */

import type { Cache, CacheBudget } from "#domain/cache/budget.ts";
import type { CurrencyIndex } from "#domain/currency/currency.ts";
import type { Dataset } from "#domain/dataset/dataset.ts";
import type { Order } from "#domain/history/export-plan.ts";
import { FILLED, type Fill } from "#domain/history/rate-columns.ts";
import {
  BLOCK_DAYS,
  blockOf,
  bytesOf,
  daysOfBlock,
  hasValue,
  type Series,
  SeriesCache,
} from "#domain/history/series.ts";
import type { RowBlock, RowSpan } from "#domain/rates/series.ts";
import type { Day } from "#domain/time/day.ts";

export { BLOCK_DAYS };

export interface SeriesQuery {
  readonly base: CurrencyIndex;
  readonly symbols: readonly CurrencyIndex[];
  readonly fill: Fill;
}

/** Which rows a page is made of. */
export interface PageWindow {
  /** Days that may have rows, both included; nothing when `first` is after `last`. */
  readonly first: Day;
  readonly last: Day;
  /** Last day that series are made for. */
  readonly end: Day;
  readonly order: Order;
  /** Most rows of the page. */
  readonly limit: number;
  /** Day of the page's first row; null for the first of the window. */
  readonly from: Day | null;
}

/** The series and blocks that one process caches. */
export interface SeriesCaches {
  readonly series: SeriesCache;
  readonly blockAt: BlockAt;
}

/**
 * The block of a query that holds a day, and its columns. `end` is the last day with a value. Where the block has to be made first, with
 * a break after every few columns.
 */
export type BlockAt = (
  dataset: Dataset,
  query: SeriesQuery,
  end: Day,
  day: Day,
) => Generator<undefined, Omit<RowSpan, "from" | "to">>;

/** `share` of the budget is for these: those of the past never displace the present. */
export function openSeriesCaches(budget: CacheBudget, name: string, share: number): SeriesCaches {
  const series = new SeriesCache(budget, name, share);
  const blocks = budget.cache<string, CachedBlock>(`${name}_rows`, { share });
  return { series, blockAt: blockAtOf(series, blocks) };
}

/** A block holds its columns, so that a repeated page looks up one thing a block. */
type CachedBlock = Omit<RowSpan, "from" | "to">;

function blockAtOf(series: SeriesCache, blocks: Cache<string, CachedBlock>): BlockAt {
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

/** The columns of a block, those that are not cached made a few a step. */
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

/** Objects around the arrays of a block. */
const BLOCK_BYTES = 400;

function buildBlock(key: string, columns: readonly Series[], [first, last]: readonly [Day, Day]): RowBlock {
  const days: Day[] = [];
  const sources: number[] = [];
  const filled: number[] = [];
  for (let day = first; day <= last; day++) {
    const at = day - first;
    let least = -1;
    let oldest = Number.POSITIVE_INFINITY;
    let flags = 0;
    for (const column of columns) {
      if (!hasValue(column, at)) continue;
      const observed = column.observedAt[at] as number;
      const source = column.source[at] as number;
      if (least < 0 || observed < oldest || (observed === oldest && source > least)) {
        least = source;
        oldest = observed;
      }
      flags |= column.flags[at] as number;
    }
    if (least < 0) continue;
    days.push(day);
    sources.push(least);
    filled.push((flags & FILLED) !== 0 ? 1 : 0);
  }
  return {
    key,
    days: Int32Array.from(days),
    sources: Uint8Array.from(sources),
    filled: Uint8Array.from(filled),
  };
}
