/** Whole series, read and printed in steps of a few milliseconds. */

import { type CurrencyCode, currencyCode } from "#domain/currency/currency.ts";
import { Failure } from "#domain/faults/errors.ts";
import { hasValue, textAt } from "#domain/history/series.ts";
import { type Day, formatDay } from "#domain/time/day.ts";
import type { RangeQuery } from "#rates/range/query.ts";
import { type RangeDeps, type RangePage, rangeSteps } from "#rates/range/range.ts";
import { NO_ORIGIN, type Origin } from "./compat.ts";

export type SeriesQuestion = Omit<RangeQuery, "limit" | "cursor">;

interface Value {
  readonly code: CurrencyCode;
  readonly digits: string;
}

/** Writes the values of a day, "YYYY-MM-DD", as one row or several, in a dialect. */
export type PrintDay = (date: string, values: readonly Value[]) => readonly string[];

interface PrintedSeries {
  /** Rows with their separators, as bytes of some hundred rows each. */
  readonly text: readonly Uint8Array<ArrayBuffer>[];
  readonly origin: Origin;
  /** Days of the first and the last row; null without rows. */
  readonly first: Day | null;
  readonly last: Day | null;
}

const ENCODER = new TextEncoder();
const STEP_ROWS = 100;

export function* printSeries(
  deps: RangeDeps,
  question: SeriesQuestion,
  printDay: PrintDay,
  between: string,
): Generator<undefined, PrintedSeries> {
  const page = yield* wholeOf(deps, question);
  const text: Uint8Array<ArrayBuffer>[] = [];
  let [first, last]: [Day | null, Day | null] = [null, null];
  for (const rows of page === null ? [] : stepsOf(page)) {
    first ??= rows[0]?.day ?? null;
    last = rows.at(-1)?.day ?? last;
    const printed = rows.flatMap(({ day, values }) => printDay(formatDay(day), values));
    if (printed.length > 0)
      text.push(ENCODER.encode(`${text.length === 0 ? "" : between}${printed.join(between)}`));
    yield undefined;
  }
  const origin = page === null ? NO_ORIGIN : { ...page.origin, simulated: page.simulated };
  return { text, origin, first, last };
}

/** Returns null for a window without values. */
function* wholeOf(deps: RangeDeps, question: SeriesQuestion): Generator<undefined, RangePage | null> {
  try {
    return yield* rangeSteps(deps, { ...question, limit: Number.POSITIVE_INFINITY, cursor: null });
  } catch (thrown) {
    if (thrown instanceof Failure && thrown.code === "no_data_for_date") return null;
    throw thrown;
  }
}

/** The rows of a page, as many at a time as one step prints. */
function* stepsOf({ listed, spans }: RangePage) {
  for (let at = 0; listed !== null && at < listed.length; at += STEP_ROWS)
    yield listed.slice(at, at + STEP_ROWS).map(({ date, rates }) => ({
      day: date,
      values: rates.map(({ symbol, text }) => ({ code: currencyCode(symbol), digits: text })),
    }));
  for (const { block, from, to, columns } of spans)
    yield Array.from(block.days.subarray(from, to), (day) => ({
      day,
      values: columns.flatMap((column) => {
        const at = day - column.firstDay;
        return hasValue(column, at) ? [{ code: currencyCode(column.to), digits: textAt(column, at) }] : [];
      }),
    }));
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
