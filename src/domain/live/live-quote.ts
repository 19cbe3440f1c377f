/** One intraday quote as a feed delivered it. Never an inverse, never a cross. */

import type { CurrencyCode } from "#domain/currency.ts";
import type { Instant } from "#domain/day.ts";

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
  /** The feed's own time of the price; the response's Date where the feed has none. */
  readonly observedAt: Instant;
  /** When the response arrived here. */
  readonly retrievedAt: Instant;
}
