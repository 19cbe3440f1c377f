/** The newest value of every currency against the dollar: a live quote where one may be served, otherwise the daily figure in force. */

import {
  CURRENCY_CODES,
  CURRENCY_COUNT,
  type CurrencyCode,
  type CurrencyIndex,
  currencyCode,
  currencyIndex,
  USD,
} from "#domain/currency/currency.ts";
import { DAILY_SOURCES, type DailySource, type Source } from "#domain/currency/source.ts";
import { type Dataset, isSimulatedRow, type View } from "#domain/dataset/dataset.ts";
import { type Cross, crossRate, pivotOn, relativeError } from "#domain/history/cross.ts";
import { currencyOfRow, type History, type Row } from "#domain/history/history.ts";
import { isStale, newestDueDay, suspendedCurrencies } from "#domain/history/schedule.ts";
import type { PendingSource } from "#domain/intake/reading.ts";
import type { Book } from "#domain/live/book.ts";
import type { FeedId, LiveQuote } from "#domain/live/live-quote.ts";
import { MOST_AHEAD_SECONDS, OLDEST_OPEN_HOURS } from "#domain/live/quote-evidence.ts";
import { parseDecimal } from "#domain/number/decimal.ts";
import { type MarketSession, marketSession, openMilliseconds } from "#domain/time/calendar.ts";
import { type Day, dayAt, type Instant, MILLISECONDS_PER_DAY } from "#domain/time/day.ts";

/** Immutable. Answers from one table are consistent, and valid as long as it is. */
export interface SpotTable {
  /** Stands for the table in caches: an answer that is out of date must not retain a table of live rates. */
  readonly identity: symbol;
  readonly now: Instant;
  /** From this instant on a new table is needed. */
  readonly holdsUntil: Instant;
  readonly session: MarketSession;
  /** A table of the demo, where quotes are simulated. */
  readonly simulated: boolean;
  /** True when daily figures are left out because they may be in damaged files. */
  readonly isDamaged: boolean;
  readonly pending: readonly PendingSource[];
  /**
   * By currency: the steps of its rate per dollar, its own figure first; empty for the dollar; null without a rate. One value per
   * currency: reciprocals and triangles are consistent.
   */
  readonly chains: readonly (readonly SpotStep[] | null)[];
  /** The rates by daily figures alone, used for currencies without a live quote. */
  readonly daily: DailySpot;
  /** Currencies with a live quote too old to serve and no newer daily figure. */
  readonly expired: ReadonlySet<CurrencyCode>;
}

export interface SpotQuery {
  /** Null before the first ingest, and where the newest figures may be damaged. */
  readonly dataset: Dataset | null;
  readonly isDamaged?: boolean;
  readonly book: Pick<Book, "quotes">;
  readonly policy: LivePolicy;
  readonly now: Instant;
  readonly simulated: boolean;
}

const MINUTE = 60_000;

/** Linear in currencies; some tens of microseconds. */
export function spotTable(question: SpotQuery): SpotTable {
  const { dataset, book, policy, now, simulated, isDamaged = false } = question;
  // Sessions, days and publication times all turn on whole minutes.
  let holdsUntil = (Math.floor(now / MINUTE) + 1) * MINUTE;
  const daily = dataset === null ? NO_DAILY : dailySpot(dataset, now);
  const expired = new Set<CurrencyCode>();
  const chains = CURRENCY_CODES.map((code, currency): readonly SpotStep[] | null => {
    const chain = daily.chains[currency] ?? null;
    if (currency === USD) return chain;
    const quote = policy.currencies.has(code) ? book.quotes.get(code) : undefined;
    if (quote === undefined) return chain;
    const { verdict, turnsAt } = ageOf(quote.observedAt, now, policy.staleAfterSeconds(quote.feed));
    holdsUntil = Math.min(holdsUntil, turnsAt);
    if (verdict !== "expired") {
      return [
        { figure: liveFigure(quote, verdict === "stale", simulated), multiplies: quote.base === "USD" },
      ];
    }
    const isNewer = (chain?.[0]?.figure.observedAt ?? Number.NEGATIVE_INFINITY) > quote.observedAt;
    if (!isNewer) expired.add(code);
    return isNewer ? chain : null;
  });
  return {
    identity: Symbol("spot table"),
    now,
    holdsUntil,
    session: marketSession(now),
    simulated,
    isDamaged,
    pending: dataset?.pending ?? [],
    chains,
    daily,
    expired,
  };
}

