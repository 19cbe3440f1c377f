/** A daily time series, page by page: columnar, so that every transport can print it its own way. */

import { type CurrencyIndex, currencyCode } from "#domain/currency.ts";
import { type Cursor, openCursor, signCursor } from "#domain/cursor.ts";
import type { Dataset } from "#domain/dataset.ts";
import { COVERAGE_START, type Day, dayAt, formatDay, type Instant } from "#domain/day.ts";
import { Failure } from "#domain/errors.ts";
import { FILL_DAYS } from "#domain/history.ts";
import { noticeText } from "#domain/provenance.ts";
import { DERIVED, type Fill, type Series, SeriesShelf } from "#domain/series.ts";
import { type MarketSession, marketSession } from "#domain/session.ts";
import { DAILY_SOURCES, lessFresh, type Source } from "#domain/source.ts";
import { openView, type RatesDeps } from "./query.ts";
import { BLOCK_DAYS, type BlockAt, createBlocks, type RowSpan } from "./range-blocks.ts";

export const LONGEST_PAGE = 366;
/** Pairs whose whole history is kept ready; about half a megabyte each. */
const SHELVED_SERIES = 48;

export interface RangeQuery {
  readonly base: CurrencyIndex;
  readonly symbols: readonly CurrencyIndex[];
  readonly start: Day;
  readonly end: Day;
  readonly fill: Fill;
  /** Rows of a page, 1 to 366. */
  readonly limit: number;
  readonly cursor: string | null;
}

export interface RangeDeps extends RatesDeps {
  /** The dataset of a version that is still held in memory, so that pages go on unchanged across an ingest. */
  readonly pinned: (version: string) => Dataset | null;
  readonly cursorSecret: string;
  readonly shelf: SeriesShelf;
  readonly blockAt: BlockAt;
}

/** The series and blocks that one process keeps ready. */
export function newSeriesKeep(): Pick<RangeDeps, "shelf" | "blockAt"> {
  const shelf = new SeriesShelf(SHELVED_SERIES);
  return { shelf, blockAt: createBlocks(shelf) };
}

/** One page: its rows are those of the spans, in order; a value is `column.text[day - column.firstDay]`. */
export interface RangePage {
  readonly dataset: Dataset;
  readonly base: CurrencyIndex;
  readonly start: Day;
  readonly end: Day;
  readonly fill: Fill;
  readonly symbols: readonly CurrencyIndex[];
  readonly spans: readonly RowSpan[];
  /** Facts about all rows of the page together; null on a page without rows. */
  readonly source: Source | null;
  readonly symbolSources: Readonly<Record<string, Source>>;
  readonly dataUpdatedAt: Instant | null;
  readonly derivedSymbols: readonly string[];
  readonly session: MarketSession;
  readonly nextCursor: string | null;
  readonly notice: string;
}

/**
 * At most `limit` rows from the cursor or the start, ascending: one row a date on which something was published
 * (`fill=previous`: one a calendar day). Failure `invalid_request` for a reversed window or a foreign cursor,
 * `no_data_for_date` when the whole window holds nothing.
 */
export function range(deps: RangeDeps, query: RangeQuery): RangePage {
  if (query.start > query.end) {
    throw new Failure("invalid_request", {
      reason: `start_date ${formatDay(query.start)} is after end_date ${formatDay(query.end)}`,
    });
  }
  const view = openView(deps);
  const cursor = query.cursor === null ? null : openCursor(deps.cursorSecret, canonical(query), query.cursor);
  const dataset = cursor === null ? view.dataset : pinnedDataset(deps, view.dataset, cursor);
  const shelfEnd = seriesEnd(dataset, view.now);
  const first = Math.max(cursor?.next ?? query.start, COVERAGE_START);
  const last = Math.min(query.end, shelfEnd);
  const { spans, next } = collectSpans(deps, dataset, query, { first, last, end: shelfEnd });
  if (spans.length === 0 && cursor === null) {
    throw new Failure("no_data_for_date", { date: `${formatDay(query.start)} to ${formatDay(query.end)}` });
  }
  return {
    dataset,
    base: query.base,
    start: query.start,
    end: query.end,
    fill: query.fill,
    symbols: query.symbols,
    spans,
    ...summary(spans),
    session: marketSession(view.now),
    nextCursor:
      next === null
        ? null
        : signCursor(deps.cursorSecret, canonical(query), {
            next,
            version: dataset.history.version,
          }),
    notice: noticeText(dataset.simulated),
  };
}

/** Today, or the day after which nothing stands whatever the calendar says. */
export function seriesEnd(dataset: Dataset, now: Instant): Day {
  return Math.min(dayAt(now), dataset.history.lastDay + FILL_DAYS);
}

function pinnedDataset(deps: RangeDeps, current: Dataset, cursor: Cursor): Dataset {
  if (cursor.version === current.history.version) return current;
  const held = deps.pinned(cursor.version);
  if (held !== null) return held;
  throw new Failure("invalid_request", {
    reason:
      "the data has been updated more than once since this cursor was issued; start again from start_date",
  });
}

/** Everything that must stay the same between the pages of one series. */
function canonical(query: RangeQuery): string {
  const symbols = query.symbols.map(currencyCode).join(",");
  return `range ${currencyCode(query.base)} ${symbols} ${query.start} ${query.end} ${query.fill}`;
}

/** The first `limit` rows of the window, and the day of the row after them. */
function collectSpans(
  deps: RangeDeps,
  dataset: Dataset,
  query: RangeQuery,
  { first, last, end }: { readonly first: Day; readonly last: Day; readonly end: Day },
): { spans: readonly RowSpan[]; next: Day | null } {
  const spans: RowSpan[] = [];
  let wanted = query.limit;
  const offset = dataset.history.firstDay;
  for (
    let day = first;
    day <= last;
    day = offset + (Math.floor((day - offset) / BLOCK_DAYS) + 1) * BLOCK_DAYS
  ) {
    const { block, columns } = deps.blockAt(dataset, query, end, day);
    const from = firstAtLeast(block.days, day);
    const until = firstAtLeast(block.days, last + 1);
    const to = Math.min(until, from + wanted);
    if (to > from) spans.push({ block, from, to, columns });
    wanted -= to - from;
    if (to < until) return { spans, next: block.days[to] as Day };
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
function summary(spans: readonly RowSpan[]) {
  const symbolSources: Record<string, Source> = {};
  const derivedSymbols: string[] = [];
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
        if (column.text[at] === undefined) continue;
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
