/** Made-up moments for the tests of spot rates: daily figures of both sources with holes, and books with any subset live. */

import { CURRENCY_CODES, type CurrencyCode } from "#domain/currency/currency.ts";
import type { FeedId, LiveQuote } from "#domain/live/live-quote.ts";
import { type SpotRate, spotRate } from "#domain/spot/rates.ts";
import type { LivePolicy, SpotQuery, SpotTable } from "#domain/spot/table.ts";
import { type Day, dayAt, formatDay, type Instant } from "#domain/time/day.ts";
import { datasetOf, ecb, fred, type PlainObservation } from "#test/domain/history/columns.ts";

/** A Tuesday at noon: the market was open for 15 hours. */
export const NOON = Date.parse("2026-04-14T12:00:00Z");
export const STALE_SECONDS = 300;
export const EVERYTHING: LivePolicy = {
  currencies: new Set(CURRENCY_CODES),
  staleAfterSeconds: () => STALE_SECONDS,
};

/** Units per dollar, roughly; what is not here lies near 8. */
const LEVELS: Partial<Record<CurrencyCode, number>> = {
  EUR: 0.86,
  GBP: 0.75,
  CHF: 0.8,
  AUD: 1.5,
  NZD: 1.7,
  CAD: 1.4,
  SGD: 1.3,
  JPY: 155,
  HUF: 330,
  ISK: 124,
  INR: 90,
  TWD: 31,
  KRW: 1450,
  IDR: 16_700,
};

export type Random = () => number;

/** Figures of the days before `now`: each currency now and then, the ECB's dollar missing altogether in one world of six. */
export function randomFigures(random: Random, now: Instant): PlainObservation[] {
  const today = dayAt(now);
  const hasDollar = random() < 5 / 6;
  const figures: PlainObservation[] = [];
  const euro = near(random, "EUR");
  for (const code of CURRENCY_CODES) {
    const isOften = random() < 0.8;
    for (let date = today - 20; date <= today; date++) {
      const level = near(random, code);
      if (code !== "EUR" && (code !== "USD" || hasDollar) && random() < (isOften ? 0.5 : 0.04))
        figures.push(ecb(formatDay(date), code, printed(random, code === "USD" ? 1 / euro : level / euro)));
      if (code !== "USD" && random() < 0.15) figures.push(ofH10(random, date, code, level));
    }
  }
  return figures;
}

/** H.10 says four currencies in dollars. */
function ofH10(random: Random, date: Day, code: CurrencyCode, level: number): PlainObservation {
  if (!["EUR", "GBP", "AUD", "NZD"].includes(code))
    return fred(formatDay(date), code, printed(random, level));
  return { source: "fred_daily", date, base: code, quote: "USD", printed: printed(random, 1 / level) };
}

/** Quotes of a random share of the currencies, either way round, one or two sided, of few instants so that times agree. */
export function randomBook(random: Random, now: Instant, oldestSeconds = 240): SpotQuery["book"] {
  const share = random();
  const quotes = new Map<CurrencyCode, LiveQuote>();
  for (const code of CURRENCY_CODES) {
    if (code !== "USD" && random() < share) {
      const age = Math.floor(random() * 4) * (oldestSeconds / 4) * 1000;
      quotes.set(code, randomQuote(random, code, now - age));
    }
  }
  return { quotes };
}

export function randomQuote(random: Random, code: CurrencyCode, observedAt: Instant): LiveQuote {
  const inDollars = random() < 0.5;
  const value = inDollars ? 1 / near(random, code) : near(random, code);
  const feed: FeedId = random() < 0.8 ? "massive" : "oxr";
  const sides = { base: inDollars ? code : "USD", quote: inDollars ? "USD" : code } as const;
  const origin = { feed, ...sides, observedAt, retrievedAt: observedAt + 400 };
  if (random() < 0.4) return { ...origin, bid: null, ask: null, mid: printed(random, value) };
  const decimals = decimalsOf(random, value);
  const bid = Math.floor(value * 10 ** decimals);
  const ask = bid + Math.floor(random() * 30);
  const text = (units: number, scale: number) => (units / 10 ** scale).toFixed(scale);
  return {
    ...origin,
    bid: text(bid, decimals),
    ask: text(ask, decimals),
    mid: text((bid + ask) * 5, decimals + 1),
  };
}

export function randomQuestion(
  random: Random,
  now: Instant = NOON,
): SpotQuery & {
  readonly figures: readonly PlainObservation[];
} {
  const figures = randomFigures(random, now);
  const book = randomBook(random, now);
  return { figures, dataset: datasetOf(figures), book, policy: EVERYTHING, now, simulated: false };
}

/** Every rate of a table goes to `each`; returns their number. */
export function everyPair(table: SpotTable, each: (rate: SpotRate) => void): number {
  let count = 0;
  for (const from of CURRENCY_CODES.keys())
    for (const to of CURRENCY_CODES.keys()) {
      const rate = spotRate(table, from, to);
      if (rate === null) continue;
      count += 1;
      each(rate);
    }
  return count;
}

function near(random: Random, code: CurrencyCode): number {
  return (code === "USD" ? 1 : (LEVELS[code] ?? 8)) * (0.97 + random() * 0.06);
}

function printed(random: Random, value: number): string {
  return value.toFixed(decimalsOf(random, value));
}

function decimalsOf(random: Random, value: number): number {
  return Math.max(0, 4 + Math.floor(random() * 4) - Math.floor(Math.log10(value)));
}
