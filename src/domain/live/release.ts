/** An operator's release: one feed may be believed on one currency, near one price, until the next daily reference. */

import type { CurrencyCode } from "#domain/currency/currency.ts";
import type { Instant } from "#domain/time/day.ts";
import { currencyOf } from "./feed-outcome.ts";
import type { FeedId, LiveQuote } from "./live-quote.ts";
import { type Reference, ratioOf } from "./reference.ts";

export interface QuoteRelease {
  /** When the operator gave it. */
  readonly at: Instant;
  readonly feed: FeedId;
  readonly currency: CurrencyCode;
  /** In the feed's own terms: the mid of the pair as it quotes it, a plain decimal. */
  readonly price: string;
  /** The reference that stood at that moment; null where there was none. A newer one ends the release. */
  readonly reference: Reference | null;
}

/** A price at most so many times the released one, either way, is covered. */
export const RELEASED_RATIO = 1.1;

/** True while no reference newer than the release's own stands. */
export function isInForce(release: QuoteRelease, reference: Reference | null): boolean {
  if (reference === null) return true;
  return release.reference !== null && reference.observedAt <= release.reference.observedAt;
}

/** True when one of the releases covers the quote under the reference that stands now. */
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
