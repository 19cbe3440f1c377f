/** Weeks, months, quarters and years of a daily series, with the mean of their printed rates, and bars of intraday quotes. */

import type { CurrencyCode } from "#domain/currency/currency.ts";
import { parseDecimal, powerOfTen, ratioText, roundSignificant } from "#domain/number/decimal.ts";
import { DERIVED_DIGITS } from "#domain/number/leg-digits.ts";
import { type Day, dayOf, formatDay, type Instant, weekdayOf } from "#domain/time/day.ts";
import { bytes, doubles } from "./history.ts";

/** Intervals of more than a day: one row per ISO week (from Monday), calendar month, quarter or year. */
export const PERIODS = ["1w", "1mo", "1q", "1y"] as const;
export type PeriodInterval = (typeof PERIODS)[number];
export type DailyInterval = "1d" | PeriodInterval;

const MONTHS = { "1mo": 1, "1q": 3, "1y": 12 } as const;

/** last: the last value of a period. mean: the exact mean of its values. */
export const AGGREGATES = ["last", "mean"] as const;
export type Aggregate = (typeof AGGREGATES)[number];

/** `published`: days with figures of their own. `calendar`: all days; one without figures has the rate in force. */
export const MEAN_METHODS = ["published", "calendar"] as const;
export type MeanMethod = (typeof MEAN_METHODS)[number];

/** The first calendar day of the period that holds a day. It dates the period's row. */
export function periodStart(interval: DailyInterval, day: Day): Day {
  if (interval === "1d") return day;
  if (interval === "1w") return day - ((weekdayOf(day) + 6) % 7);
  return firstOfMonth(day, MONTHS[interval], 0);
}

export function periodEnd(interval: DailyInterval, day: Day): Day {
  if (interval === "1d") return day;
  if (interval === "1w") return periodStart(interval, day) + 6;
  return firstOfMonth(day, MONTHS[interval], 1) - 1;
}

/** The first day of the period of `months` calendar months that holds a day, or of the period that is `later` periods on. */
function firstOfMonth(day: Day, months: number, later: number): Day {
  const text = formatDay(day);
  const month = (Math.floor((Number(text.slice(5, 7)) - 1) / months) + later) * months;
  return dayOf(Number(text.slice(0, 4)) + Math.floor(month / 12), (month % 12) + 1, 1) as Day;
}

/** The second-to-last day of a weekday (0 is Sunday) in the month that holds a day. */
export function penultimateInMonth(weekday: number, day: Day): Day {
  const last = periodEnd("1mo", day);
  return last - ((weekdayOf(last) - weekday + 7) % 7) - 7;
}

const LARGEST_EXACT = 2 ** 53;

/** Printed digits in ASCII: the bytes from `from` up to, not including, `to`. */
export interface PrintedDigits {
  readonly bytes: Uint8Array;
  readonly from: number;
  readonly to: number;
}

/**
 * The arithmetic mean of positive decimals as printed, rounded half-even to ten significant digits, without trailing
 * zeros. Exact: doubles are used only where every step is an integer below 2^53.
 */
export function meanOfDigits(values: readonly PrintedDigits[]): string {
  let sum = 0;
  let scale = 0;
  for (const { bytes, from, to } of values) {
    let units = 0;
    let decimals = 0;
    let isFraction = false;
    for (let index = from; index < to; index++) {
      const code = bytes[index] as number;
      if (code === POINT) {
        isFraction = true;
        continue;
      }
      units = units * 10 + (code - ZERO);
      if (isFraction) decimals += 1;
    }
    if (units >= LARGEST_EXACT) return exactMean(values.map(textOf));
    if (decimals > scale) {
      sum *= 10 ** (decimals - scale);
      scale = decimals;
    }
    sum += units * 10 ** (scale - decimals);
    if (sum >= LARGEST_EXACT) return exactMean(values.map(textOf));
  }
  const denominator = values.length * 10 ** scale;
  return denominator < LARGEST_EXACT
    ? ratioText(sum, denominator, DERIVED_DIGITS)
    : exactMean(values.map(textOf));
}

const POINT = ".".charCodeAt(0);
const ZERO = "0".charCodeAt(0);

function textOf({ bytes, from, to }: PrintedDigits): string {
  return String.fromCharCode(...bytes.subarray(from, to));
}

function exactMean(texts: readonly string[]): string {
  let sum = 0n;
  let scale = 0;
  for (const text of texts) {
    const value = parseDecimal(text);
    if (value === null) throw new Error(`a rate is not a decimal: ${text}`);
    const common = Math.max(scale, value.scale);
    sum = sum * powerOfTen(common - scale) + value.units * powerOfTen(common - value.scale);
    scale = common;
  }
  return roundSignificant(sum, BigInt(texts.length) * powerOfTen(scale), DERIVED_DIGITS);
}

/** Open, high, low, close and mean of the prices of one pair in one interval of time. */
export interface Bar {
  /** First instant of the interval; intervals begin at multiples of their width since 1970-01-01T00:00Z. */
  readonly start: Instant;
  /** Observation of the oldest quote in it; the other leg of a cross may be from before the start. */
  readonly since: Instant;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly mean: number;
  readonly ticks: number;
  /** Present when a quote of the bar came from a file. */
  readonly imported?: true;
}

export const QUOTE_SIDES = ["mid", "bid", "ask"] as const;
export type QuoteSide = (typeof QUOTE_SIDES)[number];

export interface BarQuery {
  /** `mid` by default. A quote without that price does not count; the inverse of a bid is an ask. */
  readonly side?: QuoteSide;
  /** Bars are of units of `symbol` per one `base`. */
  readonly base: CurrencyCode;
  readonly symbol: CurrencyCode;
  /** Quotes observed from `from` up to, not including, `to`. */
  readonly from: Instant;
  readonly to: Instant;
  readonly widthSeconds: number;
  readonly order: "asc" | "desc";
  /** At most this many bars, from the beginning of the order. */
  readonly limit: number;
}

export const BAR_SECONDS = { "1m": 60, "5m": 300, "15m": 900, "1h": 3_600, "1d": 86_400 } as const;
export type BarInterval = keyof typeof BAR_SECONDS;

/** Bars of several symbols as parallel columns. */
export type BarColumns = Readonly<ReturnType<typeof emptyBarColumns>>;

export function emptyBarColumns(count: number) {
  return {
    count,
    /** CurrencyIndex. */
    symbol: bytes(count),
    /** Instant. */
    start: doubles(count),
    open: doubles(count),
    high: doubles(count),
    low: doubles(count),
    close: doubles(count),
    mean: doubles(count),
    ticks: doubles(count),
    /** 1 where a quote of the bar came from a file. */
    imported: bytes(count),
  };
}

/** Prints the last day that counts in the rates of a period; currencies with an earlier one are named with theirs. */
export function printedLastDates(dates: Readonly<Record<string, string>>): string {
  const days = Object.entries(dates);
  const newest = Object.values(dates).sort().at(-1) ?? "";
  return [newest, ...days.filter(([, day]) => day < newest).map((own) => own.join(" "))].join("; ");
}
