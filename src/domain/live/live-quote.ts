/** One intraday quote as a feed delivered it. Never an inverse, never a cross. */

import type { CurrencyCode } from "#domain/currency/currency.ts";
import type { Instant } from "#domain/time/day.ts";

/** Feeds that deliver intraday quotes, in the order in which they are documented. */
export const FEEDS = ["coinbase", "oxr", "massive", "twelvedata", "oanda"] as const;
export type FeedId = (typeof FEEDS)[number];

/** Digits of a quote: the double nearest to any decimal of that length prints as the same decimal again. */
export const QUOTE_DIGITS = 15;

/**
 * 1 `base` = `mid` `quote`. Bid and ask are null where the feed has one price only; where it has both, `mid` is their
 * exact mean. All three are plain decimals of at most QUOTE_DIGITS significant digits.
 */
export interface LiveQuote {
  readonly feed: FeedId;
  readonly base: CurrencyCode;
  readonly quote: CurrencyCode;
  readonly bid: string | null;
  readonly ask: string | null;
  readonly mid: string;
  /** The feed's own time of the price; the response's Date where the feed has none. Never later than `retrievedAt`. */
  readonly observedAt: Instant;
  /** When the response arrived here. */
  readonly retrievedAt: Instant;
  /** The other feed that confirmed it, where the price is so far from its daily reference that one had to. Not archived. */
  readonly supportedBy?: FeedId;
}

/** The name of a quote in the archive. */
export type ArchivedQuote = Pick<LiveQuote, "feed" | "base" | "quote" | "observedAt" | "retrievedAt">;

/** The clocks of one installation agree within so much. */
const CLOCK_TOLERANCE_MILLISECONDS = 10_000;

/** True for a time that a clock gave which was wrong: a quote of such a time yields to any that is not of one. */
export function isAhead(observedAt: Instant, now: Instant): boolean {
  return observedAt > now + CLOCK_TOLERANCE_MILLISECONDS;
}
