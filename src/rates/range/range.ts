/** A time series, page by page, in columns that every transport can print. */

import type { CacheBudget } from "#domain/cache/budget.ts";
import { currencyCode } from "#domain/currency/currency.ts";
import { type Dataset, type Simulated, simulatedOnDays, type View } from "#domain/dataset/dataset.ts";
import { Failure } from "#domain/faults/errors.ts";
import { FILL_DAYS } from "#domain/history/history.ts";
import { periodEnd } from "#domain/history/periods.ts";
import { lastDayOf, tokenOf } from "#domain/point-in-time/since.ts";
import { type Cursor, openCursor, signCursor } from "#domain/text/cursor.ts";
import { marketSession } from "#domain/time/calendar.ts";
import { COVERAGE_START, type Day, dayAt, type Instant, MILLISECONDS_PER_DAY } from "#domain/time/day.ts";
import {
  type DailyDeps,
  knownAsOf,
  openView,
  reachOfCopy,
  refuseEmptyWindow,
  refusePendingDays,
  viewAsOf,
  windowFor,
} from "#rates/query.ts";
import { collectChanges } from "./changes.ts";
import {
  collectDays,
  figuresOfDays,
  openSeriesCaches,
  originOfDays,
  type PageWindow,
  type RowSpan,
  type SeriesCaches,
} from "./days.ts";
import { collectPeriods } from "./periods.ts";
import { type RangeQuery, refuseContradictions, refuseDamagedRange } from "./query.ts";
import type { ListedPage } from "./rows.ts";

export const LONGEST_PAGE = 366;
/** Most of the cache budget for present series, and for series of past states. */
const PRESENT_SHARE = 0.5;
const PAST_SHARE = 0.15;

export interface RangeDeps extends DailyDeps, SeriesCaches {
  /** The dataset of a version in memory, or null. Later pages of a series keep their version across an ingest. */
  readonly pinned: (version: string) => Dataset | null;
  /** Loads an older version into `pinned` if the lake still has it. */
  readonly recall?: (version: string) => Promise<void>;
  readonly cursorSecret: string;
  /** Caches of past states. Their share is separate: they never displace the present. */
  readonly past: SeriesCaches;
  readonly caches: CacheBudget;
}

export function openAllSeriesCaches(caches: CacheBudget): SeriesCaches & Pick<RangeDeps, "past" | "caches"> {
  return {
    ...openSeriesCaches(caches, "series", PRESENT_SHARE),
    past: openSeriesCaches(caches, "past_series", PAST_SHARE),
    caches,
  };
}

/**
 * At most `limit` rows from the cursor or the start: one for each date with a publication (`fill=previous`: each calendar day), or
 * one for each period. Failures: `invalid_request` for a reversed window, a foreign cursor, instants after now, or `asOf` together
 * with `updatedAfter`; `no_data_for_date` for an empty window that filling would leave empty (changes may be empty).
 */
export function range(deps: RangeDeps, query: RangeQuery) {
  return wholeOf(rangeSteps(deps, query));
}

/** `range` in steps of a few milliseconds: it yields between them for other work. */
export function* rangeSteps(deps: RangeDeps, query: RangeQuery) {
  refuseContradictions(query);
  const present = openView(deps);
  const cursor = query.cursor === null ? null : openCursor(deps.cursorSecret, canonical(query), query.cursor);
  const dataset = cursor === null ? present.dataset : pinnedDataset(deps, present.dataset, cursor);
  const pinned = { dataset, now: present.now };
  const asOf = query.asOf ?? null;
  refuseDamagedRange(dataset, query);
  refusePendingDays(present, query);
  const view =
    asOf === null ? pinned : viewAsOf(pinned, asOf, windowFor(query.start, query.end, asOf.instant));
  const page = yield* rowsOf(deps, view, dataset, query, cursor?.next ?? null);
  const { spans, listed, origin, next, figures } = page;
  const { order = "asc", updatedAfter = null } = query;
  if (spans.length + (listed?.length ?? 0) === 0 && cursor === null && updatedAfter === null) {
    refuseEmptyWindow(pinned, view, query);
  }
  const version = dataset.history.version;
  return {
    ...query,
    dataset: view.dataset,
    order,
    interval: query.interval ?? "1d",
    aggregate: query.aggregate ?? "last",
    spans,
    listed,
    origin,
    session: marketSession(present.now),
    nextCursor: next === null ? null : signCursor(deps.cursorSecret, canonical(query), { next, version }),
    simulated: simulatedOnPage(view.dataset, query, page),
    asOf: knownAsOf(asOf, view.dataset, figures),
    sync:
      updatedAfter === null ? null : { updatedAfter: updatedAfter.text, from: tokenOf(dataset, present.now) },
  };
}

