/** A time series, page by page: columnar, so that every transport can print it its own way. */

import { type CurrencyIndex, currencyCode } from "#domain/currency.ts";
import { type Cursor, openCursor, signCursor } from "#domain/cursor.ts";
import { refuseDamaged, refuseDamagedPast } from "#domain/damage.ts";
import type { Dataset, View } from "#domain/dataset.ts";
import { COVERAGE_START, type Day, dayAt, formatDay, type Instant } from "#domain/day.ts";
import { Failure } from "#domain/errors.ts";
import type { Aggregate, DailyInterval, Order } from "#domain/export-plan.ts";
import { FILL_DAYS, type Row } from "#domain/history.ts";
import type { AsOf, AsOfBasis } from "#domain/known.ts";
import { noticeText } from "#domain/provenance.ts";
import { type Fill, SeriesShelf } from "#domain/series.ts";
import { type MarketSession, marketSession } from "#domain/session.ts";
import { anyReconstructed, nothingKnown, refuseFuture, viewAsOf, windowFor } from "./as-of.ts";
import { type DailyDeps, openView } from "./query.ts";
import { createBlocks, type PageWindow, type RowSpan, type SeriesKeep } from "./range-blocks.ts";
import { collectChanges, syncFrom } from "./range-changes.ts";
import { collectDays, figuresOfDays, originOfDays } from "./range-days.ts";
import type { ListedRow } from "./range-listed.ts";
import type { PageOrigin } from "./range-origin.ts";
import { collectPeriods } from "./range-periods.ts";

export const LONGEST_PAGE = 366;
/** Later than any day there is. */
const LAST_DAY: Day = Number.MAX_SAFE_INTEGER;
/** Pairs whose whole history is kept ready; about half a megabyte each. */
const SHELVED_SERIES = 48;
/** Questions whose blocks of rows are kept ready: of the present, and of states of the past. */
const KEPT_QUESTIONS = 64;
const KEPT_PAST_QUESTIONS = 8;

export interface RangeQuery {
  readonly base: CurrencyIndex;
  readonly symbols: readonly CurrencyIndex[];
  readonly start: Day;
  readonly end: Day;
  readonly fill: Fill;
  /** Rows of a page, 1 to 366. */
  readonly limit: number;
  readonly cursor: string | null;
  /** By date; absent: asc. */
  readonly order?: Order;
  /** One row a week or month; absent: 1d. */
  readonly interval?: DailyInterval;
  /** How a week or month becomes one value; absent: last. */
  readonly aggregate?: Aggregate;
  /** Limits the answer to what was known then. */
  readonly asOf?: AsOf | null;
  /** Limits the answer to what changed since, by retrieval time. */
  readonly updatedAfter?: Instant | null;
}

export interface RangeDeps extends DailyDeps, SeriesKeep {
  /** The dataset of a version that is in memory, so that pages go on unchanged across an ingest. */
  readonly pinned: (version: string) => Dataset | null;
  /** Makes `pinned` have an older version, where the lake still does. */
  readonly recall?: (version: string) => Promise<void>;
  readonly cursorSecret: string;
  /** What is kept of states of the past, apart so that it never displaces the present. */
  readonly past: SeriesKeep;
}

/** The series and blocks that one process keeps ready. */
export function newSeriesKeep(): SeriesKeep & Pick<RangeDeps, "past"> {
  return { ...keepOf(KEPT_QUESTIONS), past: keepOf(KEPT_PAST_QUESTIONS) };
}

function keepOf(questions: number): SeriesKeep {
  const shelf = new SeriesShelf(SHELVED_SERIES);
  return { shelf, blockAt: createBlocks(shelf, questions) };
}

/** One page: its rows are `listed`, or else those of the spans; a value there is `column.text[day - column.firstDay]`. */
export interface RangePage {
  readonly dataset: Dataset;
  readonly base: CurrencyIndex;
  readonly start: Day;
  readonly end: Day;
  readonly fill: Fill;
  readonly symbols: readonly CurrencyIndex[];
  /** Order of the spans, and of the rows within them. */
  readonly order: Order;
  readonly spans: readonly RowSpan[];
  readonly listed: readonly ListedRow[] | null;
  readonly origin: PageOrigin;
  readonly session: MarketSession;
  readonly nextCursor: string | null;
  readonly notice: string;
  /** Present on an answer as of an instant. */
  readonly asOf: {
    readonly instant: Instant;
    readonly basis: AsOfBasis;
    readonly reconstructed: boolean;
  } | null;
  /** Present on an answer of changes: since when, and what to ask from next time. */
  readonly sync: { readonly updatedAfter: Instant; readonly from: Instant } | null;
}

/**
 * At most `limit` rows from the cursor or the start: one row a date on which something was published
 * (`fill=previous`: one a calendar day), or one a period. Failure `invalid_request` for a reversed window, a foreign
 * cursor, instants after now, or `asOf` and `updatedAfter` together; `no_data_for_date` when the whole window holds
 * nothing (of changes there may be none).
 */
