/** Bars of intraday quotes: the query, and the content of a bar. */

import type { CurrencyCode } from "#domain/currency/currency.ts";
import type { Instant } from "#domain/time/day.ts";

/** Open, high, low, close and mean of the mids of one pair in one interval of time. */
export interface Bar {
  /** First instant of the interval; intervals begin at multiples of their width since 1970-01-01T00:00Z. */
  readonly start: Instant;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  /** Arithmetic mean of the mids. */
  readonly mean: number;
  readonly ticks: number;
}

export interface BarQuery {
  /** Bars are of units of `symbol` per one `base`. */
  readonly base: CurrencyCode;
  readonly symbol: CurrencyCode;
  /** Quotes observed from `from` up to, not including, `to`. */
  readonly from: Instant;
  readonly to: Instant;
  readonly widthSeconds: number;
  readonly order: "asc" | "desc";
  /** At most so many bars, from the beginning of the order. */
  readonly limit: number;
}

/** Intervals of bars and their widths in seconds. */
export const BAR_SECONDS = { "1m": 60, "5m": 300, "15m": 900, "1h": 3_600, "1d": 86_400 } as const;
export type BarInterval = keyof typeof BAR_SECONDS;

/** Bars of several symbols as parallel columns. */
export interface BarColumns {
  readonly count: number;
  /** CurrencyIndex. */
  readonly symbol: Uint8Array;
  /** Instant. */
  readonly start: Float64Array;
  readonly open: Float64Array;
  readonly high: Float64Array;
  readonly low: Float64Array;
  readonly close: Float64Array;
  readonly mean: Float64Array;
  readonly ticks: Float64Array;
}

/** Columns of `count` rows, to be filled in. */
export function emptyBarColumns(count: number): BarColumns {
  const numbers = () => new Float64Array(count);
  return {
    count,
    symbol: new Uint8Array(count),
    start: numbers(),
    open: numbers(),
    high: numbers(),
    low: numbers(),
    close: numbers(),
    mean: numbers(),
    ticks: numbers(),
  };
}
