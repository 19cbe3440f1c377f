/**
 * The hot book: the newest accepted quote of each currency. Its text has one line per currency and feed, with exact digits: replicas
 * merge it line by line.
 */

import { type CurrencyCode, currencyIndex } from "#domain/currency/currency.ts";
import type { Instant } from "#domain/time/day.ts";
import { currencyOf, FEEDS, type FeedId, isAhead, type LiveQuote, PRICE } from "./live-quote.ts";

export interface Book {
  /**
   * The instant of the change or, if higher, the previous version plus one; never repeated, also after a restart. 0: the empty
   * book.
   */
  readonly version: number;
  readonly quotes: ReadonlyMap<CurrencyCode, LiveQuote>;
  /** Newest retrieval of each feed, whether or not a quote was newer. */
  readonly collectedAt: ReadonlyMap<FeedId, Instant>;
}

export interface HotBookState {
  /** degraded: Redis does not answer, and quotes are not shared between processes. */
  readonly status: "ok" | "degraded";
  /** Null when there is nothing to report. */
  readonly detail: string | null;
  /** When Redis last answered; null when it never has, or without Redis. */
  readonly lastSeenAt: Instant | null;
}

export const EMPTY_BOOK: Book = { version: 0, quotes: new Map(), collectedAt: new Map() };

/**
 * The book with each strictly newer quote; the same object where no quote is newer. `at` is the instant of the change: a quote dated
 * ahead of it yields to any other.
 */
export function merge(book: Book, quotes: readonly LiveQuote[], at: Instant = 0): Book {
  const newest = new Map<CurrencyCode, LiveQuote>();
  const collectedAt = new Map<FeedId, Instant>();
  for (const quote of quotes) {
    const currency = currencyOf(quote);
    const last = newest.get(currency);
    if (last === undefined || quote.observedAt > last.observedAt) newest.set(currency, quote);
    const collected = collectedAt.get(quote.feed) ?? quote.retrievedAt;
    collectedAt.set(quote.feed, Math.max(collected, quote.retrievedAt));
  }
  return join(book, { version: 0, quotes: newest, collectedAt }, at);
}

/**
 * `book` with what is strictly newer in `other`, under a version above both; `book` itself where nothing is newer. As in `merge`,
 * what is dated ahead of `at` yields.
 */
export function join(book: Book, other: Book, at: Instant = 0): Book {
  const quotes = withNewer(book.quotes, other.quotes, ({ observedAt }) => observedAt, at);
  const collectedAt = withNewer(book.collectedAt, other.collectedAt, (instant) => instant, at);
  if (quotes === book.quotes && collectedAt === book.collectedAt) return book;
  return { version: Math.max(book.version + 1, other.version + 1, at), quotes, collectedAt };
}

function withNewer<K, V>(
  entries: ReadonlyMap<K, V>,
  offered: ReadonlyMap<K, V>,
  instantOf: (value: V) => Instant,
  at: Instant,
): ReadonlyMap<K, V> {
  let result: Map<K, V> | null = null;
  for (const [key, value] of offered) {
    const present = entries.get(key);
    if (present !== undefined && instantOf(value) <= instantOf(present)) {
      if (!isAhead(instantOf(present), at) || isAhead(instantOf(value), at)) continue;
    }
    result ??= new Map(entries);
    result.set(key, value);
  }
  return result ?? entries;
}

export type PastBooks = ReturnType<typeof newPastBooks>;

/** Retains quotes for `keptMilliseconds`, and of each currency the last one before that. */
export function newPastBooks(keptMilliseconds: number) {
  /** Ascending by observation. */
  const quotesOf = new Map<CurrencyCode, LiveQuote[]>();
  return {
    /** Keeps quotes older than the newest too: a warm start adds such quotes. */
    add: (quotes: Iterable<LiveQuote>, now: Instant): void => {
      for (const quote of quotes) {
        const currency = currencyOf(quote);
        const before = quotesOf.get(currency) ?? [];
        // Quotes dated ahead yield, as in the book itself.
        const kept = isAhead(quote.observedAt, now)
          ? before
          : before.filter(({ observedAt }) => !isAhead(observedAt, now));
        quotesOf.set(currency, kept);
        let place = kept.length;
        while (place > 0 && (kept[place - 1] as LiveQuote).observedAt >= quote.observedAt) place -= 1;
        if (kept[place]?.observedAt === quote.observedAt) continue;
        kept.splice(place, 0, quote);
        const unneeded = kept.findIndex(
          (_, index) => (kept[index + 1]?.observedAt ?? Number.POSITIVE_INFINITY) > now - keptMilliseconds,
        );
        kept.splice(0, unneeded);
      }
    },
    /** Of each currency the newest quote observed at `at` or before, and the next observation after it. */
    at: (at: Instant): Pick<Book, "quotes"> & { readonly nextAt: Instant } => {
      const quotes = new Map<CurrencyCode, LiveQuote>();
      let nextAt = Number.POSITIVE_INFINITY;
      for (const [currency, kept] of quotesOf) {
        const next = kept.find(({ observedAt }) => observedAt > at);
        const place = next === undefined ? kept.length : kept.indexOf(next);
        const quote = kept[place - 1];
        if (quote !== undefined) quotes.set(currency, quote);
        if (next !== undefined) nextAt = Math.min(nextAt, next.observedAt);
      }
      return { quotes, nextAt };
    },
  };
}

