/** A quote that a wrong clock has dated ahead blocks nothing. Prices that a feed dates ahead: test/sources/live/contract.test.ts. */

import { describe, expect, test } from "bun:test";
import {
  bookLines,
  EMPTY_BOOK,
  formatBook,
  join,
  merge,
  newPastBooks,
  parseBook,
} from "#domain/live/book.ts";
import type { LiveQuote } from "#domain/live/live-quote.ts";
import { NOON, quote } from "#test/store/hot-book/sample.ts";

const HOUR = 3_600_000;

test("a book that an earlier release wrote: a quote dated after its own retrieval counts from that", () => {
  const early = quote("JPY", "150.25", 200, { retrievedAt: NOON });
  const book = parseBook(formatBook(merge(EMPTY_BOOK, [early], NOON)));
  expect(book?.quotes.get("JPY")?.observedAt).toBe(NOON);
});

describe("a quote wholly ahead of the clock", () => {
  const ahead = quote("JPY", "150.25", 3600);
  const good = quote("JPY", "150.40", 1);
  const now = NOON + 2000;

  test("yields in the book to any that is not, and does not come back", () => {
    const book = merge(merge(EMPTY_BOOK, [ahead], NOON), [good], now);
    expect(book.quotes.get("JPY")?.mid).toBe("150.40");
    expect(book.version).toBeGreaterThan(NOON);
    const other = merge(EMPTY_BOOK, [good], now);
    expect(join(merge(EMPTY_BOOK, [ahead], NOON), other, now).quotes.get("JPY")?.mid).toBe("150.40");
    expect(join(book, other, now)).toBe(book);
  });
  test("of two of them the later one stays, as between any two", () => {
    const later = quote("JPY", "151.00", 3601);
    expect(merge(merge(EMPTY_BOOK, [ahead], NOON), [later], now).quotes.get("JPY")?.mid).toBe("151.00");
  });
  test("is dropped by the delayed books once there is a good one", () => {
    const past = newPastBooks(HOUR);
    past.add([ahead], NOON);
    past.add([good], now);
    expect(past.at(NOON + 2 * HOUR).quotes.get("JPY")?.mid).toBe("150.40");
  });
});

test("who supports a quote goes along in the book's text; earlier releases leave such a line out", () => {
  const supported: LiveQuote = quote("JPY", "210.00", 1, { supportedBy: "massive" });
  const sided = quote("EUR", "1.2", 1, { bid: "1.19", ask: "1.21", supportedBy: "oanda" });
  const book = merge(EMPTY_BOOK, [supported, sided], NOON);
  expect(bookLines(book)).toContain("USD/JPY 210.00 +massive\n");
  expect(parseBook(formatBook(book))).toEqual(book);
  for (const value of ["+nobody", "+", "massive"]) {
    expect(parseBook(formatBook(book).replace("+massive", value))?.quotes.has("JPY")).toBe(false);
  }
});
