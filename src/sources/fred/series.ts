/** The H.10 series on FRED: currency, direction and decimals of each. */

import type { CurrencyCode } from "#domain/currency/currency.ts";
import type { Figure } from "#domain/history/observation.ts";
import { fredObservedAt } from "#domain/time/calendar.ts";
import type { Day } from "#domain/time/day.ts";
import { decimalsOf, perDay } from "#sources/reading.ts";

interface FredSeries {
  readonly id: string;
  readonly currency: CurrencyCode;
  /** per_usd: units of the currency for one dollar; usd_per: dollars for one unit (starred in the release). */
  readonly direction: "per_usd" | "usd_per";
  readonly decimals: number;
}

const PER_USD: readonly (readonly [currency: CurrencyCode, id: string, decimals: number])[] = [
  ["BRL", "DEXBZUS", 4],
  ["CAD", "DEXCAUS", 4],
  ["CHF", "DEXSZUS", 4],
  ["CNY", "DEXCHUS", 4],
  ["DKK", "DEXDNUS", 4],
  ["HKD", "DEXHKUS", 4],
  ["INR", "DEXINUS", 2],
  ["JPY", "DEXJPUS", 2],
  ["KRW", "DEXKOUS", 2],
  ["MXN", "DEXMXUS", 4],
  ["MYR", "DEXMAUS", 4],
  ["NOK", "DEXNOUS", 4],
  ["SEK", "DEXSDUS", 4],
  ["SGD", "DEXSIUS", 4],
  ["THB", "DEXTHUS", 2],
  ["TWD", "DEXTAUS", 2],
  ["ZAR", "DEXSFUS", 4],
];

const USD_PER: readonly (readonly [currency: CurrencyCode, id: string, decimals: number])[] = [
  ["AUD", "DEXUSAL", 4],
  ["EUR", "DEXUSEU", 4],
  ["GBP", "DEXUSUK", 4],
  ["NZD", "DEXUSNZ", 4],
];

export const FRED_SERIES: readonly FredSeries[] = [
  ...PER_USD.map(([currency, id, decimals]) => ({ id, currency, direction: "per_usd" as const, decimals })),
  ...USD_PER.map(([currency, id, decimals]) => ({ id, currency, direction: "usd_per" as const, decimals })),
];

/** The series of an id. Throws RangeError on an id that is not in the table: requests are built from the table. */
export function fredSeries(id: string): FredSeries {
  const series = FRED_SERIES.find((candidate) => candidate.id === id);
  if (series === undefined) throw new RangeError(`no such H.10 series: ${id}`);
  return series;
}

/** Days without a figure: federal holidays and closures. The mark differs by format and age of the download. */
export function isMissing(value: string): boolean {
  return value === "." || value === "" || value === "ND";
}

const observedAt = perDay(fredObservedAt);

/** The figure as printed, in the direction of its series, observed at noon in New York. FRED does not say when it was published. */
export function fredFigure(series: FredSeries, date: Day, printed: string): Figure {
  const perUsd = series.direction === "per_usd";
  return {
    date,
    base: perUsd ? "USD" : series.currency,
    quote: perUsd ? series.currency : "USD",
    printed,
    decimals: decimalsOf(series.decimals, printed),
    observedAt: observedAt(date),
    publishedAt: null,
  };
}
