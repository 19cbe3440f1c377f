/** Quotes as a function of the poll's number, and what the archive must hold after so many polls. */

import type { CurrencyCode } from "#domain/currency/currency.ts";
import type { LiveQuote } from "#domain/live/live-quote.ts";
import { quote } from "#test/store/archive/sample.ts";

const CODES: readonly CurrencyCode[] = ["EUR", "JPY", "GBP", "CHF"];
export const QUOTED_FROM = Date.UTC(2026, 2, 2);
const MINUTE = 60_000;

/** One poll: every currency, a second apart. `minutes` lie between two polls. */
export function pollOf(poll: number, minutes: number): readonly LiveQuote[] {
  return CODES.map((code, nth) => {
    const observedAt = QUOTED_FROM + poll * minutes * MINUTE + nth * 1000;
    // No price comes twice, so that a lost row and a doubled one differ.
    return quote(`USD/${code}`, `${nth + 1}.${String(poll).padStart(6, "0")}`, observedAt);
  });
}

export function quoteLine({ feed, base, quote, mid, observedAt, retrievedAt }: LiveQuote): string {
  return `${feed} ${base} ${quote} ${observedAt} ${retrievedAt} ${Math.round(Number(mid) * 1e6)}`;
}
