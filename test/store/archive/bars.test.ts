/** Bars against a plain computation on random ticks: from files, from the journal, from both; in JavaScript and in SQL. */

import { describe, expect, test } from "bun:test";
import type { CurrencyCode } from "#domain/currency/currency.ts";
import { BAR_SECONDS, type Bar, type BarQuery } from "#domain/history/periods.ts";
import { FEEDS, type LiveQuote } from "#domain/live/live-quote.ts";
import { roundSignificant } from "#domain/number/decimal.ts";
import { barsOf, crossOf, seriesOf } from "#store/archive/bars/series.ts";
import { openReader } from "#store/parquet/duckdb-process.ts";
import { atEnd } from "#test/support/at-end.ts";
import { seededRandom } from "#test/support/seeded-random.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { referenceBars } from "./reference.ts";
import { at, DAY, HOUR, MINUTE, openTemporary, quote } from "./sample.ts";

const SEED = Number(process.env["BARS_SEED"] ?? 7);
const START = at("2026-03-28T20:00:00Z");
/** Over two midnights, and over the night in which Europe changes its clocks. */
const SPAN = 32 * HOUR;
const LEVELS: readonly [CurrencyCode, number][] = [
  ["EUR", 0.87],
  ["JPY", 158.2],
  ["IDR", 16_900],
];

function randomQuotes(random: () => number, count: number): readonly LiveQuote[] {
  const quotes = new Map<string, LiveQuote>();
  const integer = (below: number) => Math.floor(random() * below);
  for (let nth = 0; nth < count; nth++) {
    const [code, level] = LEVELS[integer(LEVELS.length)] as [CurrencyCode, number];
    const value = level * (1 + random() / 100);
    const isInverse = integer(4) === 0;
    const mid = (isInverse ? 1 / value : value).toPrecision(4 + integer(9));
    if (mid.includes("e")) continue;
    // Whole seconds and few lags, so that ticks often coincide.
    const observedAt = START + integer(SPAN / 1000) * (integer(3) === 0 ? MINUTE / 4 : 1000);
    if (observedAt >= START + SPAN) continue;
    const feed = FEEDS[integer(FEEDS.length)] as LiveQuote["feed"];
    const pair = isInverse ? `${code}/USD` : `USD/${code}`;
    const made = quote(pair, mid, observedAt, { feed, retrievedAt: observedAt + integer(3) * 500 });
    // A pair's ticks of one instant and retrieval come from one feed and one direction: no order is promised beyond that.
    quotes.set(`${code} ${observedAt} ${made.retrievedAt}`, made);
  }
  return [...quotes.values()];
}

function randomQuery(random: () => number): BarQuery {
  const codes: readonly CurrencyCode[] = ["USD", "EUR", "JPY", "IDR"];
  const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)] as T;
  const base = pick(codes);
  const from = START - HOUR + Math.floor(random() * SPAN);
  return {
    base,
    symbol: pick(codes.filter((code) => code !== base)),
    from,
    to: from + 1 + Math.floor(random() * SPAN),
    widthSeconds: pick(Object.values(BAR_SECONDS)),
    order: pick(["asc", "desc"] as const),
    limit: pick([1, 7, 100_000]),
  };
}

function expectSame(found: readonly Bar[], wanted: readonly Bar[]): void {
  // The reference adds in plain doubles: its means may differ in the tenth digit, where rounding turned another way.
  const withoutMean = (bars: readonly Bar[]) => bars.map((bar) => ({ ...bar, mean: 0 }));
  expect(withoutMean(found)).toEqual(withoutMean(wanted));
  for (const [nth, bar] of found.entries()) {
    expect(Math.abs(bar.mean / (wanted[nth] as Bar).mean - 1)).toBeLessThan(1.1e-9);
    expect(bar.mean).toBeGreaterThanOrEqual(bar.low);
    expect(bar.mean).toBeLessThanOrEqual(bar.high);
  }
}

test(`on random ticks, bars equal the plain computation, before and after they are in files (BARS_SEED=${SEED})`, async () => {
  const random = seededRandom(SEED);
  let compared = 0;
  for (let round = 0; round < 4; round++) {
    const quotes = randomQuotes(random, [30, 300, 3000, 3000][round] as number);
    const directory = temporaryDirectory();
    const archive = await openTemporary(directory);
    const half = Math.floor(quotes.length / 2);
    await archive.append(quotes.slice(0, half));
    await archive.flush();
    await archive.append(quotes.slice(half));
    const queries = Array.from({ length: 25 }, () => randomQuery(random));
    const before = [];
    for (const query of queries) before.push(await archive.bars(query));
    await archive.flush();
    // As a server that only answers reads: by DuckDB in a process of its own.
    const reader = openReader(directory);
    atEnd(reader.close);
    const apart = await openTemporary(directory, { access: "read", reader });
    const [from, to] = [START, START + SPAN];
    expect(await apart.quotes(from, to)).toEqual(await archive.quotes(from, to));
    for (const [nth, query] of queries.entries()) {
      const bars = await archive.bars(query);
      expect(before[nth]).toEqual(bars);
      expect(await apart.bars(query)).toEqual(bars);
      expectSame(bars, referenceBars(quotes, query));
      compared += bars.length;
    }
  }
  expect(compared).toBeGreaterThan(500);
});

