/** Records of Frankfurter's second version: one a pair and date, including the base against itself. */

import { NO_ORIGIN, type Origin, type Rows } from "#api/compat/answer.ts";
import type { SeriesQuestion } from "#api/compat/series/pages.ts";
import { printSeries, type SeriesFormat } from "#api/compat/series/print.ts";
import { surveySeries } from "#api/compat/series/survey.ts";
import { type CurrencyCode, currencyCode } from "#domain/currency/currency.ts";
import { type Day, dayAt, formatDay } from "#domain/time/day.ts";
import type { RangeDeps } from "#rates/range/range.ts";
import { snapshot } from "./snapshot.ts";
import type { RatesQuestion } from "./v2-query.ts";

export interface DatedRecord {
  readonly day: Day;
  readonly quote: CurrencyCode;
  /** Printed digits. */
  readonly text: string;
}

/** How a record is written: `start` by the date and the base, the quote, `afterCode`, the digits, `afterDigits`. ASCII. */
export type RecordFormat = Pick<SeriesFormat, "between" | "afterCode" | "afterDigits"> & {
  readonly start: (date: string, base: CurrencyCode) => string;
};

/** A record as the format writes it. */
export function recordText(
  { start, afterCode, afterDigits }: RecordFormat,
  base: CurrencyCode,
  { day, quote, text }: DatedRecord,
): string {
  return `${start(formatDay(day), base)}${quote}${afterCode}${text}${afterDigits}`;
}

/** The records of an answer, in its order: those that open it, then a series whose rows come a page a step. */
export interface Records {
  readonly opening: readonly DatedRecord[];
  /** The rows of the series as the format writes their records. */
  readonly rest: (format: RecordFormat) => Rows;
  readonly origin: Origin;
  /** Version of the data that `rest` comes from; empty without a series. */
  readonly version: string;
}

const NOTHING: Records = { opening: [], rest: () => () => false, origin: NO_ORIGIN, version: "" };

/** What the records rest on, found out page by page. Nothing to say is an empty answer. */
export function* recordsOf(deps: RangeDeps, question: RatesQuestion): Generator<undefined, Records> {
  const { only, range, group, date } = question;
  if (only === "none") return NOTHING;
  const today = dayAt(deps.clock.now());
  if (range === null) return { ...NOTHING, ...openingOf(deps, question, date ?? today) };
  const { base, quotes } = question;
  const [start, end] = [range.from, range.to ?? today];
  if (start > end || start > today) return NOTHING;
  const shared = { base, symbols: quotes, end, only, fill: "none" } as const;
  if (group !== null) {
    const interval = group === "week" ? "1w" : "1mo";
    const means = yield* seriesOf(deps, { ...shared, start, interval, aggregate: "mean" });
    return { opening: [], ...means };
  }
  // The records in force on the first day open the series, each with its own date.
  const { opening, origin } = openingOf(deps, question, start);
  const sorted = { opening: opening.toSorted((a, b) => a.day - b.day) };
  if (start === end) return { ...NOTHING, ...sorted, origin };
  const rest = yield* seriesOf(deps, { ...shared, start: start + 1 });
  // The opening is never younger than what follows it.
  return { ...sorted, ...rest, origin: origin.source === null ? rest.origin : origin };
}

/** The records in force on a day. The base's own record has the date of the newest of the others. */
function openingOf(
  deps: RangeDeps,
  { base, quotes, only }: RatesQuestion,
  day: Day,
): Pick<Records, "opening" | "origin"> {
  const { rates, origin } = snapshot(deps, day, base, quotes, only === "none" ? null : only);
  const own = currencyCode(base);
  const others = rates.filter(({ code }) => code !== own).map((rate) => rate.day);
  const newest = Math.max(...others);
  const opening = rates.map(({ code, day: dated, text }) => ({
    day: code === own && others.length > 0 ? newest : dated,
    quote: code,
    text,
  }));
  return { opening, origin };
}

/** The base's own record is only sent with others, unless it is the only one requested. */
function* seriesOf(
  deps: RangeDeps,
  question: SeriesQuestion,
): Generator<undefined, Omit<Records, "opening">> {
  const { base, symbols } = question;
  const alone = symbols.length === 1 && symbols[0] === base;
  const survey = yield* surveySeries(deps, question);
  const { origin, version } = survey;
  const code = currencyCode(base);
  const rest: Records["rest"] = ({ start, ...format }) =>
    printSeries(deps, question, survey, {
      ...format,
      day: (date) => ({ open: "", value: start(date, code), close: "" }),
      notAlone: alone ? null : base,
    });
  return { rest, origin, version };
}
