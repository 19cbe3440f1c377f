/** Quotes and books for the tests of the hot book. */

import type { CurrencyCode } from "#domain/currency/currency.ts";
import type { Book } from "#domain/live/book.ts";
import type { LiveQuote } from "#domain/live/live-quote.ts";
import { quoteOfPair } from "#test/domain/live/quote.ts";

export const NOON = Date.UTC(2026, 2, 2, 12);

/** USD/`currency` at `mid`, observed so many seconds after noon and retrieved half a second later. */
export function quote(
  currency: CurrencyCode,
  mid: string,
  seconds: number,
  more: Partial<LiveQuote> = {},
): LiveQuote {
  const observedAt = NOON + seconds * 1000;
  const retrievedAt = observedAt + 500;
  return quoteOfPair(`USD/${currency}`, mid, observedAt, { feed: "oxr", retrievedAt, ...more });
}

/** `EUR 0.9, JPY 150`, in the order of the codes. */
export function mids(book: Book): string {
  return [...book.quotes]
    .map(([currency, { mid }]) => `${currency} ${mid}`)
    .sort()
    .join(", ");
}