describe("a bar", () => {
  const noon = at("2026-03-02T12:00:00Z");
  const hour = { from: noon, to: noon + HOUR, widthSeconds: 3600, order: "asc", limit: 10 } as const;

  test("of a pair as quoted preserves the digits as delivered", async () => {
    const archive = await openTemporary();
    await archive.append([
      quote("USD/JPY", "158.123456789012", noon),
      quote("USD/JPY", "158.2", noon + MINUTE),
    ]);
    const least = 158.123456789012;
    const prices = { open: least, high: 158.2, low: least, close: 158.2, mean: 158.1617284 };
    const [bar, ...others] = await archive.bars({ ...hour, base: "USD", symbol: "JPY" });
    expect(bar).toEqual({ start: noon, since: noon, ...prices, ticks: 2 });
    expect(others).toEqual([]);
  });

  test("is not there for an interval without a tick, nor for an archive without one", async () => {
    const archive = await openTemporary();
    expect(await archive.bars({ ...hour, base: "USD", symbol: "EUR" })).toEqual([]);
    await archive.append([quote("USD/EUR", "0.8", noon), quote("USD/EUR", "0.9", noon + 3 * HOUR)]);
    const day = { ...hour, to: noon + DAY, base: "USD", symbol: "EUR" } as const;
    expect((await archive.bars(day)).map(({ start }) => start)).toEqual([noon, noon + 3 * HOUR]);
  });
});

describe("the last digit is that of exact arithmetic, however close a tie is", () => {
  const ticks = (prices: readonly number[], isInverse: 0 | 1 = 0) => ({
    observed: Int32Array.from(prices, (_, nth) => nth),
    lag: new Int32Array(prices.length),
    feed: new Uint8Array(prices.length).fill(1),
    isInverse: new Uint8Array(prices.length).fill(isInverse),
    price: Float64Array.from(prices),
  });
  const day = { from: 0, to: 24 * HOUR, widthSeconds: BAR_SECONDS["1d"] };
  const none = seriesOf(ticks([]), false);
  /** Whether the quotient is within 1e-5 of a tie of ten digits, with the first tie's neighbours on both sides. */
  const isNear = (top: bigint, bottom: bigint) => {
    const scale = top >= bottom ? 9n : 10n;
    const rest = (top * 10n ** scale) % bottom;
    const beside = rest * 2n - bottom;
    return (beside < 0n ? -beside : beside) * 50_000n < bottom;
  };

  test("of an inverse and of a cross", () => {
    let compared = 0;
    const prices = Array.from({ length: 899_999 }, (_, nth) => 100_001 + nth);
    for (const units of prices.filter((units) => isNear(100_000n, BigInt(units)))) {
      const expected = Number(roundSignificant(100_000n, BigInt(units), 10));
      const inverse = seriesOf(ticks([units / 1e5], 1), false);
      expect([units, barsOf(0, inverse, day)[0]?.close]).toEqual([units, expected]);
      // The same by a cross of a leg that is 1.
      const [base, symbol] = [seriesOf(ticks([units / 1e5]), false), seriesOf(ticks([1]), false)];
      const cross = crossOf({ today: base, before: none }, { today: symbol, before: none });
      expect([units, barsOf(0, cross, day)[0]?.mean]).toEqual([units, expected]);
      compared++;
    }
    expect(compared).toBeGreaterThan(10);
  });

  test("of a mean of many ticks", () => {
    const count = 60_007;
    // The units of one tick for which the mean is half a tick's share above, and below, a tie.
    for (const beside of [1, -1]) {
      const rest = (count + beside) / 2;
      let more = 0;
      while ((more * 10_000) % count !== rest) more++;
      const units = [116_000 + more, ...Array(count - 1).fill(116_000)] as number[];
      const expected = roundSignificant(BigInt(116_000 * count + more), BigInt(count) * 100_000n, 10);
      const [bar] = barsOf(0, seriesOf(ticks(units.map((one) => one / 1e5)), false), day);
      expect([bar?.ticks, bar?.mean]).toEqual([count, Number(expected)]);
    }
  });
});
