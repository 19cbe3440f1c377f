/**
 * One figure behind a spot rate, live or daily, in the same terms; and the daily part of a spot table: the newest value of
 * every currency against the dollar, and the values for pairs of one source.
 */

import { CURRENCY_COUNT, type CurrencyIndex, currencyIndex, USD } from "#domain/currency/currency.ts";
import { DAILY_SOURCES, type DailySource, type Source } from "#domain/currency/source.ts";
import type { Dataset, View } from "#domain/dataset/dataset.ts";
import { isSimulatedRow } from "#domain/dataset/simulated.ts";
import { type Cross, crossRate, pivotOn, relativeError } from "#domain/history/cross.ts";
import { currencyOfRow, type History, type Row } from "#domain/history/history.ts";
import { isStale, newestDueDay, suspendedCurrencies } from "#domain/history/schedule.ts";
import type { FeedId, LiveQuote } from "#domain/live/live-quote.ts";
import { parseDecimal } from "#domain/number/decimal.ts";
import { type Day, dayAt, type Instant } from "#domain/time/day.ts";

export interface SpotFigure {
  /** The printed digits: units / 10^scale, exactly. */
  readonly units: number;
  readonly scale: number;
  readonly source: Source;
  /** The currency that the figure is about: the side that is not the pivot of its giver. */
  readonly currency: CurrencyIndex;
  /** Who gave it. Rounding bounds an error only between figures of one giver and one time. */
  readonly giver: FeedId | DailySource;
  readonly observedAt: Instant;
  /** Half the spread where there is a bid and an ask, else half a unit of the last digit; relative to the figure. */
  readonly relativeError: number;
  readonly stale: boolean;
  readonly simulated: boolean;
  /** The quote, or the observation by the number of its source and its date. */
  readonly origin: FigureOrigin;
}

type FigureOrigin =
  | { readonly kind: "live"; readonly quote: LiveQuote }
  | { readonly kind: "daily"; readonly source: number; readonly date: Day };

/** The figure of a live quote, already judged stale or not; in the demo it is simulated. */
export function liveFigure(delivered: LiveQuote, stale: boolean, simulated: boolean): SpotFigure {
  const { feed, base, quote, mid, bid, ask, observedAt } = delivered;
  const digits = parseDecimal(mid);
  if (digits === null) throw new Error(`a live quote is not a decimal: ${mid}`);
  const half = bid === null || ask === null ? 0.5 * 10 ** -digits.scale : (Number(ask) - Number(bid)) / 2;
  return {
    // At most 15 significant digits: a double holds them exactly.
    units: Number(digits.units),
    scale: digits.scale,
    source: "live",
    currency: currencyIndex(base === "USD" ? quote : base),
    giver: feed,
    observedAt,
    relativeError: half / Number(mid),
    stale,
    simulated,
    origin: { kind: "live", quote: delivered },
  };
}

/** The figure of a daily observation as of the view's now. */
function dailyFigure({ dataset, now }: View, row: Row): SpotFigure {
  const { observations } = dataset.history;
  const place = observations.source[row] as number;
  const source = DAILY_SOURCES[place] as DailySource;
  const date = observations.date[row] as Day;
  return {
    units: observations.units[row] as number,
    scale: observations.scale[row] as number,
    source,
    currency: currencyOfRow(dataset.history, row),
    giver: source,
    observedAt: observations.observedAt[row] as Instant,
    relativeError: relativeError(dataset.history, row),
    stale: isStale(source, date, dataset.coveredThrough[source] ?? date, now),
    simulated: isSimulatedRow(dataset, row),
    origin: { kind: "daily", source: place, date },
  };
}

/** A figure inside a rate. */
export interface SpotStep {
  readonly figure: SpotFigure;
  /** True when the figure multiplies on the way, false when it divides. */
  readonly multiplies: boolean;
}

