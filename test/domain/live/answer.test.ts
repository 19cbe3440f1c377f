/** Answers of a feed that lie as a whole: of another base, or with two currencies exchanged. Each price alone would pass. */

import { describe, expect, test } from "bun:test";
import type { CurrencyCode } from "#domain/currency/currency.ts";
import { doubtsOfAnswer } from "#domain/live/answer.ts";
import { startChoice } from "#domain/live/feed-choice.ts";
import type { FeedId, FeedOutcome } from "#domain/live/live-quote.ts";
import { publishedTable } from "#test/rates/published-table.ts";
import { brought, FALLBACK, FEEDS, FeedRun, MINUTE, PRIMARY, quoteOf, START } from "./feed-polls.ts";

const FIXING: Partial<Record<CurrencyCode, number>> = {
  CHF: 0.7893,
  SEK: 9.2514,
  NOK: 9.8731,
  PLN: 3.6021,
  CAD: 1.3812,
  SGD: 1.2871,
  GBP: 0.7457,
};
const CURRENCIES = Object.keys(FIXING) as CurrencyCode[];
const at = (minute: number) => START + minute * MINUTE;

function runOf(feeds = FEEDS.slice(0, 1), fixing = FIXING): FeedRun {
  const run = new FeedRun(startChoice(feeds, CURRENCIES));
  run.references = new Map(Object.entries(fixing) as [CurrencyCode, number][]);
  return run;
}

function answer(feed: FeedId, minute: number, prices: Partial<Record<CurrencyCode, number>>): FeedOutcome {
  const quotes = Object.entries(prices).map(([code, price]) =>
    quoteOf(feed, price.toPrecision(8), at(minute) - 1000, code as CurrencyCode),
  );
  return brought(feed, at(minute), quotes, CURRENCIES);
}

const times = (factor: number, prices = FIXING) =>
  Object.fromEntries(Object.entries(prices).map(([code, price]) => [code, price * factor]));
const servedBy = ({ state }: FeedRun) =>
  state.flatMap(({ currency, served }) => (served === null ? [] : [`${currency} ${served.mid}`]));

describe("an answer of another base", () => {
  for (const [name, perDollar] of [
    ["the euro", 1 / 0.8561],
    ["the Swiss franc", 1 / 0.7893],
    ["a dollar of another time", 1.06],
  ] as const) {
    test(`${name}: is not served however often one feed repeats it, and the next right answer is at once`, () => {
      const run = runOf();
      for (let minute = 0; minute < 30; minute++)
        run.take(answer(PRIMARY, minute, times(perDollar * (1 + minute / 1e5))));
      expect(servedBy(run)).toEqual([]);
      expect(new Set(run.held.map(({ rule }) => rule))).toEqual(new Set(["moved_together"]));
      run.take(answer(PRIMARY, 30, FIXING));
      expect(servedBy(run)).toHaveLength(CURRENCIES.length);
    });
  }

  test("is a real move when another feed says the same", () => {
    const run = runOf(FEEDS);
    run.take(answer(PRIMARY, 0, times(1.06)));
    expect(servedBy(run)).toEqual([]);
    run.take(answer(FALLBACK, 1, times(1.061)));
    expect(servedBy(run)).toHaveLength(CURRENCIES.length);
  });

  test("is judged price by price by references that are too old", () => {
    // Easter takes five days.
    for (const [days, served] of [
      [5, 0],
      [7, CURRENCIES.length],
    ] as const) {
      const run = runOf();
      run.referenceAt = START - days * 86_400_000;
      run.take(answer(PRIMARY, 0, times(1.06)));
      expect(servedBy(run)).toHaveLength(served);
    }
  });
});

/** Both have moved since the fixing. */
const exchanged = { ...FIXING, SEK: (FIXING.NOK as number) * 1.012, NOK: (FIXING.SEK as number) * 1.016 };

test("an answer with two currencies exchanged has all others served, and these two never on one feed's word", () => {
  const run = runOf();
  for (let minute = 0; minute < 30; minute++)
    run.take(answer(PRIMARY, minute, times(1 + minute / 1e5, exchanged)));
  expect(servedBy(run).map((text) => text.slice(0, 3))).toEqual(
    CURRENCIES.filter((code) => code !== "SEK" && code !== "NOK"),
  );
  expect(run.held.map(({ rule }) => rule)).toEqual(["exchanged", "exchanged"]);
  run.take(answer(PRIMARY, 30, FIXING));
  expect(servedBy(run)).toHaveLength(CURRENCIES.length);
});

test.each([0.9194, 0.9709])(
  "the inverse of a reference of %d is never served on one feed's word",
  (reference) => {
    const run = runOf(FEEDS.slice(0, 1), { ...FIXING, CHF: reference });
    for (let minute = 0; minute < 30; minute++)
      run.take(answer(PRIMARY, minute, times(1 + minute / 1e5, { ...FIXING, CHF: 1 / reference })));
    expect(servedBy(run).filter((text) => text.startsWith("CHF"))).toEqual([]);
    expect(servedBy(run)).toHaveLength(CURRENCIES.length - 1);
    expect(run.held.map(({ rule }) => rule)).toEqual(["exchanged"]);
  },
);

test("no real day since 1999 is doubted by the fixings of the day before", async () => {
  const days = [...(await publishedTable())].sort(([one], [other]) => (one < other ? -1 : 1));
  let judged = 0;
  for (const [place, [date, figures]] of days.entries()) {
    const [earlier, before] = days[place - 1] ?? [];
    if (earlier === undefined || before === undefined) continue;
    const now = Date.parse(`${date}T14:15:00Z`);
    const perDollar = (from: typeof figures, code: string) =>
      Number(from.get(code) ?? 1) / Number(from.get("USD"));
    const published = [...figures.keys()].filter((code) => code !== "USD" && before.has(code));
    const codes = ["EUR", ...published] as CurrencyCode[];
    const quotes = codes.map((code) => quoteOf(PRIMARY, perDollar(figures, code).toPrecision(10), now, code));
    const observedAt = Date.parse(`${earlier}T14:15:00Z`);
    const references = new Map(
      codes.map((code) => [code, { perDollar: perDollar(before, code), observedAt }]),
    );
    expect([date, ...doubtsOfAnswer(quotes, references, now).values()]).toEqual([date]);
    judged += quotes.length;
  }
  expect(judged).toBeGreaterThan(150_000);
});
