/** A whole time series row by row, page after page of the range use case, with other requests let through in between. */

import { type CurrencyIndex, currencyCode, USD } from "#domain/currency.ts";
import { type Day, formatInstant, type Instant } from "#domain/day.ts";
import { Failure } from "#domain/errors.ts";
import { DAILY_SOURCES, type DailySource, lessFresh, type Source } from "#domain/source.ts";
import { LONGEST_PAGE, type RangeDeps, type RangePage, type RangeQuery, range } from "#rates/range.ts";
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

type Visit = (day: Day, rates: readonly SeriesRate[]) => void;

/** Visits every row in order of date; resolves with what they rest on. A window without any value visits nothing. */
export async function walkSeries(deps: RangeDeps, question: SeriesQuestion, visit: Visit): Promise<Origin> {
  const { only = null, ...query } = question;
  // USD stands for the base: whatever else is asked, it shows which source the base itself rests on.
  const symbols = only === null || query.symbols.includes(USD) ? query.symbols : [...query.symbols, USD];
  // A mean says only of its whole page which source it has, so that each gets a page of its own.
  const isMean = query.interval !== undefined && query.interval !== "1d";
  const limit = isMean && only !== null ? 1 : LONGEST_PAGE;
  const origin = createOrigin();
  for (let cursor: string | null = null, first = true; first || cursor !== null; first = false) {
    const page: RangePage | null = pageOf(deps, { ...query, symbols, limit, cursor });
    if (page === null) break;
    if (page.listed === null) visitSpans(page, question, visit, origin);
    else visitListed(page, question, visit, origin);
    cursor = page.nextCursor;
    if (cursor !== null) await otherRequests();
  }
  return origin.origin();
}

function pageOf(deps: RangeDeps, query: RangeQuery): RangePage | null {
  try {
    return range(deps, query);
  } catch (thrown) {
    if (thrown instanceof Failure && thrown.code === "no_data_for_date") return null;
    throw thrown;
  }
}

function visitSpans(
  { spans, origin: whole }: RangePage,
  { symbols, only = null }: SeriesQuestion,
  visit: Visit,
  origin: OriginSoFar,
): void {
  if (only === null) origin.add(whole.source, whole.dataUpdatedAt);
  for (const { block, from, to, columns } of spans) {
    const usd = columns.find((column) => column.to === USD);
    for (let row = from; row < to; row++) {
      const day = block.days[row] as Day;
      const rates: SeriesRate[] = [];
      const at = day - (columns[0]?.firstDay ?? 0);
      if (only !== null && (usd === undefined || DAILY_SOURCES[usd.ownSource[at] as number] !== only))
        continue;
      for (const column of columns) {
        const text = column.text[at];
        if (text === undefined || !symbols.includes(column.to)) continue;
        if (only !== null) {
          if (DAILY_SOURCES[column.ownSource[at] as number] !== only) continue;
          origin.add(only, column.observedAt[at] as Instant);
        }
        rates.push({ currency: column.to, text });
      }
      if (rates.length > 0) visit(day, rates);
    }
  }
}

function visitListed(
  page: RangePage,
  { symbols, only = null }: SeriesQuestion,
  visit: Visit,
  origin: OriginSoFar,
): void {
  // With `only` the page is one row: a currency's least fresh contribution is its first, and sources never go back.
  const isOnly = (symbol: CurrencyIndex) =>
    only === null || page.origin.symbolSources[currencyCode(symbol)] === only;
  if (!isOnly(USD)) return;
  origin.add(only ?? page.origin.source, page.origin.dataUpdatedAt);
  for (const { date, rates } of page.listed ?? []) {
    const kept = rates.filter(({ symbol }) => symbols.includes(symbol) && isOnly(symbol));
    if (kept.length === 0) continue;
    visit(
      date,
      kept.map(({ symbol, text }) => ({ currency: symbol, text })),
    );
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

function otherRequests(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
