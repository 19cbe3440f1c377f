/** Whether a live quote may still be served, and whether it is stale: age counts only while the market is open. */

import type { CurrencyCode } from "#domain/currency/currency.ts";
import type { FeedId, LiveQuote } from "#domain/live/live-quote.ts";
import { openMilliseconds } from "#domain/live/market-time.ts";
import { OLDEST_OPEN_HOURS } from "#domain/live/quote-rules.ts";
import { type Instant, MILLISECONDS_PER_DAY } from "#domain/time/day.ts";

export interface LivePolicy {
  /** Currencies that are served live; quotes of others are left aside. */
  readonly currencies: ReadonlySet<CurrencyCode>;
  /** A quote of the feed that is older than this, in open market, is stale. */
  readonly staleAfterSeconds: (feed: FeedId) => number;
  /** False for a quote that must not be served beside the references of now; absent: the book holds none. */
  readonly isCredible?: (quote: LiveQuote) => boolean;
}

export interface QuoteAge {
  readonly verdict: "fresh" | "stale" | "expired";
  /** When the verdict changes if the market stays open meanwhile; the caller looks again at every turn of a session. */
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
