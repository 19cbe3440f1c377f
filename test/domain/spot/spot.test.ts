/** Spot rates: today's daily rates where nothing is live, and exact, closed and honest whatever is live and whatever is not. */

import { describe, expect, test } from "bun:test";
import { CURRENCY_CODES, CURRENCY_COUNT, type CurrencyCode, EUR, USD } from "#domain/currency/currency.ts";
import { lessFresh } from "#domain/currency/source.ts";
import { provenanceOf } from "#domain/dataset/dataset.ts";
import { crossRate, derivationBound } from "#domain/history/cross.ts";
import { EMPTY_BOOK } from "#domain/live/book.ts";
import { type SpotRate, spotBound, spotOrigin, spotRate, spreadInBps } from "#domain/spot/rates.ts";
import { type SpotFigure, type SpotTable, spotTable } from "#domain/spot/table.ts";
import { dayAt, type Instant } from "#domain/time/day.ts";
import { datasetOf, type PlainObservation } from "#test/domain/history/columns.ts";
import { oracleOf } from "#test/domain/history/one-date-oracle.ts";
import { type Fraction, isPrintOf, over } from "#test/live/exact.ts";
import { seededRandom } from "#test/support/seeded-random.ts";
import { dailyPerDollar, livePerDollar } from "./oracle.ts";
import { EVERYTHING, NOON, randomFigures, randomQuestion } from "./worlds.ts";

const ALL = Array.from({ length: CURRENCY_COUNT }, (_, index) => index);

/** Every pair of one source: rate, origin and bound beside those of the daily history, which must be equal. */
function assertLikeDaily(figures: readonly PlainObservation[], now: Instant): number {
  const dataset = datasetOf(figures);
  const { history } = dataset;
  const day = dayAt(now);
  const table = spotTable({ dataset, book: EMPTY_BOOK, policy: EVERYTHING, now, simulated: false });
  let known = 0;
  for (const from of ALL) {
    const rates: SpotRate[] = [];
    const crosses: Parameters<typeof provenanceOf>[3][number][] = [];
    for (const to of ALL) {
      const rate = spotRate(table, from, to);
      const cross = crossRate(history, day, from, to);
      // What the sources make of a pair together: one-date.test.ts.
      const givers = new Set((cross?.rows ?? []).map((row) => history.observations.source[row]));
      const isAcross = givers.size > 1 || (rate !== null && new Set(rate.figures.map(giverOf)).size > 1);
      if (isAcross) continue;
      expect(rate?.text).toBe(cross?.text);
      if (rate === null || cross === null) continue;
      known += 1;
      expect(rate.derived).toBe(cross.derived);
      expect(spotBound(rate)).toBe(derivationBound(history, cross));
      rates.push(rate);
      crosses.push([to, cross]);
    }
    if (rates.length === 0) continue;
    const { forwardFilled: _, filled: __, ...daily } = provenanceOf({ dataset, now }, day, from, crosses);
    const { isReference, ...spot } = spotOrigin(table, from, rates);
    expect(spot).toEqual(daily);
    expect(isReference).toBe(true);
  }
  return known;
}

test("without a live quote every pair of 12 random histories has the text, origin and bound of the day's daily rate", () => {
  const random = seededRandom(11);
  let known = 0;
  for (let round = 0; round < 12; round++)
    known += assertLikeDaily(randomFigures(random, NOON), NOON + Math.floor(random() * 12 * 3_600_000));
  expect(known).toBeGreaterThan(4_000);
});

/** Each currency's exact value against the dollar as the quotes and figures have it. */
function valuesOf({ figures, book, now }: ReturnType<typeof randomQuestion>): (Fraction | null)[] {
  return CURRENCY_CODES.map((code) => {
    const quote = book.quotes.get(code);
    return quote === undefined ? dailyPerDollar(figures, code, now) : livePerDollar(quote);
  });
}

