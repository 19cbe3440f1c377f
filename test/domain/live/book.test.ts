/** The hot book: newest per currency, never back in time, never changed in place, the same as text. */

import { describe, expect, test } from "bun:test";
import { CURRENCY_CODES, type CurrencyCode } from "#domain/currency/currency.ts";
import { type Book, bookLines, EMPTY_BOOK, formatBook, join, merge, parseBook } from "#domain/live/book.ts";
import { FEEDS, type LiveQuote } from "#domain/live/live-quote.ts";
import { NOON, quote } from "#test/store/hot-book/sample.ts";
import { seededRandom } from "#test/support/seeded-random.ts";

function midOf(book: Book, currency: CurrencyCode): string | undefined {
  return book.quotes.get(currency)?.mid;
}

/** Any quote that the type allows, with times from few enough instants that ties happen. */
function anyQuote(random: () => number): LiveQuote {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const currency = pick(CURRENCY_CODES.filter((code) => code !== "USD"));
  const digits = () =>
    `${Math.floor(random() * 1000)}.${String(1 + Math.floor(random() * 999_999)).padStart(6, "0")}`;
  const sides = random() < 0.5 ? { bid: digits(), ask: digits() } : {};
  const inverse = random() < 0.3 ? { base: currency, quote: "USD" as const } : {};
  return quote(currency, digits(), Math.floor(random() * 20), { feed: pick(FEEDS), ...sides, ...inverse });
}

describe("merging", () => {
  test("records when each feed last delivered, also when it repeated itself", () => {
    const book = merge(EMPTY_BOOK, [quote("EUR", "0.9", 10), quote("JPY", "150", 5, { feed: "massive" })]);
    const repeated = merge(book, [quote("EUR", "0.9", 10, { retrievedAt: NOON + 70_000 })]);
    expect([...repeated.collectedAt].sort()).toEqual([
      ["massive", NOON + 5500],
      ["oxr", NOON + 70_000],
    ]);
    expect(repeated.version).toBeGreaterThan(book.version);
    expect(repeated.quotes).toEqual(book.quotes);
  });

  test("in any order and grouping ends with the newest of each currency", () => {
    const random = seededRandom(4);
    for (let round = 0; round < 200; round++) {
      const quotes = Array.from({ length: 40 }, () => anyQuote(random));
      const newest = new Map<string, number>();
      for (const one of quotes) {
        const currency = one.base === "USD" ? one.quote : one.base;
        newest.set(currency, Math.max(newest.get(currency) ?? 0, one.observedAt));
      }
      let book = EMPTY_BOOK;
      for (let from = 0; from < quotes.length; ) {
        const next = from + 1 + Math.floor(random() * 8);
        const merged = merge(book, quotes.slice(from, next), NOON + 60_000);
        expect(
          merged.version >= book.version && (merged === book) === (merged.version === book.version),
        ).toBe(true);
        book = merged;
        from = next;
      }
      expect(new Map([...book.quotes].map(([code, { observedAt }]) => [code as string, observedAt]))).toEqual(
        newest,
      );
    }
  });
});

describe("joining two books", () => {
  test("takes the first one's quote on a tie and has a version above both", () => {
    const left = merge(EMPTY_BOOK, [quote("EUR", "0.9", 10), quote("JPY", "150", 1)], NOON);
    const right = merge(EMPTY_BOOK, [quote("EUR", "0.8", 10), quote("JPY", "151", 2)], NOON + 5);
    const both = join(left, right);
    expect([midOf(both, "EUR"), midOf(both, "JPY"), both.version]).toEqual(["0.9", "151", NOON + 6]);
  });

  test("gives the first one itself when the other has nothing newer", () => {
    const left = merge(EMPTY_BOOK, [quote("EUR", "0.9", 10)], NOON);
    expect(join(left, { ...left, version: NOON + 99 })).toBe(left);
    expect(join(left, EMPTY_BOOK)).toBe(left);
  });
});

describe("as text", () => {
  test("is one line a feed and a currency, in order, digit for digit", () => {
    const book = merge(
      EMPTY_BOOK,
      [
        quote("JPY", "150.10", 2, { feed: "massive", bid: "150.00", ask: "150.20" }),
        quote("EUR", "1.0500", 1, { base: "EUR", quote: "USD" }),
      ],
      NOON,
    );
    expect(formatBook(book)).toBe(
      `crossrate-book 1 ${NOON}\n` +
        `@massive ${NOON + 2500}\n@oxr ${NOON + 1500}\n` +
        `EUR ${NOON + 1000} ${NOON + 1500} oxr EUR/USD 1.0500\n` +
        `JPY ${NOON + 2000} ${NOON + 2500} massive USD/JPY 150.10 150.00 150.20\n`,
    );
  });

  test("comes back as the same book", () => {
    const random = seededRandom(9);
    for (let round = 0; round < 300; round++) {
      const quotes = Array.from({ length: Math.floor(random() * 50) }, () => anyQuote(random));
      const book = merge(EMPTY_BOOK, quotes, NOON + round);
      const read = parseBook(formatBook(book));
      expect(read).toEqual(book);
      expect(formatBook(read as Book)).toBe(formatBook(book));
    }
  });

  test("of another format is not read", () => {
    const good = formatBook(EMPTY_BOOK);
    expect(parseBook(good)).toEqual(EMPTY_BOOK);
    for (const text of [
      "",
      "{}",
      good.replace(" 1 ", " 2 "),
      good.slice(0, -1),
      ` ${good}`,
      good.replace("0\n", "-1\n"),
    ]) {
      expect(parseBook(text)).toBeNull();
    }
  });

  test("a line that cannot be read is left out and the others count", () => {
    const book = merge(EMPTY_BOOK, [quote("EUR", "0.9", 10), quote("JPY", "150", 10)], NOON);
    const [head, feed, eur, jpy] = formatBook(book).split("\n") as [string, string, string, string];
    const spoilt = [
      eur.replace("oxr", "unheard-of"),
      eur.replace("0.9", "-0.9"),
      eur.replace("0.9", "0.0"),
      eur.replace("0.9", "9e3"),
      eur.replace(" 0.9", ""),
      `${eur} 0.8`,
      `${eur} 0.8 x`,
      `${eur} 0.8 1 2`,
      eur.replace("USD/EUR", "USD/GBP"),
      eur.replace("USD/EUR", "EUR/GBP"),
      eur.replace("USD/EUR", "USD/EUR/USD"),
      eur.replaceAll("EUR", "XAU"),
      eur.replace(String(NOON + 10_000), "soon"),
      eur.replace(String(NOON + 10_500), "-5"),
    ];
    for (const line of spoilt) {
      const read = parseBook([head, feed, line, jpy, ""].join("\n"));
      expect([...(read?.quotes.keys() ?? [])]).toEqual(["JPY"]);
    }
    expect(parseBook([head, "@unheard-of 5", feed, jpy, ""].join("\n"))?.collectedAt).toEqual(
      book.collectedAt,
    );
  });

  test("has nothing but its lines for a book without a version", () => {
    expect(bookLines(EMPTY_BOOK)).toBe("");
  });
});
