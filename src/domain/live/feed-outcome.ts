/** The outcome of one poll of a live feed. sources/live makes it, feed-choice.ts judges it. */

import type { CurrencyCode } from "#domain/currency/currency.ts";
import type { UpstreamFaultKind } from "#domain/faults/upstream.ts";
import type { Instant } from "#domain/time/day.ts";
import type { FeedId, LiveQuote } from "./live-quote.ts";

/** Why a quote of an intact document is not used; one currency's refusal does not affect the others. */
export const QUOTE_RULES = [
  /** Requested and not in the document. */
  "missing",
  /** The feed states that it does not quote the pair. */
  "not_offered",
  /** The pair is there without a price. */
  "no_price",
  "not_a_number",
  "not_positive",
  /** Outside of what any pair of the catalog can cost. */
  "out_of_range",
  /** Half a unit of the last printed digit is over 2 basis points of the value. */
  "too_coarse",
  /** The bid is above the ask. */
  "crossed",
  "wide_spread",
  /** Neither the feed nor the response has the time of the price. */
  "no_time",
  "future_time",
  /** More than 24 hours of open market ago. */
  "too_old",
  /** The price is of a time at which the market was closed. */
  "market_closed",
] as const;
export type QuoteRule = (typeof QUOTE_RULES)[number];

export interface QuoteRefusal {
  readonly currency: CurrencyCode;
  readonly rule: QuoteRule;
  /** One sentence with the numbers. */
  readonly reason: string;
}

/** What one intact document has for the requested currencies: each is in exactly one of the lists. */
export interface FeedReading {
  readonly quotes: readonly LiveQuote[];
  readonly refusals: readonly QuoteRefusal[];
  /** Set when the feed refused a part for want of quota and so must not be polled for a while; else null. */
  readonly limited: string | null;
}

export interface PolledFeed {
  readonly feed: FeedId;
  /** When the poll ended. */
  readonly at: Instant;
  /** What was requested; nothing follows for other currencies. */
  readonly requested: readonly CurrencyCode[];
}

/** The feed must not be polled again before `pauseUntil`. */
export type FeedOutcome =
  | (PolledFeed & {
      readonly kind: "quotes";
      readonly quotes: readonly LiveQuote[];
      readonly refusals: readonly QuoteRefusal[];
      readonly pauseUntil: Instant | null;
    })
  /** The feed answered, by a validator, that nothing has changed since the document that was last remembered. */
  | (PolledFeed & { readonly kind: "unchanged" })
  | (PolledFeed & {
      readonly kind: "failed";
      readonly fault: UpstreamFaultKind | "broken_document";
      /** For an operator; without credentials. */
      readonly detail: string;
      readonly pauseUntil: Instant | null;
    });

/** The currency of a quote that is not the dollar: live quotes are all against it. */
export function currencyOf(quote: Pick<LiveQuote, "base" | "quote">): CurrencyCode {
  return quote.base === "USD" ? quote.quote : quote.base;
}

export interface FeedState {
  readonly feed: FeedId;
  readonly lastAttemptAt: Instant | null;
  readonly lastSuccessAt: Instant | null;
  readonly outcome: "never" | FeedOutcome["kind"];
  readonly detail: string | null;
  readonly pausedUntil: Instant | null;
}
