/** Spot rates: exact and honest, whatever is live and whatever is not. */

import { describe, expect, test } from "bun:test";
import { CURRENCY_CODES, type CurrencyCode, currencyIndex, EUR, USD } from "#domain/currency/currency.ts";
import { lessFresh } from "#domain/currency/source.ts";
import { EMPTY_BOOK } from "#domain/live/book.ts";
import { spotOrigin, spotRate, spreadInBps } from "#domain/spot/rates.ts";
import { spotTable } from "#domain/spot/table.ts";
import { dayAt } from "#domain/time/day.ts";
import { ecb, historyOf } from "#test/domain/history/columns.ts";
import { oracleOf } from "#test/domain/history/one-date-oracle.ts";
import { type Fraction, isPrintOf, over } from "#test/live/exact.ts";
import { seededRandom } from "#test/support/seeded-random.ts";
import { dailyPerDollar, livePerDollar } from "./oracle.ts";
import { everyPair, randomQuestion } from "./worlds.ts";

/** Each currency's exact value against the dollar as the quotes and figures have it. */
function valuesOf({ figures, book, now }: ReturnType<typeof randomQuestion>): (Fraction | null)[] {
  return CURRENCY_CODES.map((code) => {
    const quote = book.quotes.get(code);
    return quote === undefined ? dailyPerDollar(figures, code, now) : livePerDollar(quote);
  });
}

describe("with any part of the currencies live", () => {
  const rounds = (seed: number, count: number) => {
    const random = seededRandom(seed);
    return Array.from({ length: count }, () => randomQuestion(random));
  };

  test("every rate is exact arithmetic on the printed digits, and there wherever both currencies have a value", () => {
    let checked = 0;
    for (const question of rounds(21, 20)) {
      const values = valuesOf(question);
      const daily = oracleOf(question.figures);
      const table = spotTable(question);
      checked += everyPair(table, ({ from, to, text, derived, legs }) => {
        if (from === to) return;
        const [base, symbol] = [CURRENCY_CODES[from] as CurrencyCode, CURRENCY_CODES[to] as CurrencyCode];
        const isLive = question.book.quotes.has(base) || question.book.quotes.has(symbol);
        const exact = isLive
          ? over(values[to] as Fraction, values[from] as Fraction)
          : (daily.latest(dayAt(question.now), base, symbol)?.exact as Fraction);
        if (!isPrintOf(text, exact)) throw new Error(`${from}→${to} ${text} is not exact`);
        expect(derived).toBe(legs.length > 1);
      });
      for (const to of values.keys())
        if (to !== USD) expect(spotRate(table, USD, to) !== null).toBe(values[to] !== null);
    }
    expect(checked).toBeGreaterThan(10_000);
  });

  test("a rate of one quote has its spread, against the dollar either way; no other rate has one", () => {
    let count = 0;
    for (const question of rounds(25, 30)) {
      const table = spotTable(question);
      everyPair(table, (rate) => {
        const sides = [rate.from, rate.to].map((side) => CURRENCY_CODES[side] as CurrencyCode);
        const other = sides.filter((code) => code !== "USD");
        const quote = other.length === 1 ? question.book.quotes.get(other[0] as CurrencyCode) : undefined;
        const spread = spreadInBps(rate);
        if (!quote?.bid || !quote.ask) expect(spread).toBeNull();
        else {
          // The mid is halfway.
          const [bid, ask] = [Number(quote.bid), Number(quote.ask)];
          expect(Math.abs((spread as number) - (20_000 * (ask - bid)) / (ask + bid))).toBeLessThan(0.00501);
          count += 1;
        }
      });
    }
    expect(count).toBeGreaterThan(200);
  });

  test("source, data_updated_at and stale describe the least fresh figure that a rate rests on", () => {
    for (const question of rounds(24, 30)) {
      const table = spotTable(question);
      everyPair(table, (rate) => {
        const { figures, from, to, derived } = rate;
        const origin = spotOrigin(table, from, [rate]);
        const code = CURRENCY_CODES[to] as CurrencyCode;
        for (const { source, observedAt } of figures)
          expect(lessFresh(source, observedAt, origin.source, origin.dataUpdatedAt)).toBe(false);
        expect(figures.some((figure) => figure.observedAt === origin.dataUpdatedAt)).toBe(true);
        expect(origin.stale[code]).toBe(figures.some(({ stale }) => stale));
        expect(origin.derivedSymbols).toEqual(derived ? [code] : []);
        expect(origin.isReference).toBe(figures.some(({ source }) => source !== "live"));
        // A currency's own quote decides, whatever the other side is.
        if (question.book.quotes.has(code)) expect(origin.sources[code]).toBe("live");
      });
      // An answer is as old as the oldest figure of all its rates.
      const all = CURRENCY_CODES.flatMap((_, to) => spotRate(table, USD, to) ?? []);
      const { source: least, dataUpdatedAt } = spotOrigin(table, USD, all);
      for (const { source, observedAt } of all.flatMap(({ figures }) => figures))
        expect(lessFresh(source, observedAt, least, dataUpdatedAt)).toBe(false);
    }
  });
});

test("a daily figure is printed as published, not carried to the dollar and back", () => {
  const figures = [ecb("2026-04-10", "USD", "1.1699"), ecb("2026-04-10", "HUF", "366.90")];
  const dataset = { history: historyOf(figures), coveredThrough: {}, simulated: false };
  const policy = { currencies: new Set<CurrencyCode>(), staleAfterSeconds: () => 0 };
  const now = Date.parse("2026-04-10T16:00:00Z");
  const table = spotTable({ dataset, book: EMPTY_BOOK, policy, now, simulated: false });
  expect(spotRate(table, EUR, currencyIndex("HUF"))).toMatchObject({ text: "366.90", derived: false });
});
