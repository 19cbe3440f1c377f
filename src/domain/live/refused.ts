/** Live quotes that are refused now, with their evidence: for /status, the metrics and the operator's command. */

import type { CurrencyCode } from "#domain/currency/currency.ts";
import type { Instant } from "#domain/time/day.ts";
import type { FeedChoice } from "./feed-choice.ts";
import type { FeedId, Reference, References } from "./live-quote.ts";
import { perDollar, type QuoteDoubt } from "./quote-evidence.ts";

export interface RefusedQuote {
  readonly feed: FeedId;
  readonly currency: CurrencyCode;
  /** `USD/JPY`, as the feed quotes it. */
  readonly pair: string;
  /** The mid as the feed printed it. */
  readonly price: string;
  /** The same in units of the currency per dollar, and the newest daily reference in the same terms. */
  readonly perDollar: number;
  readonly reference: Reference | null;
  readonly rule: QuoteDoubt;
  readonly reason: string;
  readonly observedAt: Instant;
  /** Since when the feed has been doubted on this currency without a break. */
  readonly since: Instant;
  /**
   * True when nothing is served in its place: no quote ever was, or the active feed has been without a good one for
   * so many polls that another would be active if it could.
   */
  readonly isUnanswered: boolean;
}

/** By currency, then in the order of the feeds. */
export function refusedQuotes(
  { currencies, policy }: FeedChoice,
  references: References,
): readonly RefusedQuote[] {
  return currencies.flatMap(({ currency, activeFeed, served, feeds }) =>
    feeds.flatMap(({ feed, doubted, failures }): RefusedQuote[] => {
      if (doubted === null) return [];
      const isLeft = activeFeed === feed && failures >= policy.failuresToLeave;
      const { quote, rule, reason, since } = doubted;
      return [
        {
          feed,
          currency,
          pair: `${quote.base}/${quote.quote}`,
          price: quote.mid,
          perDollar: perDollar(quote),
          reference: references.get(currency) ?? null,
          rule,
          reason,
          observedAt: quote.observedAt,
          since,
          isUnanswered: served === null || isLeft,
        },
      ];
    }),
  );
}
