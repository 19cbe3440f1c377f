import type { CurrencyCode } from "#domain/currency/currency.ts";
import type { LiveQuote } from "#domain/live/live-quote.ts";
import type { Instant } from "#domain/time/day.ts";

/** A quote of `EUR/USD`, retrieved as it was observed, without bid and ask unless they are given. */
export function quoteOfPair(
  pair: string,
  mid: string,
  observedAt: Instant,
  more: Partial<LiveQuote> = {},
): LiveQuote {
  const [base, quote] = pair.split("/") as [CurrencyCode, CurrencyCode];
  const times = { observedAt, retrievedAt: observedAt };
  return { feed: "massive", base, quote, bid: null, ask: null, mid, ...times, ...more };
}
