/** A daily time series, page by page: columnar, so that every transport can print it its own way. */

import { type CurrencyIndex, currencyCode } from "#domain/currency.ts";
import { type Cursor, openCursor, signCursor } from "#domain/cursor.ts";
import type { Dataset } from "#domain/dataset.ts";
import { COVERAGE_START, type Day, dayAt, formatDay, type Instant } from "#domain/day.ts";
import { Failure } from "#domain/errors.ts";
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
  const lastDay = dayAt(view.now);
  const first = Math.max(cursor?.next ?? query.start, COVERAGE_START);
  const last = Math.min(query.end, lastDay);
  const columns = query.symbols.map((symbol) =>
    deps.shelf.take(dataset.history, query.base, symbol, query.fill, Math.min(lastDay, seriesEnd(dataset))),
  );
  const rows = collectRows(columns, first, last, query.limit);
  if (rows.days.length === 0 && cursor === null) {
    throw new Failure("no_data_for_date", { date: `${formatDay(query.start)} to ${formatDay(query.end)}` });
  }
  return {
    dataset,
    base: query.base,
    start: query.start,
    end: query.end,
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

/** After this day nothing stands, whatever the calendar says. */
function seriesEnd(dataset: Dataset): Day {
  return dataset.history.lastDay + 14;
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

function collectRows(columns: readonly Series[], first: Day, last: Day, limit: number) {
  const days: Day[] = [];
  const sources: number[] = [];
  const filled: boolean[] = [];
  const offset = columns[0]?.firstDay ?? 0;
  let next: Day | null = null;
  for (let day = first; day <= last; day++) {
    const at = day - offset;
    let least = -1;
    let oldest = Number.POSITIVE_INFINITY;
    let flags = 0;
    for (const { text, source, observedAt, flags: columnFlags } of columns) {
      if (text[at] === undefined) continue;
      const observed = observedAt[at] as number;
      const from = source[at] as number;
      if (least < 0 || observed < oldest || (observed === oldest && from > least)) {
        least = from;
        oldest = observed;
      }
      flags |= columnFlags[at] as number;
    }
    if (least < 0) continue;
    if (days.length === limit) {
      next = day;
      break;
    }
    days.push(day);
    sources.push(least);
    filled.push((flags & FILLED) !== 0);
  }
  return { days, sources, filled, next };
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
    let slowest = -1;
    let flags = 0;
    for (const day of days) {
      const at = day - column.firstDay;
      if (column.text[at] === undefined) continue;
      const observed = column.observedAt[at] as number;
      if (observed < oldest) {
        oldest = observed;
        slowest = column.source[at] as number;
      }
      flags |= column.flags[at] as number;
    }
    if (slowest < 0) continue;
    const columnSource = DAILY_SOURCES[slowest] as Source;
    symbolSources[code] = columnSource;
    if ((flags & DERIVED) !== 0) derivedSymbols.push(code);
    if (source === null || dataUpdatedAt === null || lessFresh(columnSource, oldest, source, dataUpdatedAt)) {
      source = columnSource;
      dataUpdatedAt = oldest;
    }
  }
  return { source, dataUpdatedAt, symbolSources, derivedSymbols };
}