/** Holds no dataset: tables that are remembered for long share it. */
export interface DailySpot {
  /**
   * By currency: the steps of its rate per dollar, its own figure first, of one date; empty for the dollar; null where
   * there is none.
   */
  readonly chains: readonly (readonly SpotStep[] | null)[];
  /** By currency: the figure by which it is known, or null. */
  readonly known: readonly (SpotFigure | null)[];
  /**
   * By pairKey: the steps of pairs that rest on one source only, null for one without a rate. Empty where the chains
   * give the same, which is so while the newest figures of each source are of one date.
   */
  readonly direct: ReadonlyMap<number, readonly SpotStep[] | null>;
  /** Date of the last figure of each suspended currency. */
  readonly suspended: ReadonlyMap<CurrencyIndex, Day>;
  /** Of all figures; null where there are none. */
  readonly newestDay: Day | null;
}

export function pairKey(from: CurrencyIndex, to: CurrencyIndex): number {
  return from * CURRENCY_COUNT + to;
}

const ALL: readonly CurrencyIndex[] = Array.from({ length: CURRENCY_COUNT }, (_, currency) => currency);

export const NO_DAILY: DailySpot = {
  chains: ALL.map((currency) => (currency === USD ? [] : null)),
  known: ALL.map(() => null),
  direct: new Map(),
  suspended: new Map(),
  newestDay: null,
};

const cache = new WeakMap<Dataset, { readonly key: string; readonly made: DailySpot }>();

/** One object a dataset until the day turns or a source's next figures fall due: nothing else shows in it. */
export function dailySpot(dataset: Dataset, now: Instant): DailySpot {
  const key = [dayAt(now), ...DAILY_SOURCES.map((source) => newestDueDay(source, now))].join(" ");
  const last = cache.get(dataset);
  if (last?.key === key) return last.made;
  const made = make(dataset, now);
  cache.set(dataset, { key, made });
  return made;
}

function make(dataset: Dataset, now: Instant): DailySpot {
  const { history } = dataset;
  const day = dayAt(now);
  const figures = new Map<Row, SpotFigure>();
  const figureOf = (row: Row): SpotFigure => {
    const figure = figures.get(row) ?? dailyFigure({ dataset, now }, row);
    figures.set(row, figure);
    return figure;
  };
  const stepsOf = (cross: Cross | null): readonly SpotStep[] | null =>
    cross?.legs.map(({ row, multiplies }) => ({ figure: figureOf(row), multiplies })) ?? null;
  return {
    chains: ALL.map((to) => (to === USD ? [] : stepsOf(crossRate(history, day, USD, to)))),
    known: ALL.map((currency) => {
      const row = crossRate(history, day, currency, currency)?.rows[0];
      return row === undefined ? null : figureOf(row);
    }),
    direct: isEven(history, day) ? new Map() : directSteps(history, day, stepsOf),
    suspended: new Map(
      suspendedCurrencies(history, day).map(({ currency, lastDate }) => [currency, lastDate]),
    ),
    newestDay: history.observations.count === 0 ? null : history.lastDay,
  };
}

/** True when the chains give the rates of pairs of one source as crossRate does: one date a source, connected by the ECB's dollar. */
function isEven(history: History, day: Day): boolean {
  const { date, source } = history.observations;
  const dates = DAILY_SOURCES.map(() => new Set<Day>());
  for (const currency of ALL) {
    const row = history.inForce(day, currency);
    if (row >= 0) dates[source[row] as number]?.add(date[row] as Day);
  }
  return history.inForce(day, USD) >= 0 && dates.every(({ size }) => size <= 1);
}

function directSteps(
  history: History,
  day: Day,
  stepsOf: (cross: Cross | null) => readonly SpotStep[] | null,
): DailySpot["direct"] {
  const direct = new Map<number, readonly SpotStep[] | null>();
  const pivots = ALL.map((currency) => pivotOn(history, day, currency));
  const isJoined = history.inForce(day, USD) >= 0;
  for (const from of ALL) {
    for (const to of ALL) {
      const [below, above] = [pivots[from] as number, pivots[to] as number];
      // Two sources that the ECB's dollar joins: each side by its own value against the dollar.
      const isAcross = isJoined && below !== above;
      if (from === to || below < 0 || above < 0 || isAcross) continue;
      direct.set(pairKey(from, to), stepsOf(crossRate(history, day, from, to)));
    }
  }
  return direct;
}