export function range(deps: RangeDeps, query: RangeQuery): RangePage {
  refuseContradictions(query);
  const present = openView(deps);
  const cursor = query.cursor === null ? null : openCursor(deps.cursorSecret, canonical(query), query.cursor);
  const dataset = cursor === null ? present.dataset : pinnedDataset(deps, present.dataset, cursor);
  const pinned = { dataset, now: present.now };
  const asOf = query.asOf ?? null;
  refuseDamagedRange(dataset, query);
  const view =
    asOf === null ? pinned : viewAsOf(pinned, asOf, windowFor(query.start, query.end, asOf.instant));
  const { next, figures, ...rows } = rowsOf(deps, view, dataset, query, cursor?.next ?? null);
  const { order = "asc", updatedAfter = null } = query;
  if (rows.spans.length + (rows.listed?.length ?? 0) === 0 && cursor === null && updatedAfter === null) {
    const date = `${formatDay(query.start)} to ${formatDay(query.end)}`;
    throw asOf === null ? new Failure("no_data_for_date", { date }) : nothingKnown(pinned, asOf, date);
  }
  const version = dataset.history.version;
  return {
    dataset: view.dataset,
    base: query.base,
    start: query.start,
    end: query.end,
    fill: query.fill,
    symbols: query.symbols,
    order,
    ...rows,
    session: marketSession(present.now),
    nextCursor: next === null ? null : signCursor(deps.cursorSecret, canonical(query), { next, version }),
    notice: noticeText(dataset.simulated),
    asOf: asOf === null ? null : { ...asOf, reconstructed: anyReconstructed(view.dataset, figures) },
    sync: updatedAfter === null ? null : { updatedAfter, from: syncFrom(dataset, updatedAfter) },
  };
}

/** What contradicts itself whatever the data holds: Failure `invalid_request`. */
export function refuseContradictions({ start, end, asOf, updatedAfter, interval }: RangeQuery): void {
  const refuse = (reason: string): never => {
    throw new Failure("invalid_request", { reason });
  };
  if (start > end) refuse(`start_date ${formatDay(start)} is after end_date ${formatDay(end)}`);
  if (updatedAfter === undefined || updatedAfter === null) return;
  if (asOf !== undefined && asOf !== null) {
    refuse("as_of and updated_after exclude each other: what was known then, or what changed since");
  }
  if (interval !== undefined && interval !== "1d") {
    refuse("updated_after speaks of daily rows: leave interval out");
  }
}

/** Failure `data_unavailable` when the window, or what changed in it, may be in damaged files. */
export function refuseDamagedRange(
  dataset: Dataset,
  { start, end, asOf, updatedAfter }: Pick<RangeQuery, "start" | "end" | "asOf" | "updatedAfter">,
): void {
  // What changed lately is looked for in all years.
  if ((updatedAfter ?? null) !== null) refuseDamagedPast(dataset, COVERAGE_START, LAST_DAY);
  else if ((asOf ?? null) === null) refuseDamaged(dataset, start, end);
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
      "the version of the data that this cursor was issued for is no longer kept; start again from start_date",
  });
}

/** Reads the version that a cursor was issued for, where it is not in memory; null when nothing has to be read. */
export function recallFor(deps: RangeDeps, query: RangeQuery): Promise<void> | null {
  if (query.cursor === null || deps.recall === undefined) return null;
  const { version } = openCursor(deps.cursorSecret, canonical(query), query.cursor);
  const isHere = deps.dataset()?.history.version === version || deps.pinned(version) !== null;
  return isHere ? null : deps.recall(version);
}

/** Everything that must stay the same between the pages of one series. */
function canonical(query: RangeQuery): string {
  const { order = "asc", interval = "1d", aggregate = "last", asOf, updatedAfter } = query;
  const symbols = query.symbols.map(currencyCode).join(",");
  const known = asOf ? `${asOf.instant} ${asOf.basis}` : "-";
  return `range ${currencyCode(query.base)} ${symbols} ${query.start} ${query.end} ${query.fill} ${order} ${interval} ${aggregate} ${known} ${updatedAfter ?? "-"}`;
}

interface Rows extends Pick<RangePage, "spans" | "listed" | "origin"> {
  readonly next: Day | null;
  readonly figures: Iterable<Row>;
}

/** The rows of the page by what is asked for: changes, periods, or days. */
function rowsOf(deps: RangeDeps, view: View, dataset: Dataset, query: RangeQuery, from: Day | null): Rows {
  const { order = "asc", interval = "1d", aggregate = "last", updatedAfter = null, limit } = query;
  const today = dayAt(view.now);
  const end = seriesEnd(view.dataset, view.now);
  const first = Math.max(query.start, COVERAGE_START);
  const last = Math.min(query.end, today);
  const window: PageWindow = { first, last, end, order, limit, from };
  if (updatedAfter !== null) {
    refuseFuture("updated_after", updatedAfter, view.now);
    const span = windowFor(first, last, view.now);
    const { rows, ...page } = collectChanges(dataset, query, window, updatedAfter, span);
    return { ...page, spans: [], listed: rows, figures: [] };
  }
  const keep = view.dataset.history === dataset.history ? deps : deps.past;
  if (interval !== "1d") {
    const question = { ...query, interval, aggregate };
    const { rows, figures, ...page } = collectPeriods(keep, view.dataset, question, window);
    return { ...page, spans: [], listed: rows, figures: eachOf(figures) };
  }
  const days = { ...window, last: Math.min(last, end) };
  const { spans, next } = collectDays(keep.blockAt, view.dataset, query, days);
  const origin = originOfDays(spans);
  return { spans, listed: null, origin, next, figures: figuresOfDays(view.dataset, spans) };
}

function* eachOf(figures: readonly (() => Iterable<Row>)[]): Generator<Row> {
  for (const some of figures) yield* some();
}