function giverOf({ giver }: SpotFigure): string {
  return giver;
}

/** True when no two of the rates rest on different figures of one currency: then nothing may keep them from closing. */
function agree(rates: readonly SpotRate[]): boolean {
  const seen = new Map<string, SpotFigure>();
  return rates.every(({ figures }) =>
    figures.every((figure) => {
      const key = `${figure.giver} ${figure.currency}`;
      const known = seen.get(key);
      seen.set(key, figure);
      return known === undefined || known.observedAt === figure.observedAt;
    }),
  );
}

function everyPair(table: SpotTable, each: (rate: SpotRate) => void): number {
  let count = 0;
  for (const from of ALL) {
    for (const to of ALL) {
      const rate = spotRate(table, from, to);
      if (rate === null) continue;
      count += 1;
      each(rate);
    }
  }
  return count;
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
      for (const to of ALL)
        if (to !== USD) expect(spotRate(table, USD, to) !== null).toBe(values[to] !== null);
    }
    expect(checked).toBeGreaterThan(10_000);
  });

  test("reciprocals close to better than 0.01 bps, and triangles over all pairs without a gap between them", () => {
    let [closed, apart] = [0, 0];
    for (const question of rounds(22, 6)) {
      const table = spotTable(question);
      const rates = ALL.map((from) => ALL.map((to) => spotRate(table, from, to)));
      const rate = rates.map((row) => row.map((found) => Number(found?.text ?? Number.NaN)));
      let worst = 0;
      for (const a of ALL) {
        for (const b of ALL) {
          const ab = rate[a]?.[b] as number;
          if (Number.isNaN(ab)) continue;
          worst = Math.max(worst, Math.abs(ab * (rate[b]?.[a] as number) - 1));
          for (const c of ALL) {
            const triangle = (ab * (rate[b]?.[c] as number)) / (rate[a]?.[c] as number);
            if (Number.isNaN(triangle) || a === b || b === c || a === c) continue;
            const sides = [rates[a]?.[b], rates[b]?.[c], rates[a]?.[c]] as SpotRate[];
            if (!agree(sides)) apart += 1;
            else {
              closed += 1;
              worst = Math.max(worst, Math.abs(triangle - 1));
            }
          }
        }
      }
      expect(worst * 1e4).toBeLessThan(0.01);
    }
    expect(closed).toBeGreaterThan(apart);
  });

  test("a currency hangs on the dollar by one live figure or by daily ones, never by both", () => {
    for (const question of rounds(23, 60)) {
      const { chains } = spotTable(question);
      for (const [currency, chain] of chains.entries()) {
        const sources = chain?.map(({ figure }) => figure.source) ?? [];
        if (sources.includes("live")) expect(sources).toEqual(["live"]);
        // An ECB figure of a currency comes to the dollar by the ECB's own of that date, also while the euro itself is live.
        if (sources[0] !== "ecb_daily" || currency === EUR || chain?.[1]?.figure.source !== "ecb_daily")
          continue;
        expect(chain[1].figure.currency).toBe(USD);
        expect(chain[1].figure.observedAt).toBe(chain[0]?.figure.observedAt as number);
      }
    }
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
        const { figures, from, to } = rate;
        const origin = spotOrigin(table, from, [rate]);
        const code = CURRENCY_CODES[to] as CurrencyCode;
        for (const { source, observedAt } of figures)
          expect(lessFresh(source, observedAt, origin.source, origin.dataUpdatedAt)).toBe(false);
        expect(figures.some((figure) => figure.observedAt === origin.dataUpdatedAt)).toBe(true);
        expect(origin.stale[code]).toBe(figures.some(({ stale }) => stale));
        expect(origin.isReference).toBe(figures.some(({ source }) => source !== "live"));
        // A currency's own quote decides, whatever the other side is.
        if (question.book.quotes.has(code)) expect(origin.sources[code]).toBe("live");
      });
    }
  });
});
