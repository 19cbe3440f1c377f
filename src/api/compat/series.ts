/** Whole series, read page by page and printed in steps of a few milliseconds. */

import { type CurrencyCode, type CurrencyIndex, currencyCode, USD } from "#domain/currency/currency.ts";
import { DAILY_SOURCES, type DailySource, lessFresh, type Source } from "#domain/currency/source.ts";
import { type Simulated, simulatedOnDays } from "#domain/dataset/dataset.ts";
import { Failure } from "#domain/faults/errors.ts";
import { hasValue, type Series, textAt } from "#domain/history/series.ts";
import { type Day, formatDay, type Instant } from "#domain/time/day.ts";
import { forSource } from "#rates/query.ts";
import type { RangeQuery } from "#rates/range/query.ts";
import { type RangeDeps, type RangePage, rangeSteps } from "#rates/range/range.ts";
import type { Origin } from "./compat.ts";

export type SeriesQuestion = Omit<RangeQuery, "limit" | "cursor"> & {
  /** Leaves out the values of all other sources; null or absent leaves out nothing. */
  readonly only?: DailySource | null;
};

interface Value {
  readonly symbol: CurrencyIndex;
  readonly code: CurrencyCode;
  readonly digits: string;
  readonly observedAt: Instant | null;
}

/** Writes the values of a day, "YYYY-MM-DD", as one row or several, in a dialect. */
export type PrintDay = (date: string, values: readonly Pick<Value, "code" | "digits">[]) => readonly string[];

interface PrintedSeries {
  /** Rows with their separators; each element is the bytes of one page. */
  readonly text: readonly Uint8Array<ArrayBuffer>[];
  readonly origin: Required<Origin>;
  /** Days of the first and the last row; null without rows. */
  readonly first: Day | null;
  readonly last: Day | null;
}

const ENCODER = new TextEncoder();
const PAGE_ROWS = 100;

export function* printSeries(
  deps: RangeDeps,
  question: SeriesQuestion,
  printDay: PrintDay,
  between: string,
): Generator<undefined, PrintedSeries> {
  const { only = null, ...requested } = question;
  // The value of USD has the source of the base: H.10 has no figure of USD itself.
  const symbols =
    only === null || requested.symbols.includes(USD) ? requested.symbols : [...requested.symbols, USD];
  // A page of means states one source for all its rows: each mean gets its own page.
  const isMean = requested.interval !== undefined && requested.interval !== "1d";
  const query = { ...requested, symbols, limit: isMean && only !== null ? 1 : PAGE_ROWS };
  const origin = createOrigin();
  const text: Uint8Array<ArrayBuffer>[] = [];
  let [first, last]: [Day | null, Day | null] = [null, null];
  let cursor: string | null = null;
  do {
    const page: RangePage | null = yield* pageOf(forSource(deps, only), { ...query, cursor });
    if (page === null) break;
    cursor = page.nextCursor;
    if (only === null) origin.add({ ...page.origin, simulated: page.simulated });
    const rows: string[] = [];
    for (const { day, values } of rowsOf(page, question)) {
      if (only !== null)
        for (const { symbol, observedAt } of values) {
          const simulated = page.dataset.simulated
            ? simulatedOnDays(page.dataset, question.base, [symbol], () => [day])
            : page.simulated;
          origin.add({ source: only, dataUpdatedAt: observedAt, simulated });
        }
      first ??= day;
      last = day;
      rows.push(...printDay(formatDay(day), values));
    }
    if (rows.length > 0)
      text.push(ENCODER.encode(`${text.length === 0 ? "" : between}${rows.join(between)}`));
    yield undefined;
  } while (cursor !== null);
  return { text, origin: origin.origin(), first, last };
}

/** Returns null for a window without values. */
function* pageOf(deps: RangeDeps, query: RangeQuery): Generator<undefined, RangePage | null> {
  try {
    return yield* rangeSteps(deps, query);
  } catch (thrown) {
    if (thrown instanceof Failure && thrown.code === "no_data_for_date") return null;
    throw thrown;
  }
}

/** Yields the rows of a page that have a value of the requested source. */
function* rowsOf(page: RangePage, { only = null, symbols }: SeriesQuestion) {
  const isOf = (source: Source | undefined) => only === null || source === only;
  const { symbolSources, dataUpdatedAt: observedAt } = page.origin;
  // With `only` a page of means has one row. A currency's stated source is that of its first figure in the row, and
  // later figures never come from an earlier source.
  const restsOn = (symbol: CurrencyIndex) => isOf(symbolSources[currencyCode(symbol)]);
  for (const { date, rates } of page.listed ?? []) {
    const values: Value[] = rates
      .filter(({ symbol }) => symbols.includes(symbol) && restsOn(USD) && restsOn(symbol))
      .map(({ symbol, text }) => ({ symbol, code: currencyCode(symbol), digits: text, observedAt }));
    if (values.length > 0) yield { day: date, values };
  }
  for (const { block, from, to, columns } of page.spans) {
    const ownSource = (column: Series | undefined, at: number) =>
      DAILY_SOURCES[column?.ownSource[at] as number];
    const usd = columns.find((column) => column.to === USD);
    const asked = columns.filter((column) => symbols.includes(column.to));
    for (let row = from; row < to; row++) {
      const day = block.days[row] as Day;
      const at = day - (columns[0]?.firstDay ?? 0);
      if (!isOf(ownSource(usd, at))) continue;
      const values: Value[] = asked
        .filter((column) => hasValue(column, at) && isOf(ownSource(column, at)))
        .map((column) => ({
          symbol: column.to,
          code: currencyCode(column.to),
          digits: textAt(column, at),
          observedAt: column.observedAt[at] as Instant,
        }));
      if (values.length > 0) yield { day, values };
    }
  }
}

interface AddedOrigin {
  readonly source: Source | null;
  readonly dataUpdatedAt: Instant | null;
  readonly simulated: Simulated;
}

/** Collects the least fresh of the added origins, and their simulated parts. */
function createOrigin() {
  let source: Source | null = null;
  let oldest: Instant | null = null;
  const simulated = new Set<CurrencyCode>();
  let about: Pick<Simulated, "isDemo" | "isAll"> = { isDemo: false, isAll: true };
  return {
    add({ source: next, dataUpdatedAt: at, simulated: added }: AddedOrigin): void {
      if (next === null || at === null) return;
      for (const code of added.codes) simulated.add(code);
      about = { isDemo: added.isDemo, isAll: about.isAll && added.isAll };
      if (source === null || oldest === null || lessFresh(next, at, source, oldest)) {
        source = next;
        oldest = at;
      }
    },
    origin: () => ({
      source,
      dataUpdatedAt: oldest,
      simulated: { ...about, codes: [...simulated] },
    }),
  };
}

/** Prints a member of a JSON object for each day: `"2026-04-10":{"EUR":0.85,"GBP":0.73}`. `digits` changes the printed numbers. */
export function printMembers(
  deps: RangeDeps,
  question: SeriesQuestion,
  digits = (printed: string) => printed,
): Generator<undefined, PrintedSeries> {
  const printDay: PrintDay = (date, values) => {
    const members = values.map(({ code, digits: printed }) => `"${code}":${digits(printed)}`);
    return [`"${date}":{${members.join(",")}}`];
  };
  return printSeries(deps, question, printDay, ",");
}

/** Joins the other members of a body with its printed days. */
export function withRates(head: object, days: PrintedSeries["text"]) {
  return [`${JSON.stringify(head).slice(0, -1)},"rates":{`, ...days, "}}"];
}