function simulatedOnPage(
  dataset: Dataset,
  { base, symbols, end, interval = "1d" }: RangeQuery,
  { origin, spans, listed }: Rows,
): Simulated {
  const withValue = symbols.filter((symbol) => currencyCode(symbol) in origin.symbolSources);
  return simulatedOnDays(dataset, base, withValue, function* () {
    for (const { block, from, to } of spans) yield* block.days.subarray(from, to);
    for (const { date } of listed ?? []) {
      const last = interval === "1d" ? date : Math.min(end, periodEnd(interval, date));
      for (let day = date; day <= last; day++) yield day;
    }
  });
}

/** One page: its rows are `listed`, or else those of the spans, in the order of the page. */
export type RangePage = ReturnType<typeof range>;

/** The last day on which a value may be in force, at most today. */
export function seriesEnd(dataset: Dataset, now: Instant): Day {
  return Math.min(dayAt(now), dataset.history.lastDay + FILL_DAYS);
}

function pinnedDataset(deps: RangeDeps, current: Dataset, cursor: Cursor): Dataset {
  if (cursor.version === current.history.version) return current;
  const pinned = deps.pinned(cursor.version);
  if (pinned !== null) return pinned;
  throw new Failure("invalid_request", {
    reason:
      "the version of the data that this cursor was issued for is no longer kept; start again from start_date",
  });
}

/** Loads the version that a cursor was issued for; null when it is in memory, or nothing has to be read. */
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
  const asOfText = asOf ? `${asOf.instant} ${asOf.basis}` : "-";
  return `range ${currencyCode(query.base)} ${symbols} ${query.start} ${query.end} ${query.fill} ${order} ${interval} ${aggregate} ${asOfText} ${updatedAfter?.text ?? "-"}`;
}

interface Rows extends Omit<ListedPage, "rows"> {
  readonly spans: readonly RowSpan[];
  /** The rows of periods or changes; null where they are those of the spans. */
  readonly listed: ListedPage["rows"] | null;
}

function* rowsOf(
  deps: RangeDeps,
  view: View,
  dataset: Dataset,
  query: RangeQuery,
  from: Day | null,
): Generator<undefined, Rows> {
  const { order = "asc", interval = "1d", aggregate = "last", updatedAfter = null, limit } = query;
  const today = dayAt(view.now);
  const end = seriesEnd(view.dataset, view.now);
  const first = Math.max(query.start, COVERAGE_START);
  const last = Math.min(query.end, today);
  const window: PageWindow = { first, last, end, order, limit, from };
  if (updatedAfter !== null) {
    const reach = reachOfCopy(updatedAfter, dataset, view.now);
    const until = Math.min(query.end, lastDayOf(reach, today));
    const span = windowFor(first, until, until * MILLISECONDS_PER_DAY);
    const { rows, ...page } = yield* collectChanges(view, query, { ...window, last: until }, reach, span);
    return { ...page, spans: [], listed: rows, figures: [] };
  }
  const caches = view.dataset.history === dataset.history ? deps : deps.past;
  if (interval !== "1d") {
    const periods = { ...query, interval, aggregate };
    const { rows, ...page } = yield* collectPeriods(caches, view.dataset, periods, window);
    return { ...page, spans: [], listed: rows };
  }
  const days = { ...window, last: Math.min(last, end) };
  const { spans, next } = yield* collectDays(caches.blockAt, view.dataset, query, days);
  const origin = originOfDays(query.symbols, spans);
  return { spans, listed: null, origin, next, figures: figuresOfDays(view.dataset, spans) };
}

function wholeOf<T>(steps: Generator<undefined, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
