/** The hot book: the newest accepted quote of each currency. Collection merges into it, requests read it. */

import type { CurrencyCode } from "#domain/currency/currency.ts";
import type { Instant } from "#domain/time/day.ts";
import { currencyOf, type FeedId, isAhead, type LiveQuote } from "./live-quote.ts";

/** Never changed: every step makes a new one, so a holder may retain it. */
export interface Book {
  /**
   * Higher with every change: the instant of the change, or one above the version before where that is not later. So a
   * version is not used again after a restart either. 0 is the empty book.
   */
  readonly version: number;
  /** By the currency that is not the dollar. */
  readonly quotes: ReadonlyMap<CurrencyCode, LiveQuote>;
  /** Newest retrieval of each feed that has delivered an accepted quote, whether or not the quote was newer. */
  readonly collectedAt: ReadonlyMap<FeedId, Instant>;
}

/** How the sharing of the book between processes goes; a book of one process is always ok. */
export interface HotBookState {
  /** degraded: what others publish does not arrive here, or the other way round. */
  readonly status: "ok" | "degraded";
  /** One sentence for an operator; null when there is nothing to report. */
  readonly detail: string | null;
  /** When the shared store last answered; null when it never has, or when there is none. */
  readonly lastSeenAt: Instant | null;
}

export const EMPTY_BOOK: Book = { version: 0, quotes: new Map(), collectedAt: new Map() };

/**
 * The book with each quote that was observed strictly later than the one it has of that currency. The same object when
 * nothing is news. `at` is the instant of the change, for the version; one that is dated ahead of it yields to any that is not.
 */
export function merge(book: Book, quotes: readonly LiveQuote[], at: Instant = 0): Book {
  const newest = new Map<CurrencyCode, LiveQuote>();
  const collectedAt = new Map<FeedId, Instant>();
  for (const quote of quotes) {
    const currency = currencyOf(quote);
    const known = newest.get(currency);
    if (known === undefined || quote.observedAt > known.observedAt) newest.set(currency, quote);
    const collected = collectedAt.get(quote.feed) ?? quote.retrievedAt;
    collectedAt.set(quote.feed, Math.max(collected, quote.retrievedAt));
  }
  return join(book, { version: 0, quotes: newest, collectedAt }, at);
}

/**
 * `book` and what `other` has strictly newer, under a version above both. `book` itself when that is nothing, whatever
 * the other's version. As in `merge`, what is dated ahead of `at` yields.
 */
export function join(book: Book, other: Book, at: Instant = 0): Book {
  const quotes = withNewer(book.quotes, other.quotes, ({ observedAt }) => observedAt, at);
  const collectedAt = withNewer(book.collectedAt, other.collectedAt, (instant) => instant, at);
  if (quotes === book.quotes && collectedAt === book.collectedAt) return book;
  return { version: Math.max(book.version + 1, other.version + 1, at), quotes, collectedAt };
}

function withNewer<K, V>(
  known: ReadonlyMap<K, V>,
  offered: ReadonlyMap<K, V>,
  instantOf: (value: V) => Instant,
  at: Instant,
): ReadonlyMap<K, V> {
  let result: Map<K, V> | null = null;
  for (const [key, value] of offered) {
    const present = known.get(key);
    if (present !== undefined && instantOf(value) <= instantOf(present)) {
      if (!isAhead(instantOf(present), at) || isAhead(instantOf(value), at)) continue;
    }
    result ??= new Map(known);
    result.set(key, value);
  }
  return result ?? known;
}

export interface PastBooks {
  /** Remembers what is new in quotes; older ones than the newest of their currency too, so that a warm start may bring them. */
  add(quotes: Iterable<LiveQuote>, now: Instant): void;
  /**
   * Of each currency the newest quote observed at `at` or before, and the next observation after it: until then the
   * book stays the same unless quotes are added. The same object for the same content.
   */
  at(at: Instant): { readonly book: Book; readonly nextAt: Instant };
}

/** Retains quotes for `keptMilliseconds`, and of each currency the last one before that. */
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
