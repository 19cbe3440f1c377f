/**
 * Judges one answer of a feed as a whole. Each of its prices may be near enough to its reference, and the answer still be
 * of another base than the dollar, have two currencies under each other's names, or a price upside down.
 */

import { exchanges } from "#domain/number/exchange.ts";
import { type Instant, MILLISECONDS_PER_DAY } from "#domain/time/day.ts";
import { currencyOf, type LiveQuote, type References, ratioOf } from "./live-quote.ts";
import { AGREEMENT_RATIO, type Doubt, perDollar } from "./quote-evidence.ts";

/** With fewer prices an answer says nothing as a whole. */
const LEAST_PRICES = 5;
/** The median move of the dollar's rates, from one fixing of the ECB to the next, was at most a factor of 1.033 (2022-11-11). */
const MOST_MEDIAN_RATIO = 1.05;
/** Older references are left out: Easter takes five days, and over weeks the median moves further. */
const OLDEST_REFERENCE_DAYS = 6;
/** A price nearer to its reference is no sign of an inverse: on 2011-09-22 the Australian dollar fell by 4 % to the inverse of the day before. */
const LEAST_INVERTED_RATIO = 1.05;

/** The doubts by quote; empty for an answer that is credible as a whole. */
export function doubtsOfAnswer(
  quotes: readonly LiveQuote[],
  references: References,
  at: Instant,
): ReadonlyMap<LiveQuote, Doubt> {
  const moves = quotes.flatMap((quote) => {
    const reference = references.get(currencyOf(quote));
    const isOld = (observedAt: Instant) => at - observedAt > OLDEST_REFERENCE_DAYS * MILLISECONDS_PER_DAY;
    if (reference === undefined || isOld(reference.observedAt)) return [];
    return [{ quote, value: perDollar(quote), before: reference.perDollar }];
  });
  const ratios = moves.map(({ value, before }) => ratioOf(value, before)).sort((a, b) => a - b);
  const median = ratios[Math.floor(ratios.length / 2)] ?? 1;
  if (moves.length >= LEAST_PRICES && median > MOST_MEDIAN_RATIO) {
    const reason = `half of ${moves.length} prices of the answer are more than ${MOST_MEDIAN_RATIO} times their references, either way`;
    return new Map(quotes.map((quote) => [quote, { rule: "moved_together", reason }]));
  }
  const doubt = (quote: LiveQuote, reason: string) => [quote, { rule: "exchanged", reason }] as const;
  return new Map([
    ...moves
      .filter(
        ({ value, before }) =>
          ratioOf(value, before) > LEAST_INVERTED_RATIO && ratioOf(value * before, 1) <= AGREEMENT_RATIO,
      )
      .map(({ quote }) => doubt(quote, "this price is near the inverse of its reference")),
    ...[...exchanges(moves)].map(([{ quote }, other]) =>
      doubt(quote, `this and the price of ${currencyOf(other.quote)} are each near the other's reference`),
    ),
  ]);
}
