/**
 * Sends a whole time series as one answer, in two passes over the pages of the range use case. The first pass finds what the headers and the
 * head need, with a break after each few milliseconds of computing; the second prints rows as the reader takes them.
 */

import { type CurrencyIndex, currencyCode, USD } from "#domain/currency/currency.ts";
import { DAILY_SOURCES, type DailySource, lessFresh, type Source } from "#domain/currency/source.ts";
import { Failure } from "#domain/faults/errors.ts";
import { hasValue, type Series } from "#domain/history/series.ts";
import type { RangePage } from "#domain/rates/series.ts";
import { type Day, formatInstant, type Instant } from "#domain/time/day.ts";
import { forSource } from "#rates/pending.ts";
import type { RangeQuery } from "#rates/range/query.ts";
import { firstCursor, LONGEST_PAGE, type RangeDeps, rangeSteps, wholeOf } from "#rates/range/range.ts";
import type { Origin } from "./answer.ts";

export interface SeriesRate {
  readonly currency: CurrencyIndex;
  /** Printed digits. */
  readonly text: string;
}

export type SeriesQuestion = Omit<RangeQuery, "limit" | "cursor"> & {
  /** Leaves out every value that rests on another source. */
  readonly only?: DailySource | null;
};

/** What is known of a series before it is printed. */
export interface Survey {
  readonly origin: Origin;
  /** Days of the first and the last row; null where there is none. */
  readonly first: Day | null;
  readonly last: Day | null;
  /** Names the data: equal for equal series. */
  readonly version: string;
}

/** The first pass, in steps of a few milliseconds. */
export function* surveySeries(deps: RangeDeps, question: SeriesQuestion): Generator<undefined, Survey> {
  const { only = null } = question;
  const origin = createOrigin();
  let [first, last]: [Day | null, Day | null] = [null, null];
  let version = "";
  const next = pagesOf(deps, question, null);
  for (let page = yield* next(); page !== null; page = yield* next()) {
    version = page.dataset.history.version;
    if (only === null) origin.add(page.origin.source, page.origin.dataUpdatedAt);
    const days =
      page.listed === null ? daysOfSpans(page, question, origin) : daysOfListed(page, question, origin);
    for (const day of days) {
      first ??= day;
      last = day;
    }
    yield undefined;
  }
  return { origin: origin.origin(), first, last, version };
}

/** The texts of what a row says; none where nothing is to be said of it. */
type Print = (day: Day, rates: readonly SeriesRate[]) => readonly string[];

/**
 * The second pass: the rows of the next page as they are printed, a page a step; null at the end. Between two steps it holds
 * a cursor and nothing else, because a reader may take its time. Throws when the version is no longer available.
 */
export function printSeries(
  deps: RangeDeps,
  question: SeriesQuestion,
  { version }: Survey,
  print: Print,
): () => readonly string[] | null {
  const next = pagesOf(deps, question, version);
  return () => {
    const page = version === "" ? null : wholeOf(next());
    if (page === null) return null;
    const rows: string[] = [];
    visit(page, question, (day, rates) => void rows.push(...print(day, rates)));
    return rows;
  };
}

/** Rows that are printed at once: a reader that does not read holds them. */
const PRINTED_ROWS = 24;

/** The steps of one page, and the page; null at the end. */
type NextPage = () => Generator<undefined, RangePage | null>;

/** Gives page after page, those of a version where one is given. A window without any value has none. */
function pagesOf(deps: RangeDeps, question: SeriesQuestion, version: string | null): NextPage {
  const { only = null, ...requested } = question;
  // USD represents the base: it says which source the base itself comes from.
  const symbols =
    only === null || requested.symbols.includes(USD) ? requested.symbols : [...requested.symbols, USD];
  // The source of a mean is known only for a whole page, so each mean gets its own page.
  const isMean = requested.interval !== undefined && requested.interval !== "1d";
  const most = version === null ? LONGEST_PAGE : PRINTED_ROWS;
  const query = { ...requested, symbols, limit: isMean && only !== null ? 1 : most };
  let cursor = version === null || version === "" ? null : firstCursor(deps, query, version);
  let isOver = false;
  return function* () {
    if (isOver) return null;
    const page = yield* pageOf(forSource(deps, only), { ...query, cursor });
    cursor = page?.nextCursor ?? null;
    isOver = cursor === null;
    return page;
  };
}

function* pageOf(deps: RangeDeps, query: RangeQuery): Generator<undefined, RangePage | null> {
  try {
    return yield* rangeSteps(deps, query);
  } catch (thrown) {
    if (thrown instanceof Failure && thrown.code === "no_data_for_date") return null;
    throw thrown;
  }
}

