/** Whole series, read page by page and printed in steps of a few milliseconds. */

import { type CurrencyCode, currencyCode } from "#domain/currency/currency.ts";
import { lessFresh, type Source } from "#domain/currency/source.ts";
import type { Simulated } from "#domain/dataset/dataset.ts";
import { Failure } from "#domain/faults/errors.ts";
import { hasValue, textAt } from "#domain/history/series.ts";
import { type Day, formatDay, type Instant } from "#domain/time/day.ts";
import type { RangeQuery } from "#rates/range/query.ts";
import { type RangeDeps, type RangePage, rangeSteps } from "#rates/range/range.ts";
import type { Origin } from "./compat.ts";

export type SeriesQuestion = Omit<RangeQuery, "limit" | "cursor">;

interface Value {
  readonly code: CurrencyCode;
  readonly digits: string;
}

/** Writes the values of a day, "YYYY-MM-DD", as one row or several, in a dialect. */
export type PrintDay = (date: string, values: readonly Value[]) => readonly string[];

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
  const dataset = deps.dataset();
  const pinned = { ...deps, dataset: () => dataset };
  const origin = createOrigin();
  const text: Uint8Array<ArrayBuffer>[] = [];
  let [first, last]: [Day | null, Day | null] = [null, null];
  let cursor: string | null = null;
  do {
    const page: RangePage | null = yield* pageOf(pinned, { ...question, limit: PAGE_ROWS, cursor });
    if (page === null) break;
    cursor = page.nextCursor;
    origin.add(page);
    const rows: string[] = [];
    for (const { day, values } of rowsOf(page)) {
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

function* rowsOf({ listed, spans }: RangePage) {
  for (const { date, rates } of listed ?? [])
    yield {
      day: date,
      values: rates.map(({ symbol, text }) => ({ code: currencyCode(symbol), digits: text })),
    };
  for (const { block, from, to, columns } of spans) {
    for (const day of block.days.subarray(from, to)) {
      const values = columns.flatMap((column) => {
        const at = day - column.firstDay;
        return hasValue(column, at) ? [{ code: currencyCode(column.to), digits: textAt(column, at) }] : [];
      });
      yield { day, values };
    }
  }
}

/** Collects the least fresh of the origins of pages, and their simulated parts. */
function createOrigin() {
  let source: Source | null = null;
  let oldest: Instant | null = null;
  const simulated = new Set<CurrencyCode>();
  let about: Pick<Simulated, "isDemo" | "isAll"> = { isDemo: false, isAll: true };
  return {
    add({ origin: { source: next, dataUpdatedAt: at }, simulated: added }: RangePage): void {
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
