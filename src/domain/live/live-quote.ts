/** The values of live quotes: a quote as a feed delivered it (never an inverse, never a cross), the outcome of one poll, and the references that quotes are judged by. */

import type { CurrencyCode } from "#domain/currency/currency.ts";
import type { UpstreamFaultKind } from "#domain/faults/upstream.ts";
import type { Instant } from "#domain/time/day.ts";

/** Feeds that deliver intraday quotes, in the order in which they are documented. */
export const FEEDS = ["coinbase", "oxr", "massive", "twelvedata", "oanda"] as const;
export type FeedId = (typeof FEEDS)[number];

/** The feed of quotes from files: in the archive's files, never live. */
export const IMPORTED_FEED = "imported";

/** Digits of a quote: the double nearest to any decimal of that length prints as the same decimal again. */
export const QUOTE_DIGITS = 15;
/** A stored price. */
export const PRICE = /^(?=.*[1-9])\d{1,15}(?:\.\d{1,22})?$/;

/**
 * 1 `base` = `mid` `quote`. Bid and ask are null where the feed has one price; else `mid` is their exact mean. All are plain
 * decimals of at most QUOTE_DIGITS significant digits.
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
  readonly retrievedAt: Instant;
  /** The other feed that confirmed a price more than 1.05 from its daily reference; absent where no confirmation was needed. Not archived. */
  readonly supportedBy?: FeedId;
}

/** Between USD and any currency of the catalog a price lies from 0.00004 to 20,000, either way. RANGE is wider by a factor of 40. */
export const RANGE = { least: 1e-6, most: 1e6 };

/** What identifies a quote in the archive. */
export type ArchivedQuote = Pick<LiveQuote, "feed" | "base" | "quote" | "observedAt" | "retrievedAt">;

/** The clocks of one installation agree within this tolerance. */
const CLOCK_TOLERANCE_MILLISECONDS = 10_000;

/** True for a time from a wrong clock: such a quote yields to any other. */
export function isAhead(observedAt: Instant, now: Instant): boolean {
  return observedAt > now + CLOCK_TOLERANCE_MILLISECONDS;
}

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
  readonly reason: string;
}

/** What one intact document has for the requested currencies: each is in exactly one of the lists. */
export interface FeedReading {
  readonly quotes: readonly LiveQuote[];
  readonly refusals: readonly QuoteRefusal[];
  /** The prices of the requested currencies as printed, of quotes and of refusals. */
  readonly printed: string;
  /** Set when the feed refused a part because its quota is used up, and must not be polled for a while; else null. */
  readonly limited: string | null;
}

export interface PolledFeed {
  readonly feed: FeedId;
  readonly at: Instant;
  /** The requested currencies; the outcome says nothing about others. */
  readonly requested: readonly CurrencyCode[];
}

/** The feed must not be polled again before `pauseUntil`. */
export type FeedOutcome =
  | (PolledFeed &
      Pick<FeedReading, "quotes" | "refusals"> & {
        readonly kind: "quotes";
        readonly pauseUntil: Instant | null;
      })
  /** The feed answered, by a validator, that nothing has changed since the last remembered document. */
  | (PolledFeed & { readonly kind: "unchanged" })
  | (PolledFeed & {
      readonly kind: "failed";
      readonly fault: UpstreamFaultKind | "broken_document";
      /** For an operator; without credentials. */
      readonly detail: string;
      readonly pauseUntil: Instant | null;
    });

/** The side of a quote that is not the dollar: all live quotes are against it. */
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

export interface Reference {
  /** Units of the currency per dollar, as a double: for comparing only, never to be stored or served as a rate. */
  readonly perDollar: number;
  /** The oldest observation in it: a later one makes a newer reference. */
  readonly observedAt: Instant;
}

export type References = ReadonlyMap<CurrencyCode, Reference>;

/** The factor between two positive values, at least 1 and the same in both directions: max(r, 1/r). */
export function ratioOf(a: number, b: number): number {
  return Math.max(a / b, b / a);
}

export interface QuoteRelease {
  readonly at: Instant;
  readonly feed: FeedId;
  readonly currency: CurrencyCode;
  /** The mid of the pair as the feed quotes it, a plain decimal. */
  readonly price: string;
  /** The reference in force at that moment, or null. A newer one ends the release. */
  readonly reference: Reference | null;
}

/** A price at most so many times the released one, either way, is covered. */
export const RELEASED_RATIO = 1.1;

/** True while no reference newer than the release's own is in force. */
export function isInForce(release: QuoteRelease, reference: Reference | null): boolean {
  if (reference === null) return true;
  return release.reference !== null && reference.observedAt <= release.reference.observedAt;
}

/** True when one of the releases covers the quote under the current reference. */
export function isReleased(
  quote: LiveQuote,
  reference: Reference | null,
  releases: readonly QuoteRelease[],
): boolean {
  return releases.some(
    (release) =>
      release.feed === quote.feed &&
      release.currency === currencyOf(quote) &&
      ratioOf(Number(quote.mid), Number(release.price)) <= RELEASED_RATIO &&
      isInForce(release, reference),
  );
}

/** Flushes are due at multiples of this many minutes of the hour. */
export const FLUSH_MINUTES = 5;

export function nextFlush(now: Instant): Instant {
  const step = FLUSH_MINUTES * 60_000;
  return (Math.floor(now / step) + 1) * step;
}
