/** The hot book as it was a while ago: what callers get whose live rates are delayed. */

import type { CurrencyCode } from "#domain/currency/currency.ts";
import type { Instant } from "#domain/time/day.ts";
import { type Book, EMPTY_BOOK } from "./book.ts";
import { currencyOf } from "./feed-outcome.ts";
import { isAhead, type LiveQuote } from "./live-quote.ts";

export interface PastBooks {
  /** Remembers what is new in quotes; older ones than the newest of their currency too, so that a warm start may bring them. */
  add(quotes: Iterable<LiveQuote>, now: Instant): void;
  /**
   * Of each currency the newest quote observed at `at` or before, and the next observation after it: until then the
   * book stays the same unless quotes are added. The same object for the same content.
   */
  at(at: Instant): { readonly book: Book; readonly nextAt: Instant };
}

/** Keeps quotes for `keptMilliseconds`, and of each currency the last one before that. */
export function newPastBooks(keptMilliseconds: number): PastBooks {
  /** Ascending by observation. */
  const quotesOf = new Map<CurrencyCode, LiveQuote[]>();
  let last: Book = EMPTY_BOOK;
  return {
    add: (quotes, now) => {
      for (const quote of quotes) {
        const currency = currencyOf(quote);
        const before = quotesOf.get(currency) ?? [];
        // What a wrong clock has dated ahead yields to any quote that is not, as in the book itself.
        const known = isAhead(quote.observedAt, now)
          ? before
          : before.filter(({ observedAt }) => !isAhead(observedAt, now));
        quotesOf.set(currency, known);
        let place = known.length;
        while (place > 0 && (known[place - 1] as LiveQuote).observedAt >= quote.observedAt) place -= 1;
        if (known[place]?.observedAt === quote.observedAt) continue;
        known.splice(place, 0, quote);
        const unneeded = known.findIndex(
          (_, index) => (known[index + 1]?.observedAt ?? Number.POSITIVE_INFINITY) > now - keptMilliseconds,
        );
        known.splice(0, unneeded);
      }
    },
    at: (at) => {
      const quotes = new Map<CurrencyCode, LiveQuote>();
      let nextAt = Number.POSITIVE_INFINITY;
      for (const [currency, known] of quotesOf) {
        const next = known.find(({ observedAt }) => observedAt > at);
        const place = next === undefined ? known.length : known.indexOf(next);
        const quote = known[place - 1];
        if (quote !== undefined) quotes.set(currency, quote);
        if (next !== undefined) nextAt = Math.min(nextAt, next.observedAt);
      }
      if (!isSame(last.quotes, quotes)) last = { version: last.version + 1, quotes, collectedAt: new Map() };
      return { book: last, nextAt };
    },
  };
}

function isSame(a: Book["quotes"], b: Book["quotes"]): boolean {
  if (a.size !== b.size) return false;
  for (const [currency, quote] of a) if (b.get(currency) !== quote) return false;
  return true;
}
