/** The data of the page of a pair: the current rate, and the daily history as the browser gets it. */

import { FILL_DAYS } from "#domain/history/history.ts";
import { formatDay } from "#domain/time/day.ts";
import { dateOf, type Origin, rounded, timeOf } from "#web/shared/figure.tsx";
import { type Snippet, snippetsOf } from "#web/shared/snippets.tsx";

export interface PairNow extends Omit<Origin, "isSimulated"> {
  readonly base: string;
  readonly quote: string;
  readonly baseName: string;
  readonly quoteName: string;
  /** Digits as the API prints them. */
  readonly rate: string;
  readonly inverse: string;
  /** Begins the texts that leave the page, where the rate rests on a simulated figure; else empty. */
  readonly mark: string;
  readonly isDerived: boolean;
  /** Ceiling of the error of a triangulated rate in basis points; null for other rates. */
  readonly boundBps: number | null;
  /** The currencies and instants of the figures behind the rate when they are more than a day apart; else empty. */
  readonly apart: readonly (readonly [code: string, effectiveAt: string])[];
}

const APART_DIGITS = 4;

/** A rate of the pair as the head of the page shows it. Figures of different days do not justify all digits: four are shown then. */
export function shownRate({ apart }: PairNow, rate: string): string {
  return apart.length === 0 ? rate : rounded(rate, APART_DIGITS);
}

/** Title and description. Lists of tabs and of search results show them without the page, so they state their day. */
export function pairTitle(now: PairNow): string {
  const rate = `${shownRate(now, now.rate)} of ${momentOf(now)}`;
  return `${now.mark}${now.base} to ${now.quote}: ${rate} · Crossrate`;
}

/** "13 Apr 2026", of a live rate "13 Apr 2026, 12:15 UTC". */
export function momentOf({ source, effectiveAt }: Pick<PairNow, "source" | "effectiveAt">): string {
  return `${dateOf(effectiveAt)}${source === "live" ? `, ${timeOf(effectiveAt).slice(0, 5)} UTC` : ""}`;
}

/** Daily reference rates, or bars of intraday quotes, ascending by date. */
export interface PairSeries {
  /** Changes with every publication and correction. */
  readonly version: string | null;
  /** Days since 1970-01-01, with a fraction for bars within a day. The first is absolute, the others are distances from the one before. */
  readonly days: readonly number[];
  /** Printed digits, one for each element of `days`. */
  readonly rates: readonly string[];
  /** Days with a rate that rests on a corrected figure. */
  readonly corrected: readonly number[];
  /** Days with a rate that rests on a simulated figure; only the demo has some. */
  readonly simulated: readonly number[];
  /** The width of a bar; null for daily rates. A bar at midnight is not a day. */
  readonly width: BarWidth | null;
}

type BarWidth = "15m" | "1h";

export const WINDOWS = ["1D", "1W", "1M", "6M", "1Y", "5Y", "10Y", "All"] as const;
export type Window = (typeof WINDOWS)[number];

/** Windows that are drawn from bars of intraday quotes, with the width of a bar. */
export const BARS: Readonly<Partial<Record<Window, BarWidth>>> = { "1D": "15m", "1W": "1h" };

const DAYS: Readonly<Record<Window, number>> = {
  "1D": 1,
  "1W": 7,
  "1M": 31,
  "6M": 183,
  "1Y": 366,
  "5Y": 1827,
  "10Y": 3653,
  All: Number.POSITIVE_INFINITY,
};

export function windowStart(window: Window, first: number, last: number): number {
  return Math.max(first, last - DAYS[window]);
}

/** The series with absolute days since 1970-01-01, and with rates as numbers, too. */
export function unpacked({ days, rates, ...series }: PairSeries) {
  let day = 0;
  const dates = days.map((step) => {
    day += step;
    return day;
  });
  const [corrected, simulated] = [new Set(series.corrected), new Set(series.simulated)];
  return { ...series, days: dates, rates, values: rates.map(Number), corrected, simulated };
}

export type Unpacked = ReturnType<typeof unpacked>;

export interface Span {
  readonly first: number;
  readonly last: number;
}

/** A shorter period is hardly a line. */
const LEAST_DAYS = 14;

