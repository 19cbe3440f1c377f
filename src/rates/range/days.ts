/** Cuts the daily rows of a page out of blocks, with their common provenance. */

import { type CurrencyCode, currencyCode } from "#domain/currency/currency.ts";
import { DAILY_SOURCES, lessFresh, type Source } from "#domain/currency/source.ts";
import type { Dataset } from "#domain/dataset/dataset.ts";
import { crossRate } from "#domain/history/cross.ts";
import type { Row } from "#domain/history/history.ts";
import { DERIVED } from "#domain/history/rate-columns.ts";
import { hasValue, type Series } from "#domain/history/series.ts";
import type { PageOrigin, RowSpan } from "#domain/rates/series.ts";
import type { Day, Instant } from "#domain/time/day.ts";
import { BLOCK_DAYS, type BlockAt, type PageWindow, type SeriesQuery } from "./blocks.ts";

/** Spans in the order of the page; rows inside a span always ascend. `next` is the day of the row after the page. */
export interface DayRows {
  readonly spans: readonly RowSpan[];
  readonly next: Day | null;
}

/** The first `limit` rows of the window in its order, block by block. */
export function* collectDays(
  blockAt: BlockAt,
  dataset: Dataset,
  query: SeriesQuery,
  { order, first, last, end, limit, from: start }: PageWindow,
): Generator<undefined, DayRows> {
  const isUp = order === "asc";
  const spans: RowSpan[] = [];
  let wanted = limit;
  const { firstDay } = dataset.history;
  let day = isUp ? Math.max(first, start ?? first) : Math.min(last, start ?? last);
  while (isUp ? day <= last : day >= first) {
    const { block, columns } = yield* blockAt(dataset, query, end, day);
    const [since, until] = isUp
      ? [firstAtLeast(block.days, day), firstAtLeast(block.days, last + 1)]
      : [firstAtLeast(block.days, first), firstAtLeast(block.days, day + 1)];
    const from = isUp ? since : Math.max(since, until - wanted);
    const to = isUp ? Math.min(until, since + wanted) : until;
    if (to > from) spans.push({ block, from, to, columns });
    wanted -= to - from;
    if (to < until) return { spans, next: block.days[to] as Day };
    if (from > since) return { spans, next: block.days[from - 1] as Day };
    const blockStart = firstDay + Math.floor((day - firstDay) / BLOCK_DAYS) * BLOCK_DAYS;
    day = isUp ? blockStart + BLOCK_DAYS : blockStart - 1;
  }
  return { spans, next: null };
}

/** Position of the first element that is not below `least`, in an ascending array. */
function firstAtLeast(days: Int32Array, least: Day): number {
  let [low, high] = [0, days.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((days[middle] as Day) < least) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The least fresh contribution of the page and of each symbol, and the symbols that were triangulated anywhere in it. */
export function originOfDays(spans: readonly RowSpan[]): PageOrigin {
  const symbolSources: Record<string, Source> = {};
  const derivedSymbols: CurrencyCode[] = [];
  let source: Source | null = null;
  let dataUpdatedAt: Instant | null = null;
  for (const [index, { to }] of (spans[0]?.columns ?? []).entries()) {
    let oldest = Number.POSITIVE_INFINITY;
    let columnSource: Source | null = null;
    let ownSource: Source | null = null;
    let flags = 0;
    for (const { block, from, to: until, columns } of spans) {
      const column = columns[index] as Series;
      for (let row = from; row < until; row++) {
        const at = (block.days[row] as Day) - column.firstDay;
        if (!hasValue(column, at)) continue;
        flags |= column.flags[at] as number;
        if ((column.observedAt[at] as number) >= oldest) continue;
        oldest = column.observedAt[at] as number;
        columnSource = DAILY_SOURCES[column.source[at] as number] as Source;
        ownSource = DAILY_SOURCES[column.ownSource[at] as number] as Source;
      }
    }
    if (columnSource === null || ownSource === null) continue;
    const code = currencyCode(to);
    symbolSources[code] = ownSource;
    if ((flags & DERIVED) !== 0) derivedSymbols.push(code);
    if (source === null || dataUpdatedAt === null || lessFresh(columnSource, oldest, source, dataUpdatedAt)) {
      source = columnSource;
      dataUpdatedAt = oldest;
    }
  }
  return { source, dataUpdatedAt, symbolSources, derivedSymbols };
}

/** Every observation that a value of the page rests on. */
export function* figuresOfDays(dataset: Dataset, spans: readonly RowSpan[]): Generator<Row> {
  for (const { block, from, to: until, columns } of spans) {
    for (let row = from; row < until; row++) {
      const day = block.days[row] as Day;
      for (const column of columns) yield* figuresOf(dataset, column, day);
    }
  }
}

/** The observations that the value of one day rests on, none where there is no value. */
export function figuresOf({ history }: Dataset, series: Series, day: Day): readonly Row[] {
  if (!hasValue(series, day - series.firstDay)) return [];
  return crossRate(history, day, series.from, series.to)?.rows ?? [];
}
