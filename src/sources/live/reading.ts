/** From a feed's document to its reading: every currency asked for is looked up, judged, and told of either way. */

import type { CurrencyCode } from "#domain/currency/currency.ts";
import type { FeedReading, QuoteRefusal, QuoteRule } from "#domain/live/feed-outcome.ts";
import type { FeedId, LiveQuote } from "#domain/live/live-quote.ts";
import { judgeQuote, type PrintedQuote } from "#domain/live/quote-rules.ts";
import type { Instant } from "#domain/time/day.ts";
import type { UpstreamDocument } from "#ports.ts";
import { digitsAt, type JsonObject } from "./json-text.ts";
import type { Pair } from "./pairs.ts";

/** What a document has of a pair: a price with its time, or the reason why it has none; null when it has nothing. */
export type Found =
  | { readonly printed: PrintedQuote; readonly observedAt: Instant | null }
  | { readonly rule: QuoteRule; readonly reason: string }
  | null;

/**
 * One quote or one refusal for each currency asked for. `pairsOf` gives the ways in which the feed may quote it, the
 * best first; the first that holds is taken, and when none does the first that is there is the one refused.
 */
export function readQuotes(
  feed: FeedId,
  document: UpstreamDocument,
  asked: readonly CurrencyCode[],
  pairsOf: (currency: CurrencyCode) => readonly Pair[],
  find: (pair: Pair) => Found,
): Omit<FeedReading, "limited"> {
  const quotes: LiveQuote[] = [];
  const refusals: QuoteRefusal[] = [];
  for (const currency of asked) {
    const verdict = firstGood(currency);
    if ("rule" in verdict) refusals.push(verdict);
    else quotes.push(verdict);
  }
  return { quotes, refusals };

  function firstGood(currency: CurrencyCode): LiveQuote | QuoteRefusal {
    let refusal: QuoteRefusal | null = null;
    for (const [base, quote] of pairsOf(currency)) {
      const found = find([base, quote]);
      if (found === null) continue;
      const origin = { feed, base, quote, retrievedAt: document.retrievedAt };
      const verdict =
        "rule" in found
          ? { currency, rule: found.rule, reason: `${base}/${quote} ${found.reason}` }
          : judgeQuote({ ...origin, observedAt: found.observedAt }, found.printed);
      if (!("rule" in verdict)) return verdict;
      refusal ??= verdict;
    }
    return refusal ?? { currency, rule: "missing", reason: `${currency} is not in the document` };
  }
}

/** The reading of a list of units per dollar, all of one time: digits by currency. */
export function readDollarRates(
  feed: FeedId,
  document: UpstreamDocument,
  asked: readonly CurrencyCode[],
  rates: JsonObject,
  observedAt: Instant | null,
): Omit<FeedReading, "limited"> {
  return readQuotes(
    feed,
    document,
    asked,
    (currency) => [["USD", currency]],
    ([, currency]) => {
      const price = digitsAt(rates, currency);
      if (price !== null) return { printed: { price }, observedAt };
      return rates.has(currency) ? { rule: "no_price", reason: "has no price" } : null;
    },
  );
}
