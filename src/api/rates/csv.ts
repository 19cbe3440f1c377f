/** Latest rates and the rates of a day as CSV (RFC 4180): one row per currency, with the digits of the JSON. */

import { csvType } from "#api/file-types.ts";
import { type CurrencyIndex, currencyCode } from "#domain/currency/currency.ts";
import { columnName, type RatesOrigin } from "#domain/dataset/dataset.ts";
import { withDecimals } from "#domain/number/decimal.ts";
import { formatDay, formatInstant } from "#domain/time/day.ts";
import type { HistoricalRates } from "#rates/historical.ts";
import type { LatestRates } from "#rates/latest.ts";

const COLUMNS = ["date", "base", "symbol", "rate", "source", "effective_at", "is_forward_filled", "derived"];

/** Describes this form for `otherTypes`; the operation describes `date` and `is_forward_filled`. */
export const ratesCsvType = (meaning: string, rows: readonly (readonly (string | boolean)[])[]) => ({
  ...csvType(COLUMNS, ` ${meaning}`),
  example: csvOf(rows, false),
});

/**
 * Prints latest rates. `date` is the UTC day of `effective_at`; `is_forward_filled` is true when a contributing figure
 * is of an earlier day.
 */
export function latestCsv({ base, rates, origin, dp, simulated }: LatestRates): string {
  const rows = rates.map(({ to, text, figures }) => {
    const date = origin.effectiveAt[currencyCode(to)]?.slice(0, 10) ?? "";
    const isFilled = figures.some(({ observedAt }) => formatInstant(observedAt) < date);
    return rowOf({ base, origin }, { date, to, rate: withDecimals(text, dp), isFilled });
  });
  return csvOf(rows, simulated.codes.length > 0);
}

/** Prints a day. `date` is the requested day; each rate has its own `is_forward_filled`. */
export function historicalCsv({ base, day, rates, origin, dp }: HistoricalRates): string {
  const date = formatDay(day);
  const rows = rates.map(([to, { text }]) => {
    const isFilled = origin.filled[currencyCode(to)] === true;
    return rowOf({ base, origin }, { date, to, rate: withDecimals(text, dp), isFilled });
  });
  return csvOf(rows, origin.simulated.codes.length > 0);
}

interface Row {
  readonly date: string;
  readonly to: CurrencyIndex;
  readonly rate: string;
  readonly isFilled: boolean;
}

function rowOf(
  { base, origin }: { readonly base: CurrencyIndex; readonly origin: RatesOrigin },
  { date, to, rate, isFilled }: Row,
): readonly (string | boolean)[] {
  const code = currencyCode(to);
  const { sources, effectiveAt, derivedSymbols } = origin;
  const derived = derivedSymbols.includes(code);
  return [
    date,
    currencyCode(base),
    code,
    rate,
    sources[code] ?? "",
    effectiveAt[code] ?? "",
    isFilled,
    derived,
  ];
}

/** Cells are codes, digits and instants: they have no comma, quote or line break. */
function csvOf(rows: readonly (readonly (string | boolean)[])[], isSimulated: boolean): string {
  const columns = COLUMNS.map((name) => columnName(name, name === "rate" && isSimulated));
  return [columns, ...rows].map((cells) => `${cells.join(",")}\r\n`).join("");
}