/** Whether the base rests on the source that is wanted, in an element of a block. */
function baseRestsOn(usd: Series | undefined, at: number, only: DailySource | null): boolean {
  return only === null || (usd !== undefined && DAILY_SOURCES[usd.ownSource[at] as number] === only);
}

/** Whether a value is wanted. */
function isWanted({ symbols, only = null }: SeriesQuestion, column: Series, at: number): boolean {
  if (!hasValue(column, at) || !symbols.includes(column.to)) return false;
  return only === null || DAILY_SOURCES[column.ownSource[at] as number] === only;
}

function* daysOfSpans({ spans }: RangePage, question: SeriesQuestion, origin: OriginSoFar): Generator<Day> {
  const { only = null } = question;
  for (const { block, from, to, columns } of spans) {
    const usd = columns.find((column) => column.to === USD);
    for (let row = from; row < to; row++) {
      const day = block.days[row] as Day;
      const at = day - (columns[0]?.firstDay ?? 0);
      if (only === null) {
        // A block has a row for every day on which any of its columns has a value.
        yield day;
        continue;
      }
      if (!baseRestsOn(usd, at, only)) continue;
      const wanted = columns.filter((column) => isWanted(question, column, at));
      for (const column of wanted) origin.add(only, column.observedAt[at] as Instant);
      if (wanted.length > 0) yield day;
    }
  }
}

function* daysOfListed(page: RangePage, question: SeriesQuestion, origin: OriginSoFar): Generator<Day> {
  if (!listedRestsOn(page, question, USD)) return;
  origin.add(question.only ?? page.origin.source, page.origin.dataUpdatedAt);
  for (const { date, rates } of page.listed ?? []) {
    if (rates.some(({ symbol }) => isListed(page, question, symbol))) yield date;
  }
}

/** With `only` the page is one row: a currency's least fresh contribution is its first, and sources never go back. */
function listedRestsOn(
  { origin }: RangePage,
  { only = null }: SeriesQuestion,
  symbol: CurrencyIndex,
): boolean {
  return only === null || origin.symbolSources[currencyCode(symbol)] === only;
}

function isListed(page: RangePage, question: SeriesQuestion, symbol: CurrencyIndex): boolean {
  return question.symbols.includes(symbol) && listedRestsOn(page, question, symbol);
}

type Visit = (day: Day, rates: readonly SeriesRate[]) => void;

function visit(page: RangePage, question: SeriesQuestion, row: Visit): void {
  if (page.listed !== null) {
    if (!listedRestsOn(page, question, USD)) return;
    for (const { date, rates } of page.listed) {
      const listed = rates.filter(({ symbol }) => isListed(page, question, symbol));
      if (listed.length > 0)
        row(
          date,
          listed.map(({ symbol, text }) => ({ currency: symbol, text })),
        );
    }
    return;
  }
  for (const { block, from, to, columns } of page.spans) {
    const usd = columns.find((column) => column.to === USD);
    if (to === from) continue;
    const firstDay = columns[0]?.firstDay ?? 0;
    const [first, last] = [(block.days[from] as Day) - firstDay, (block.days[to - 1] as Day) - firstDay];
    // Digits of all rows at once: cutting a string is much cheaper than putting one together.
    const digits = columns.map(({ digits: all, ends }) =>
      all.toString("latin1", ends[first], ends[last + 1]),
    );
    for (let at = from; at < to; at++) {
      const day = block.days[at] as Day;
      const element = day - firstDay;
      if (!baseRestsOn(usd, element, question.only ?? null)) continue;
      const rates: SeriesRate[] = [];
      for (const [index, column] of columns.entries()) {
        if (!isWanted(question, column, element)) continue;
        const { ends } = column;
        const start = ends[first] as number;
        const text = digits[index]?.slice(
          (ends[element] as number) - start,
          (ends[element + 1] as number) - start,
        );
        rates.push({ currency: column.to, text: text ?? "" });
      }
      if (rates.length > 0) row(day, rates);
    }
  }
}

type OriginSoFar = ReturnType<typeof createOrigin>;

/** The least fresh of what is added. */
export function createOrigin() {
  let source: Source | null = null;
  let oldest: Instant | null = null;
  return {
    add(next: Source | null, at: Instant | null): void {
      if (next === null || at === null) return;
      if (source === null || oldest === null || lessFresh(next, at, source, oldest)) {
        source = next;
        oldest = at;
      }
    },
    origin: (): Origin => ({ source, dataUpdatedAt: oldest === null ? null : formatInstant(oldest) }),
  };
}
