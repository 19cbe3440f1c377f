/** When a live quote is fresh, stale or gone: to the millisecond, in open-market time, and a table never holds a moment too long. */

import { describe, expect, test } from "bun:test";
import { type CurrencyCode, currencyIndex, USD } from "#domain/currency/currency.ts";
import type { LiveQuote } from "#domain/live/live-quote.ts";
import { spotDigest, spotRate } from "#domain/spot/rates.ts";
import { ageOf, type SpotQuery, spotTable } from "#domain/spot/table.ts";
import { datasetOf, ecb } from "#test/domain/history/columns.ts";
import { quoteOfPair } from "#test/domain/live/quote.ts";
import { seededRandom } from "#test/support/seeded-random.ts";
import { EVERYTHING, randomBook, randomFigures, STALE_SECONDS } from "./worlds.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** Friday 17 April 2026, 17:00 New York, to Sunday 17:00. */
const CLOSE = Date.parse("2026-04-17T21:00:00Z");
const OPEN = Date.parse("2026-04-19T21:00:00Z");
const WINDOW = STALE_SECONDS * SECOND;

const verdictAt = (observedAt: number, now: number, seconds = STALE_SECONDS) =>
  ageOf(observedAt, now, seconds).verdict;

describe("the age of a quote", () => {
  const observed = Date.parse("2026-04-14T12:00:00Z");
  test("holds exactly up to the window and exactly up to 24 hours", () => {
    expect(verdictAt(observed, observed)).toBe("fresh");
    expect(verdictAt(observed, observed + WINDOW)).toBe("fresh");
    expect(verdictAt(observed, observed + WINDOW + 1)).toBe("stale");
    expect(verdictAt(observed, observed + 24 * HOUR)).toBe("stale");
    expect(verdictAt(observed, observed + 24 * HOUR + 1)).toBe("expired");
  });
  test("stands still while the market is shut", () => {
    const last = CLOSE - MINUTE;
    for (const now of [CLOSE, CLOSE + 24 * HOUR, OPEN - 1, OPEN]) expect(verdictAt(last, now)).toBe("fresh");
    expect(verdictAt(last, OPEN + WINDOW - MINUTE)).toBe("fresh");
    expect(verdictAt(last, OPEN + WINDOW - MINUTE + 1)).toBe("stale");
    expect(verdictAt(last, OPEN + 24 * HOUR - MINUTE)).toBe("stale");
    expect(verdictAt(last, OPEN + 24 * HOUR - MINUTE + 1)).toBe("expired");
  });
  test("that was stale at the close is stale throughout the weekend", () => {
    const last = CLOSE - WINDOW - 1;
    for (const now of [CLOSE, CLOSE + 24 * HOUR, OPEN]) expect(verdictAt(last, now)).toBe("stale");
  });
  test("does not begin before its time, for a feed whose clock is ahead", () => {
    const { verdict, turnsAt } = ageOf(observed, observed - 2 * MINUTE, STALE_SECONDS);
    expect([verdict, turnsAt]).toEqual(["fresh", observed + WINDOW + 1]);
  });
  test("is unknown, and the quote stale, while our clock is set back by hours", () => {
    const back = ageOf(observed, observed - 3 * HOUR, STALE_SECONDS);
    expect([back.verdict, back.turnsAt]).toEqual(["stale", observed - 5 * MINUTE]);
    expect([-5 * MINUTE - 1, -5 * MINUTE, 0].map((later) => verdictAt(observed, observed + later))).toEqual([
      "stale",
      "fresh",
      "fresh",
    ]);
  });
  test("is 24 hours at most, however seldom its feed is polled", () => {
    expect(verdictAt(observed, observed + 24 * HOUR, 72 * 3600)).toBe("fresh");
    expect(verdictAt(observed, observed + 24 * HOUR + 1, 72 * 3600)).toBe("expired");
    const { turnsAt } = ageOf(observed, observed + HOUR, 72 * 3600);
    expect(turnsAt).toBe(observed + 24 * HOUR + 1);
  });
});

