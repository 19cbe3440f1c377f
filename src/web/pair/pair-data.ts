/** The data of the page of a pair: the current rate, and the daily history as the browser gets it. */

export interface PairNow {
  readonly base: string;
  readonly quote: string;
  readonly baseName: string;
  readonly quoteName: string;
  /** Digits as the API prints them. */
  readonly rate: string;
  /** The same in the other direction. */
  readonly inverse: string;
  readonly source: string;
  readonly effectiveAt: string;
  readonly isStale: boolean;
  readonly isDerived: boolean;
  /** Ceiling of the error of a triangulated rate in basis points; null where there is none to state. */
  readonly boundBps: number | null;
}

/** Of the document; it changes with the rate. */
export function pairTitle({ base, quote, rate }: PairNow): string {
  return `${base} to ${quote}: ${rate} · Crossrate`;
}

/** Daily reference rates, ascending by date. */
export interface PairSeries {
  readonly base: string;
  readonly quote: string;
  /** Days since 1970-01-01: the first as it is, the others as the distance from the one before. */
  readonly days: readonly number[];
  /** Printed digits, one an element of `days`. */
  readonly rates: readonly string[];
  /** Days whose rate rests on a corrected figure. */
  readonly corrected: readonly number[];
}

export const WINDOWS = ["1M", "6M", "1Y", "5Y", "10Y", "All"] as const;
export type Window = (typeof WINDOWS)[number];

const DAYS: Readonly<Record<Window, number>> = {
  "1M": 31,
  "6M": 183,
  "1Y": 366,
  "5Y": 1827,
  "10Y": 3653,
  All: Number.POSITIVE_INFINITY,
};

/** First day of a window that ends with `last`. */
export function windowStart(window: Window, first: number, last: number): number {
  return Math.max(first, last - DAYS[window]);
}

/** The series with its days since 1970-01-01. */
export function unpacked({ days, rates, corrected }: PairSeries) {
  let day = 0;
  const dates = days.map((step) => {
    day += step;
    return day;
  });
  return { days: dates, rates, values: rates.map(Number), corrected: new Set(corrected) };
}

export type Unpacked = ReturnType<typeof unpacked>;

export interface Span {
  readonly first: number;
  readonly last: number;
}

/** A shorter stretch is hardly a line. */
const LEAST_DAYS = 14;

/** The stretch after a key on the chart: nearer, wider, earlier, later. Null for a key that says nothing; never beyond `whole`. */
export function zoomedBy(key: string, { first, last }: Span, whole: Span): Span | null {
  const days = last - first;
  const quarter = Math.max(1, Math.floor(days / 4));
  if (key === "+" || key === "=")
    return days < 2 * LEAST_DAYS ? { first, last } : { first: first + quarter, last: last - quarter };
  if (key === "-")
    return {
      first: Math.max(whole.first, first - 2 * quarter),
      last: Math.min(whole.last, last + 2 * quarter),
    };
  if (key !== "ArrowLeft" && key !== "ArrowRight") return null;
  const step =
    key === "ArrowLeft" ? Math.max(-quarter, whole.first - first) : Math.min(quarter, whole.last - last);
  return { first: first + step, last: last + step };
}

/** What a stretch of a series says: its ends and extremes as printed, and the change in percent. Null where it has no value. */
export function summaryOf(series: Unpacked, { first, last }: Span) {
  const from = series.days.findIndex((day) => day >= first);
  const to = series.days.findLastIndex((day) => day <= last);
  if (from === -1 || to < from) return null;
  let [low, high] = [from, from];
  for (let at = from; at <= to; at++) {
    if ((series.values[at] as number) < (series.values[low] as number)) low = at;
    if ((series.values[at] as number) > (series.values[high] as number)) high = at;
  }
  const pick = (at: number) => ({ day: series.days[at] as number, rate: series.rates[at] as string });
  const change = ((series.values[to] as number) / (series.values[from] as number) - 1) * 100;
  return { from, to, start: pick(from), end: pick(to), low: pick(low), high: pick(high), change };
}

/** A day since 1970-01-01 as "2026-04-13". */
export function dateText(day: number): string {
  return new Date(day * 86_400_000).toISOString().slice(0, 10);
}