/** The book's version follows. The 1 is the version of the format. */
const BOOK_HEADER = "crossrate-book 1 ";

const HEADER_LINE = /^crossrate-book 1 (\d{1,16})\n/;
const INSTANT = /^\d{1,15}$/;

/** The header line, then `bookLines`. */
export function formatBook(book: Book): string {
  return `${BOOK_HEADER}${book.version}\n${bookLines(book)}`;
}

/**
 * `@feed collected` and `CUR observed retrieved feed base/quote mid [bid ask] [+feed]`, each line ended, ordered by first field.
 * The feed behind the plus supports a price far from its reference. The first field identifies the line, the second says which of
 * two is newer.
 */
export function bookLines({ quotes, collectedAt }: Book): string {
  const lines = [...collectedAt].map(([feed, instant]) => `@${feed} ${instant}\n`);
  for (const [
    currency,
    { observedAt, retrievedAt, feed, base, quote, mid, bid, ask, supportedBy },
  ] of quotes) {
    const sides = bid === null || ask === null ? "" : ` ${bid} ${ask}`;
    const support = supportedBy === undefined ? "" : ` +${supportedBy}`;
    lines.push(
      `${currency} ${observedAt} ${retrievedAt} ${feed} ${base}/${quote} ${mid}${sides}${support}\n`,
    );
  }
  return lines.sort().join("");
}

/** The book of a text, or null for another format. Lines that cannot be read are left out. */
export function parseBook(text: string): Book | null {
  const header = HEADER_LINE.exec(text);
  if (header === null) return null;
  const quotes = new Map<CurrencyCode, LiveQuote>();
  const collectedAt = new Map<FeedId, number>();
  for (const line of text.slice(header[0].length).split("\n")) {
    const fields = line.split(" ");
    const [first = "", second = ""] = fields;
    if (!INSTANT.test(second)) continue;
    const feed = FEEDS.find((name) => first === `@${name}`);
    if (feed !== undefined) collectedAt.set(feed, Number(second));
    else {
      const quote = parseQuote(fields);
      if (quote !== null) quotes.set(currencyOf(quote), quote);
    }
  }
  return { version: Number(header[1]), quotes, collectedAt };
}

function parseQuote(line: readonly string[]): LiveQuote | null {
  const last = line.at(-1) ?? "";
  const supportedBy = last.startsWith("+") ? FEEDS.find((name) => last === `+${name}`) : null;
  if (supportedBy === undefined) return null;
  const fields = supportedBy === null ? line : line.slice(0, -1);
  const [currency, observedAt = "", retrievedAt = "", feedName, pair = "", mid = "", bid, ask] = fields;
  const feed = FEEDS.find((name) => name === feedName);
  const [base = "", quote = "", more] = pair.split("/");
  if (feed === undefined || more !== undefined || !INSTANT.test(retrievedAt) || !PRICE.test(mid)) return null;
  if (fields.length !== 6 && fields.length !== 8) return null;
  if (![bid, ask].every((side) => side === undefined || PRICE.test(side))) return null;
  if ((base === "USD") === (quote === "USD") || currencyIndex(currency ?? "") < 0) return null;
  if (currency !== (base === "USD" ? quote : base)) return null;
  return {
    feed,
    base: base as CurrencyCode,
    quote: quote as CurrencyCode,
    bid: bid ?? null,
    ask: ask ?? null,
    mid,
    // Another process's clock may be behind.
    observedAt: Math.min(Number(observedAt), Number(retrievedAt)),
    retrievedAt: Number(retrievedAt),
    ...(supportedBy !== null && { supportedBy }),
  };
}
