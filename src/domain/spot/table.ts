/** The newest value of every currency against the dollar: a live quote where one may be served, otherwise the daily figure in force. */

import {
  CURRENCY_CODES,
  type CurrencyCode,
  type CurrencyIndex,
  currencyCode,
  USD,
} from "#domain/currency/currency.ts";
import type { Dataset } from "#domain/dataset/dataset.ts";
import type { PendingSource } from "#domain/intake/pending-sources.ts";
import type { Book } from "#domain/live/book.ts";
import type { FeedId, LiveQuote } from "#domain/live/live-quote.ts";
import { OLDEST_OPEN_HOURS } from "#domain/live/quote-rules.ts";
import { type Instant, MILLISECONDS_PER_DAY } from "#domain/time/day.ts";
import { type MarketSession, marketSession, openMilliseconds } from "#domain/time/session.ts";
import { type DailySpot, dailySpot, liveFigure, NO_DAILY, type SpotStep } from "./daily.ts";

/** Immutable; answers made from one table belong together, and hold as long as it does. */
export interface SpotTable {
  readonly now: Instant;
  /** From this instant on another table is needed in any case. */
  readonly holdsUntil: Instant;
  readonly session: MarketSession;
  /** A table of the demo, where quotes are simulated. */
  readonly simulated: boolean;
  /** True when daily figures are left out because they may be in damaged files. */
  readonly isDamaged: boolean;
  /** Daily sources of which nothing was ever collected. */
  readonly pending: readonly PendingSource[];
  /**
   * By currency: the steps of its rate per dollar, its own figure first; empty for the dollar; null where nothing is
   * known. One value a currency, so that reciprocals and triangles close, whichever currencies are live.
   */
  readonly chains: readonly (readonly SpotStep[] | null)[];
  /** What the chains of currencies without a live quote are taken from, and pairs of these where the sources have holes. */
  readonly daily: DailySpot;
  /** Currencies whose live quote is too old to serve while no daily figure is newer. */
  readonly expired: ReadonlySet<CurrencyCode>;
}

export interface SpotQuery {
  /** null before the first ingest, and where the newest figures may be damaged. */
  readonly dataset: Dataset | null;
  readonly isDamaged?: boolean;
  readonly book: Book;
  readonly policy: LivePolicy;
  readonly now: Instant;
  /** The demo: quotes are simulated. */
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
  /** False for a quote that must not be served beside the references of now; absent: the book holds none. */
  readonly isCredible?: (quote: LiveQuote) => boolean;
}

interface QuoteAge {
  readonly verdict: "fresh" | "stale" | "expired";
  /** When the verdict changes if the market stays open meanwhile; the caller checks again whenever a session begins or ends. */
  readonly turnsAt: Instant;
}

const OLDEST_OPEN_MILLISECONDS = OLDEST_OPEN_HOURS * 3_600_000;
/** The market is never shut for a week, so that a quote this old is expired without counting. */
const SURELY_EXPIRED = 7 * MILLISECONDS_PER_DAY;

/** The verdict on a quote observed at an instant: exactly at its limit it still holds. No window is longer than 24 hours. */
export function ageOf(observedAt: Instant, now: Instant, staleAfterSeconds: number): QuoteAge {
  if (now - observedAt > SURELY_EXPIRED) return { verdict: "expired", turnsAt: Number.POSITIVE_INFINITY };
  const window = Math.min(staleAfterSeconds * 1000, OLDEST_OPEN_MILLISECONDS);
  const open = openMilliseconds(observedAt, now);
  // A quote whose time is a little ahead of ours has no age before its time has come.
  const since = Math.max(now, observedAt);
  if (open <= window) return { verdict: "fresh", turnsAt: since + (window - open) + 1 };
  if (open <= OLDEST_OPEN_MILLISECONDS) {
    return { verdict: "stale", turnsAt: since + (OLDEST_OPEN_MILLISECONDS - open) + 1 };
  }
  return { verdict: "expired", turnsAt: Number.POSITIVE_INFINITY };
}
