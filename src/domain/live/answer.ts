/**
 * Judges one answer of a feed as a whole. Each of its prices may be near enough to its reference, and the answer still be
 * of another base than the dollar, or have two currencies under each other's names.
 */

import { exchanges } from "#domain/number/exchange.ts";
import { type Instant, MILLISECONDS_PER_DAY } from "#domain/time/day.ts";
import { currencyOf, type LiveQuote, type References, ratioOf } from "./live-quote.ts";
import { type Doubt, perDollar } from "./quote-evidence.ts";

/** With fewer prices an answer says nothing as a whole. */
const LEAST_PRICES = 5;
/** The median move of the dollar's rates, from one fixing of the ECB to the next, was at most a factor of 1.033 (2022-11-11). */
const MOST_MEDIAN_RATIO = 1.05;
/** Older references are left out: Easter takes five days, and over weeks the median moves further. */
const OLDEST_REFERENCE_DAYS = 6;

/** The doubts by quote; empty for an answer that is credible as a whole. */
export function doubtsOfAnswer(
  quotes: readonly LiveQuote[],
  references: References,
  at: Instant,
): ReadonlyMap<LiveQuote, Doubt> {
  const moves = quotes.flatMap((quote) => {
    const reference = references.get(currencyOf(quote));
    const isOld = (known: Instant) => at - known > OLDEST_REFERENCE_DAYS * MILLISECONDS_PER_DAY;
    if (reference === undefined || isOld(reference.observedAt)) return [];
    return [{ quote, value: perDollar(quote), before: reference.perDollar }];
  });
  const ratios = moves.map(({ value, before }) => ratioOf(value, before)).sort((a, b) => a - b);
  const median = ratios[Math.floor(ratios.length / 2)] ?? 1;
  if (moves.length >= LEAST_PRICES && median > MOST_MEDIAN_RATIO) {
    const reason = `half of ${moves.length} prices of the answer are more than ${MOST_MEDIAN_RATIO} times their references, either way`;
    return new Map(quotes.map((quote) => [quote, { rule: "moved_together", reason }]));
  }
  return new Map(
    [...exchanges(moves)].map(([one, other]) => [
      one.quote,
      {
        rule: "exchanged",
        reason: `this and the price of ${currencyOf(other.quote)} are each near the other's reference`,
      },
    ]),
  );
}
