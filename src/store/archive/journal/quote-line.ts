/** One quote as one line of the journal. The checksum comes first: an incomplete line is never taken for a quote. */

import { currencyIndex } from "#domain/currency/currency.ts";
import { type ArchivedQuote, FEEDS, type LiveQuote, QUOTE_DIGITS } from "#domain/live/live-quote.ts";

const DECIMAL = /^(0|[1-9]\d*)(?:\.(\d+))?$/;
/** More digits after the point than any price has; ten to this power is still an exact double. */
const MOST_DECIMALS = 22;
/** 9999-12-31T23:59:59.999Z: the last instant with a year of four digits. */
const LAST_INSTANT = 253_402_300_799_999;

/** Throws for a quote that breaks the promise of `LiveQuote`: its digits would be lost, or it has no date folder. */
export function checkQuote(quote: LiveQuote): void {
  const refuse = (why: string): never => {
    throw new RangeError(`the quote ${quote.feed} ${quote.base}/${quote.quote} cannot be archived: ${why}`);
  };
  if (!FEEDS.includes(quote.feed)) refuse("its feed is unknown");
  if (currencyIndex(quote.base) < 0 || currencyIndex(quote.quote) < 0) refuse("a currency is unknown");
  if (quote.base === quote.quote) refuse("its currencies are the same");
  for (const name of ["bid", "ask", "mid"] as const) {
    const text = quote[name];
    if (text === null && name !== "mid") continue;
    if (text === null || !isPrice(text))
      refuse(
        `its ${name} ${JSON.stringify(text)} is not a positive decimal of at most ${QUOTE_DIGITS} digits`,
      );
  }
  for (const name of ["observedAt", "retrievedAt"] as const) {
    const instant = quote[name];
    if (!Number.isInteger(instant) || instant < 0 || instant > LAST_INSTANT)
      refuse(`its ${name} ${instant} is not an instant in whole milliseconds`);
  }
}

function isPrice(text: string): boolean {
  const match = DECIMAL.exec(text);
  if (match === null) return false;
  const digits = ((match[1] as string) + (match[2] ?? "")).replace(/^0+/, "");
  return (
    digits !== "" &&
    /[1-9]/.test(digits) &&
    digits.length <= QUOTE_DIGITS &&
    decimalsOf(text) <= MOST_DECIMALS
  );
}

/** Counts the digits after the point, trailing zeros included. */
export function decimalsOf(text: string): number {
  const point = text.indexOf(".");
  return point < 0 ? 0 : text.length - point - 1;
}

/** Returns the identity of a quote: a repeated append adds nothing. */
export function keyOf({ feed, base, quote, observedAt, retrievedAt }: ArchivedQuote): string {
  return `${feed} ${base} ${quote} ${observedAt} ${retrievedAt}`;
}

/** `crc32 feed base quote observed retrieved bid ask mid`, without the end of line; `-` means no bid or ask. */
export function formatLine(quote: LiveQuote): string {
  const content = `${keyOf(quote)} ${quote.bid ?? "-"} ${quote.ask ?? "-"} ${quote.mid}`;
  return `${checksumOf(content)} ${content}`;
}

/** Returns null when the line is not exactly what was written. */
export function parseLine(line: string): LiveQuote | null {
  const content = line.slice(9);
  if (line[8] !== " " || line.slice(0, 8) !== checksumOf(content)) return null;
  const fields = content.split(" ");
  // The checksum of nothing is zero: a line with only that is not a quote.
  if (fields.length !== 8) return null;
  const [feed, base, quote, observedAt, retrievedAt, bid, ask, mid] = fields;
  return {
    feed: feed as LiveQuote["feed"],
    base: base as LiveQuote["base"],
    quote: quote as LiveQuote["quote"],
    bid: bid === "-" ? null : (bid as string),
    ask: ask === "-" ? null : (ask as string),
    mid: mid as string,
    observedAt: Number(observedAt),
    retrievedAt: Number(retrievedAt),
  };
}

function checksumOf(content: string): string {
  return Bun.hash.crc32(content).toString(16).padStart(8, "0");
}