const yen = (observedAt: number) => quoteOfPair("USD/JPY", "155.123", observedAt);
const bookOf = (...quotes: LiveQuote[]) => ({ quotes: new Map(quotes.map((quote) => [quote.quote, quote])) });

describe("a quote beyond 24 hours of open market", () => {
  const daily = datasetOf([ecb("2026-04-14", "USD", "1.1700"), ecb("2026-04-14", "JPY", "181.30")]);
  const fixing = Date.parse("2026-04-14T12:15:00Z");
  const after = (observedAt: number, elapsed: number, dataset: SpotQuery["dataset"] = daily) => {
    const now = observedAt + elapsed;
    const table = spotTable({
      dataset,
      book: bookOf(yen(observedAt)),
      policy: EVERYTHING,
      now,
      simulated: false,
    });
    const rate = spotRate(table, USD, currencyIndex("JPY"));
    return { rate, sources: rate?.figures.map(({ source }) => source), expired: [...table.expired] };
  };

  test("gives way to a daily figure that was observed later", () => {
    expect(after(fixing - 1, 24 * HOUR).rate?.text).toBe("155.123");
    expect(after(fixing - 1, 24 * HOUR + 1)).toMatchObject({
      sources: ["ecb_daily", "ecb_daily"],
      expired: [],
    });
  });
  test("leaves the currency without a rate where no daily figure is later, and names it", () => {
    for (const dataset of [daily, null]) {
      expect(after(fixing, 24 * HOUR, dataset).rate?.text).toBe("155.123");
      expect(after(fixing, 24 * HOUR + 1, dataset)).toMatchObject({ rate: null, expired: ["JPY"] });
    }
  });
  test("is nothing to a currency that is not served live", () => {
    const policy = { ...EVERYTHING, currencies: new Set<CurrencyCode>(["EUR"]) };
    const now = fixing + 30 * HOUR;
    const table = spotTable({ dataset: daily, book: bookOf(yen(fixing)), policy, now, simulated: false });
    expect(table.expired.size).toBe(0);
    expect(table.chains[currencyIndex("JPY")]?.length).toBe(2);
  });
});

test("a table has the same content at every instant before the one until which it holds, which is later than its own", () => {
  const random = seededRandom(41);
  // Around the close, the opening, the limits of age, the turn of the day and the hours at which daily figures fall due.
  const from = Date.parse("2026-04-15T00:00:00Z");
  let turned = 0;
  for (let round = 0; round < 90; round++) {
    const roughly = from + Math.floor(random() * 7 * 24 * HOUR);
    const turn = [CLOSE, OPEN, Math.floor(roughly / HOUR) * HOUR, roughly][
      Math.floor(random() * 4)
    ] as number;
    const now = turn - Math.floor(random() * 2 * MINUTE);
    const oldest = [240, 320, 24 * 3600 + 60][Math.floor(random() * 3)] as number;
    const book = randomBook(random, now - Math.floor(random() * MINUTE), oldest);
    const question = {
      dataset: datasetOf(randomFigures(random, now)),
      book,
      policy: EVERYTHING,
      now,
      simulated: false,
    };
    const table = spotTable(question);
    expect(table.holdsUntil).toBeGreaterThan(now);
    const digest = spotDigest(table);
    const holds = table.holdsUntil - now;
    for (const at of [1, holds - 1, holds / 2, random() * holds, random() * holds]) {
      const later = spotTable({ ...question, now: now + Math.min(holds - 1, Math.floor(at)) });
      if (spotDigest(later) !== digest) throw new Error(`turned before ${table.holdsUntil}: ${now} + ${at}`);
    }
    if (spotDigest(spotTable({ ...question, now: table.holdsUntil })) !== digest) turned += 1;
  }
  // It does not give up far too early either: many a table really is another one then.
  expect(turned).toBeGreaterThan(8);
});
