/** One quote as one line of the journal. The checksum comes first: an incomplete line is never taken for a quote. */

import type { ArchivedQuote, LiveQuote } from "#domain/live/live-quote.ts";

/** Returns the identity of a quote: a repeated append adds nothing. */
export function keyOf({ feed, base, quote, observedAt, retrievedAt }: ArchivedQuote): string {
  return `${feed} ${base} ${quote} ${observedAt} ${retrievedAt}`;
}

/** Returns `crc32 feed base quote observed retrieved bid ask mid` without the line end; `-` means no bid or ask. */
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