/** The period after a key on the chart: narrower, wider, earlier or later, never beyond `whole`. Null for any other key. */
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

export interface Shown {
  readonly series: Unpacked;
  /** A second pair: both are shown as percent of their first rate in the period. */
  readonly other: Unpacked | null;
  readonly span: Span;
  readonly isLogarithmic: boolean;
}

const DAY_SECONDS = 86_400;

type Column = (number | null | undefined)[];
type Columns = [number[], ...Column[]];

/** The columns of the chart: instants in seconds; rates and marks of corrections, or two pairs in percent of their first rates. */
export function chartColumns({ series, other, span }: Omit<Shown, "isLogarithmic">): Columns {
  const inside = ({ days, values }: Unpacked) => {
    const points = new Map<number, number | null>();
    days.forEach((day, at) => {
      if (day < span.first || day > span.last) return;
      const before = days[at - 1] ?? day;
      // No rate is filled for longer: a line over the years without a figure of ISK would be made up.
      if (points.size > 0 && day - before > FILL_DAYS) points.set(before + 1, null);
      points.set(day, values[at] as number);
    });
    return points;
  };
  const first = inside(series);
  if (other === null) {
    const days = [...first.keys()];
    const marks = days.map((day) => (series.corrected.has(day) ? (first.get(day) ?? null) : null));
    return [days.map((day) => day * DAY_SECONDS), [...first.values()], marks];
  }
  const second = inside(other);
  const days = [...new Set([...first.keys(), ...second.keys()])].sort((a, b) => a - b);
  // Null interrupts a line; undefined, on a day that only the other pair has, does not.
  const indexed = (points: Map<number, number | null>) => {
    const start = points.values().next().value ?? 1;
    let missing: null | undefined;
    return days.map((day) => {
      const value = points.get(day);
      if (points.has(day)) missing = value === null ? null : undefined;
      return value == null ? missing : (value / start) * 100;
    });
  };
  return [days.map((day) => day * DAY_SECONDS), indexed(first), indexed(second)];
}

/** Summarizes a period of a series: its ends and extremes as printed, and the change in percent. Null without a value in it. */
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
  return formatDay(Math.floor(day));
}

/** What the chart shows, as in the address of the page. */
export interface View {
  /** Null after a zoom: then `zoom` has the period. */
  readonly window: Window | null;
  readonly zoom: Span | null;
  readonly compared: string;
  readonly isLogarithmic: boolean;
}

const FIRST_VIEW: View = { window: "1Y", zoom: null, compared: "", isLogarithmic: false };

/** Reads the view from a query; invalid parts get their defaults. */
export function viewOf(query: URLSearchParams): View {
  const window = WINDOWS.find((name) => name === query.get("range")) ?? FIRST_VIEW.window;
  const [first, last] = ["start", "end"].map((name) => Date.parse(query.get(name) ?? "") / 86_400_000);
  const zoom = (first as number) < (last as number) ? { first: first as number, last: last as number } : null;
  const compared = query.get("compare") ?? "";
  return {
    ...{ window: zoom === null ? window : null, zoom },
    ...{ compared: /^[A-Z]{3}$/.test(compared) ? compared : "", isLogarithmic: query.get("scale") === "log" },
  };
}

/** The query with the view in it; other parameters stay. */
export function queryWith(
  query: URLSearchParams,
  { window, zoom, compared, isLogarithmic }: View,
): URLSearchParams {
  const next = new URLSearchParams(query);
  const values = {
    range: window === FIRST_VIEW.window ? null : window,
    start: zoom === null ? null : dateText(Math.round(zoom.first)),
    end: zoom === null ? null : dateText(Math.round(zoom.last)),
    compare: compared || null,
    scale: isLogarithmic ? "log" : null,
  };
  for (const [name, value] of Object.entries(values)) {
    if (value === null) next.delete(name);
    else next.set(name, value);
  }
  return next;
}

export function pairSnippets(origin: string, base: string, quote: string): readonly Snippet[] {
  const slug = `${base}-${quote}`.toLowerCase();
  const ts = `const { rate } = await crossrate.rate("${slug}");`;
  return snippetsOf({ origin }, `/v1/rate/${slug}`, ts, `rate = crossrate.rate("${slug}").rate`);
}
