/** Pages of a whole series from the range use case, and which of their values are wanted. */

import { type CurrencyIndex, currencyCode, USD } from "#domain/currency/currency.ts";
import { DAILY_SOURCES, type DailySource } from "#domain/currency/source.ts";
import { Failure } from "#domain/faults/errors.ts";
import { hasValue, type Series } from "#domain/history/series.ts";
import type { RangePage } from "#domain/rates/series.ts";
import type { Day } from "#domain/time/day.ts";
import { forSource } from "#rates/pending.ts";
import type { RangeQuery } from "#rates/range/query.ts";
import { firstCursor, LONGEST_PAGE, type RangeDeps, rangeSteps } from "#rates/range/range.ts";

export type SeriesQuestion = Omit<RangeQuery, "limit" | "cursor"> & {
  /** Leaves out every value that rests on another source. */
  readonly only?: DailySource | null;
};

/** Rows that are printed at once: a reader that does not read holds them. */
const PRINTED_ROWS = 24;

/** The steps of one page, and the page; null at the end. */
type NextPage = () => Generator<undefined, RangePage | null>;

/** Gives page after page, those of a version where one is given. A window without any value has none. */
export function pagesOf(deps: RangeDeps, question: SeriesQuestion, version: string | null): NextPage {
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

/** The rows of a page: of each day the columns that have a value at `at`, of the source that is wanted. */
export function* spanRowsOf({ spans }: RangePage, { only = null, symbols }: SeriesQuestion) {
  const restsOn = (column: Series | undefined, at: number) =>
    only === null || (column !== undefined && DAILY_SOURCES[column.ownSource[at] as number] === only);
  for (const { block, from, to, columns } of spans) {
    const usd = columns.find((column) => column.to === USD);
    const asked = columns.filter((column) => symbols.includes(column.to));
    for (let row = from; row < to; row++) {
      const day = block.days[row] as Day;
      const at = day - (columns[0]?.firstDay ?? 0);
      if (!restsOn(usd, at)) continue;
      const wanted = asked.filter((column) => hasValue(column, at) && restsOn(column, at));
      if (wanted.length > 0) yield { day, at, wanted };
    }
  }
}

/** The same of means. With `only` the page is one row: a currency's least fresh contribution is its first, and sources never go back. */
export function* listedRowsOf({ listed, origin }: RangePage, { only = null, symbols }: SeriesQuestion) {
  const restsOn = (symbol: CurrencyIndex) =>
    only === null || origin.symbolSources[currencyCode(symbol)] === only;
  if (!restsOn(USD)) return;
  for (const { date, rates } of listed ?? []) {
    const wanted = rates.filter(({ symbol }) => symbols.includes(symbol) && restsOn(symbol));
    if (wanted.length > 0) yield { day: date, wanted };
  }
}
