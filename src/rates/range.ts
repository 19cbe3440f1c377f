/** A daily time series, page by page: columnar, so that every transport can print it its own way. */

import { type CurrencyIndex, currencyCode } from "#domain/currency.ts";
import { type Cursor, openCursor, signCursor } from "#domain/cursor.ts";
import type { Dataset } from "#domain/dataset.ts";
import { COVERAGE_START, type Day, dayAt, formatDay, type Instant } from "#domain/day.ts";
import { Failure } from "#domain/errors.ts";
import { FILL_DAYS } from "#domain/history.ts";
import { noticeText } from "#domain/provenance.ts";
import { DERIVED, FILLED, type Fill, type Series, SeriesShelf } from "#domain/series.ts";
import { type MarketSession, marketSession } from "#domain/session.ts";
import { DAILY_SOURCES, lessFresh, type Source } from "#domain/source.ts";
import { openView, type RatesDeps } from "./query.ts";

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
}

export function newShelf(): SeriesShelf {
  return new SeriesShelf(SHELVED_SERIES);
}

/** One page. Row i is `days[i]`, `sources[i]`, `filled[i]` and, per column, `series.text[days[i] - firstDay]`. */
export interface RangePage {
  readonly dataset: Dataset;
  readonly base: CurrencyIndex;
  readonly start: Day;
  readonly end: Day;
  readonly fill: Fill;
  readonly days: readonly Day[];
  readonly sources: readonly number[];
  readonly filled: readonly boolean[];
  readonly columns: readonly Series[];
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
  const columnsOver = (from: Day, to: Day) =>
    query.symbols.map((symbol) =>
      deps.shelf.take(dataset.history, [query.base, symbol], query.fill, shelfEnd, [from, to]),
    );
  const rows = collectRows(columnsOver, first, last, query.limit);
  const columns = columnsOver(first, rows.days.at(-1) ?? first);
  if (rows.days.length === 0 && cursor === null) {
    throw new Failure("no_data_for_date", { date: `${formatDay(query.start)} to ${formatDay(query.end)}` });
  }
  return {
    dataset,
    base: query.base,
    start: query.start,
    end: query.end,
    fill: query.fill,
    ...rows,
    ...summary(columns, rows.days),
    columns,
    session: marketSession(view.now),
    nextCursor:
      rows.next === null
        ? null
        : signCursor(deps.cursorSecret, canonical(query), {
            next: rows.next,
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

/** Days that are looked at together: a page of trading days is about 512 calendar days. */
const SPAN_DAYS = 512;

interface Rows {
  readonly days: Day[];
  readonly sources: number[];
  readonly filled: boolean[];
  next: Day | null;
}

/** The first `limit` days of the window on which any column has a value, and the day after them that has one. */
function collectRows(
  columnsOver: (from: Day, to: Day) => readonly Series[],
  first: Day,
  last: Day,
  limit: number,
): Rows {
  const rows: Rows = { days: [], sources: [], filled: [], next: null };
  for (let from = first; from <= last && rows.next === null; from += SPAN_DAYS) {
    const to = Math.min(last, from + SPAN_DAYS - 1);
    collectSpan(rows, columnsOver(from, to), from, to, limit);
  }
  return rows;
}

function collectSpan(rows: Rows, columns: readonly Series[], from: Day, to: Day, limit: number): void {
  const offset = columns[0]?.firstDay ?? 0;
  for (let day = from; day <= to; day++) {
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
    if (rows.days.length === limit) {
      rows.next = day;
      return;
    }
    rows.days.push(day);
    rows.sources.push(least);
    rows.filled.push((flags & FILLED) !== 0);
  }
}

/** The least fresh contribution of the page and of each symbol, and the symbols that were triangulated anywhere in it. */
function summary(columns: readonly Series[], days: readonly Day[]) {
  const symbolSources: Record<string, Source> = {};
  const derivedSymbols: string[] = [];
  let source: Source | null = null;
  let dataUpdatedAt: Instant | null = null;
  for (const column of columns) {
    const code = currencyCode(column.to);
    let oldest = Number.POSITIVE_INFINITY;
    let oldestAt = -1;
    let flags = 0;
    for (const day of days) {
      const at = day - column.firstDay;
      if (column.text[at] === undefined) continue;
      const observed = column.observedAt[at] as number;
      if (observed < oldest) {
        oldest = observed;
        oldestAt = at;
      }
      flags |= column.flags[at] as number;
    }
    if (oldestAt < 0) continue;
    const columnSource = DAILY_SOURCES[column.source[oldestAt] as number] as Source;
    symbolSources[code] = DAILY_SOURCES[column.ownSource[oldestAt] as number] as Source;
    if ((flags & DERIVED) !== 0) derivedSymbols.push(code);
    if (source === null || dataUpdatedAt === null || lessFresh(columnSource, oldest, source, dataUpdatedAt)) {
      source = columnSource;
      dataUpdatedAt = oldest;
    }
  }
  return { source, dataUpdatedAt, symbolSources, derivedSymbols };
}