/** True when the currency's latest rate is made of daily figures, or would be if there were any. */
export function isDaily({ chains, daily, expired }: SpotTable, currency: CurrencyIndex): boolean {
  return chains[currency] === daily.chains[currency] && !expired.has(currencyCode(currency));
}

export interface LivePolicy {
  /** Currencies that are served live; quotes of others are left aside. */
  readonly currencies: ReadonlySet<CurrencyCode>;
  /** A quote of the feed that is older than this, in open market, is stale. */
  readonly staleAfterSeconds: (feed: FeedId) => number;
  /** False for a quote that must not be served with the current references; absent where the book holds no such quote. */
  readonly isCredible?: (quote: LiveQuote) => boolean;
}

const OLDEST_OPEN_MILLISECONDS = OLDEST_OPEN_HOURS * 3_600_000;
/** The market is never closed for a week: an older quote is expired without counting open hours. */
const SURELY_EXPIRED = 7 * MILLISECONDS_PER_DAY;

const EXPIRED = { verdict: "expired", turnsAt: Number.POSITIVE_INFINITY } as const;

/**
 * The verdict on a quote observed at an instant, and when it changes if the market stays open meanwhile; the caller checks again whenever a
 * session begins or ends. Limits are inclusive. No window is longer than 24 hours.
 */
export function ageOf(observedAt: Instant, now: Instant, staleAfterSeconds: number) {
  if (now - observedAt > SURELY_EXPIRED) return EXPIRED;
  const window = Math.min(staleAfterSeconds * 1000, OLDEST_OPEN_MILLISECONDS);
  const open = openMilliseconds(observedAt, now);
  // The clock was set back since: the age of the quote is unknown.
  const ours = observedAt - MOST_AHEAD_SECONDS * 1000;
  if (now < ours) return { verdict: "stale", turnsAt: ours } as const;
  // A quote with a time a little ahead of ours has no age before that time.
  const since = Math.max(now, observedAt);
  if (open <= window) return { verdict: "fresh", turnsAt: since + (window - open) + 1 } as const;
  if (open > OLDEST_OPEN_MILLISECONDS) return EXPIRED;
  return { verdict: "stale", turnsAt: since + (OLDEST_OPEN_MILLISECONDS - open) + 1 } as const;
}

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

function liveFigure(delivered: LiveQuote, stale: boolean, simulated: boolean): SpotFigure {
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

export interface SpotStep {
  readonly figure: SpotFigure;
  readonly multiplies: boolean;
}

/** Holds no dataset: tables that are remembered for long share it. */
export interface DailySpot {
  /** By currency: the steps of its rate per dollar, its own figure first; empty for the dollar; null without a rate. */
  readonly chains: readonly (readonly SpotStep[] | null)[];
  /** By currency: the figure by which it is known, or null. */
  readonly ownFigures: readonly (SpotFigure | null)[];
  /**
   * By pairKey: the steps of pairs of one source, null without a rate. Empty while the newest figures of each source are of one
   * date: the chains then give the same rates.
   */
  readonly direct: ReadonlyMap<number, readonly SpotStep[] | null>;
  /** Date of the last figure of each suspended currency. */
  readonly suspended: ReadonlyMap<CurrencyIndex, Day>;
  /** The newest day of all figures; null without figures. */
  readonly newestDay: Day | null;
}

export function pairKey(from: CurrencyIndex, to: CurrencyIndex): number {
  return from * CURRENCY_COUNT + to;
}

const ALL: readonly CurrencyIndex[] = Array.from({ length: CURRENCY_COUNT }, (_, currency) => currency);

const NO_DAILY: DailySpot = {
  chains: ALL.map((currency) => (currency === USD ? [] : null)),
  ownFigures: ALL.map(() => null),
  direct: new Map(),
  suspended: new Map(),
  newestDay: null,
};

const cache = new WeakMap<Dataset, { readonly key: string; readonly made: DailySpot }>();

/** One object per dataset until the day turns or a source's next figures are due: only these change it. */
function dailySpot(dataset: Dataset, now: Instant): DailySpot {
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
    ownFigures: ALL.map((currency) => {
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

/** True when chains and crossRate give equal rates for pairs of one source: one date per source, and the ECB's dollar in force. */
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
