/** The references for live quotes: the newest daily rate of each currency, and operators' releases. */

import type { CurrencyCode } from "#domain/currency/currency.ts";
import type { Instant } from "#domain/time/day.ts";
import { currencyOf } from "./feed-outcome.ts";
import type { FeedId, LiveQuote } from "./live-quote.ts";

export interface Reference {
  /** Units of the currency per dollar, as a double: for comparing only, never to be stored or served as a rate. */
  readonly perDollar: number;
  /** The oldest observation that it is made of: a later one is a newer reference. */
  readonly observedAt: Instant;
}

export type References = ReadonlyMap<CurrencyCode, Reference>;

/** How many times one positive value is the other, at least 1, the same whichever way round: max(r, 1/r). */
export function ratioOf(a: number, b: number): number {
  return Math.max(a / b, b / a);
}

export interface QuoteRelease {
  /** When the operator gave it. */
  readonly at: Instant;
  readonly feed: FeedId;
  readonly currency: CurrencyCode;
  /** In the feed's own terms: the mid of the pair as it quotes it, a plain decimal. */
  readonly price: string;
  /** The reference in force at that moment; null where there was none. A newer one ends the release. */
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
