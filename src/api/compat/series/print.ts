/** The second pass over a series: writes its rows as the reader takes them. */

import type { Rows } from "#api/compat/answer.ts";
import { type CurrencyIndex, currencyCode } from "#domain/currency/currency.ts";
import { textAt } from "#domain/history/series.ts";
import type { RangePage } from "#domain/rates/series.ts";
import type { AsciiWriter } from "#domain/text/ascii-writer.ts";
import { formatDay } from "#domain/time/day.ts";
import { type RangeDeps, wholeOf } from "#rates/range/range.ts";
import { listedRowsOf, pagesOf, type SeriesQuestion, spanRowsOf } from "./pages.ts";
import type { Survey } from "./survey.ts";

/** How a dialect writes the values of a day: `open`, then of each value `value`, the currency's code, `afterCode`, its digits, `afterDigits`, then `close`. ASCII. */
export interface SeriesFormat {
  /** Stands between two values, and between two days. */
  readonly between: string;
  /** By the date, "YYYY-MM-DD". */
  readonly day: (date: string) => { readonly open: string; readonly value: string; readonly close: string };
  readonly afterCode: string;
  readonly afterDigits: string;
  /** The digits as they are sent; as they are printed unless given. */
  readonly digits?: (printed: string) => string;
  /** Leaves out a day on which this currency is the only one. */
  readonly notAlone?: CurrencyIndex | null;
}

/** A member of a JSON object for each day: `"2026-04-10":{"EUR":0.85,"GBP":0.73}`. */
export const DAY_MEMBERS: SeriesFormat = {
  between: ",",
  day: (date) => ({ open: `"${date}":{`, value: '"', close: "}" }),
  afterCode: '":',
  afterDigits: "",
};

/**
 * The second pass: writes the rows of the next page, a page a step; false at the end. Between two steps it holds
 * a cursor and nothing else, because a reader may take its time. Throws when the version is no longer available.
 */
export function printSeries(
  deps: RangeDeps,
  question: SeriesQuestion,
  { version }: Survey,
  format: SeriesFormat,
): Rows {
  const next = pagesOf(deps, question, version);
  return (writer, begin) => {
    const page = version === "" ? null : wholeOf(next());
    if (page === null) return false;
    if (page.listed === null) writeSpans(page, question, format, writer, begin);
    else writeListed(page, question, format, writer, begin);
    return true;
  };
}

function writeListed(
  page: RangePage,
  question: SeriesQuestion,
  format: SeriesFormat,
  writer: AsciiWriter,
  begin: () => void,
): void {
  const { digits = (printed) => printed, notAlone = null } = format;
  for (const { day, wanted } of listedRowsOf(page, question)) {
    if (wanted.length === 1 && wanted[0]?.symbol === notAlone) continue;
    const { open, value, close } = format.day(formatDay(day));
    const values = wanted.map(
      ({ symbol, text }) =>
        `${value}${currencyCode(symbol)}${format.afterCode}${digits(text)}${format.afterDigits}`,
    );
    begin();
    writer.text(`${open}${values.join(format.between)}${close}`);
  }
}

/** Copies the digits of the columns: a string for each value would be a quarter of a million of them in a whole series. */
function writeSpans(
  page: RangePage,
  question: SeriesQuestion,
  format: SeriesFormat,
  writer: AsciiWriter,
  begin: () => void,
): void {
  const { between, digits, notAlone = null } = format;
  const afterDigits = ASCII.encode(format.afterDigits);
  const codes = new Map(
    question.symbols.map((symbol) => [symbol, ASCII.encode(`${currencyCode(symbol)}${format.afterCode}`)]),
  );
  for (const { day, at, wanted } of spanRowsOf(page, question)) {
    if (wanted.length === 1 && wanted[0]?.to === notAlone) continue;
    const { open, value, close } = format.day(formatDay(day));
    const next = ASCII.encode(`${between}${value}`);
    begin();
    writer.text(`${open}${value}`);
    for (const [nth, column] of wanted.entries()) {
      if (nth > 0) writer.bytes(next);
      writer.bytes(codes.get(column.to) as Uint8Array);
      if (digits === undefined) writer.bytes(column.digits, column.ends[at], column.ends[at + 1]);
      else writer.text(digits(textAt(column, at)));
      writer.bytes(afterDigits);
    }
    writer.text(close);
  }
}

const ASCII = new TextEncoder();
