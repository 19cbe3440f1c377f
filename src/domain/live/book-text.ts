/** The hot book as text with exact digits, which replicas share. It has one line a currency and feed, so that books merge line by line. */

import { type CurrencyCode, currencyIndex } from "#domain/currency/currency.ts";
import type { Book } from "./book.ts";
import { currencyOf, FEEDS, type FeedId, type LiveQuote } from "./live-quote.ts";

/** Starts the text; the version follows. The number is the format's: another one is another release's and not read. */
export const BOOK_HEADER = "crossrate-book 1 ";

const HEADER_LINE = /^crossrate-book 1 (\d{1,16})\n/;
const INSTANT = /^\d{1,15}$/;
const PRICE = /^(?=.*[1-9])\d{1,15}(?:\.\d{1,22})?$/;

/** The header line, then `bookLines`. */
export function formatBook(book: Book): string {
  return `${BOOK_HEADER}${book.version}\n${bookLines(book)}`;
}

/**
 * `@feed collected` and `CUR observed retrieved feed base/quote mid [bid ask] [+feed]`, each line ended, ordered by first field. The
 * feed behind the plus is the one that supports a price far from its reference; an earlier release leaves such a line out.
 * The first field is the line's identity and the second the instant by which the newer of two lines is known.
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

/**
 * The book of a text, or null when it is not of this format. A line that cannot be read, such as one of a feed that a
 * later release knows, is left out; the others count.
 */
export function parseBook(text: string): Book | null {
  const header = HEADER_LINE.exec(text);
  if (header === null) return null;
  const quotes = new Map<CurrencyCode, LiveQuote>();
  const collectedAt = new Map<FeedId, number>();
  for (const line of text.slice(header[0].length).split("\n")) {
    const fields = line.split(" ");
    const [first = "", second = ""] = fields;
    if (!INSTANT.test(second)) continue;
    const feed = FEEDS.find((known) => first === `@${known}`);
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
  const supportedBy = last.startsWith("+") ? FEEDS.find((known) => last === `+${known}`) : null;
  if (supportedBy === undefined) return null;
  const fields = supportedBy === null ? line : line.slice(0, -1);
  const [currency, observedAt = "", retrievedAt = "", feedName, pair = "", mid = "", bid, ask] = fields;
  const feed = FEEDS.find((known) => known === feedName);
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
    // Earlier releases accepted a feed's time that had not come yet.
    observedAt: Math.min(Number(observedAt), Number(retrievedAt)),
    retrievedAt: Number(retrievedAt),
    ...(supportedBy !== null && { supportedBy }),
  };
}
