/** The rows of a range question, block by block: which days have one, from which source, filled or not. Computed once, shared by all pages. */

import type { CurrencyIndex } from "#domain/currency.ts";
import type { Dataset } from "#domain/dataset.ts";
import type { Day } from "#domain/day.ts";
import type { Order } from "#domain/export-plan.ts";
import { FILLED, type Fill, type Series, type SeriesShelf } from "#domain/series.ts";

/** Calendar days of a block: a page of trading days touches three. */
export const BLOCK_DAYS = 256;
export interface RowBlock {
  /** Days on which any symbol has a value, ascending. */
  readonly days: Int32Array;
  /** Position in DAILY_SOURCES of the row's least fresh contribution. */
  readonly sources: Uint8Array;
  /** 1 where any value of the row is forward-filled. */
  readonly filled: Uint8Array;
}

/** Rows `from` to before `to` of a block, with the series that hold their values. */
export interface RowSpan {
  readonly block: RowBlock;
  readonly from: number;
  readonly to: number;
  readonly columns: readonly Series[];
}

export interface RangeQuestion {
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

/** The series and blocks that one process keeps ready for one dataset. */
export interface SeriesKeep {
  readonly shelf: SeriesShelf;
  readonly blockAt: BlockAt;
}

/** The block of a question that holds a day, and its columns. `end` is the last day that may be asked about. */
export type BlockAt = (
  dataset: Dataset,
  question: RangeQuestion,
  end: Day,
  day: Day,
) => Omit<RowSpan, "from" | "to">;

/**
 * Keeps the blocks of the `capacity` questions asked last, each over all years about 100 kB beside its series; a new
 * dataset or a new day starts a question anew.
 */
export function createBlocks(shelf: SeriesShelf, capacity: number): BlockAt {
  const kept = new Map<string, Map<number, Omit<RowSpan, "from" | "to">>>();

  return (dataset, question, end, day) => {
    const { history } = dataset;
    const key = `${history.version} ${end} ${question.base} ${question.symbols.join(",")} ${question.fill}`;
    const blocks = kept.get(key) ?? new Map<number, Omit<RowSpan, "from" | "to">>();
    kept.delete(key);
    kept.set(key, blocks);
    if (kept.size > capacity) kept.delete(kept.keys().next().value as string);

    const number = Math.floor((day - history.firstDay) / BLOCK_DAYS);
    let found = blocks.get(number);
    if (found === undefined) {
      const first = history.firstDay + number * BLOCK_DAYS;
      const last = Math.min(end, first + BLOCK_DAYS - 1);
      const columns = question.symbols.map((symbol) =>
        shelf.take(history, [question.base, symbol], question.fill, end, [first, last]),
      );
      found = { block: buildBlock(columns, first, last), columns };
      blocks.set(number, found);
    }
    return found;
  };
}

function buildBlock(columns: readonly Series[], first: Day, last: Day): RowBlock {
  const days: Day[] = [];
  const sources: number[] = [];
  const filled: number[] = [];
  const offset = columns[0]?.firstDay ?? 0;
  for (let day = first; day <= last; day++) {
    const at = day - offset;
    let least = -1;
    let oldest = Number.POSITIVE_INFINITY;
    let flags = 0;
    for (const column of columns) {
      if (column.text[at] === undefined) continue;
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
  return { days: Int32Array.from(days), sources: Uint8Array.from(sources), filled: Uint8Array.from(filled) };
}
