/** Live rates for callers who get them late: never younger than their delay, always the newest allowed, the same after a restart. */

import { describe, expect, test } from "bun:test";
import { type CurrencyCode, currencyIndex } from "#domain/currency/currency.ts";
import { type Book, EMPTY_BOOK, merge } from "#domain/live/book.ts";
import { currencyOf, type LiveQuote } from "#domain/live/live-quote.ts";
import { spotDigest } from "#domain/spot/rates.ts";
import type { LivePolicy, SpotTable } from "#domain/spot/table.ts";
import { openSpot } from "#rates/spot.ts";
import { EVERYTHING, NOON, randomQuote, STALE_SECONDS } from "#test/domain/spot/worlds.ts";
import { seededRandom } from "#test/support/seeded-random.ts";

const MINUTE = 60_000;
const DELAY = 15 * MINUTE;
/** At noon, and an hour before the market closes and opens. */
const STARTS = ["2026-04-14T12:00:00Z", "2026-04-17T20:00:00Z", "2026-04-19T20:00:00Z"].map(Date.parse);
const CURRENCIES: readonly CurrencyCode[] = ["EUR", "JPY", "MXN"];

/** A book, a clock and the rates made of them, in the test's hands. */
function living(
  start: number,
  known: readonly LiveQuote[] = [],
  recent: readonly LiveQuote[] = [],
  isCredible: LivePolicy["isCredible"] = () => true,
) {
  let now = start;
  let book: Book = merge(EMPTY_BOOK, known, start);
  const listeners = new Set<(book: Book) => void>();
  const spot = openSpot({
    dataset: () => null,
    clock: { now: () => now },
    hotBook: {
      read: () => book,
      subscribe: (listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    policy: { ...EVERYTHING, isCredible },
    simulated: false,
    delayMinutes: 15,
  });
  spot.add(recent, start);
  return {
    spot,
    at(instant: number) {
      now = instant;
    },
    publish(quotes: readonly LiveQuote[]) {
      const newer = merge(book, quotes, now);
      if (newer === book) return;
      book = newer;
      for (const listener of listeners) listener(book);
    },
  };
}

function servedIn(table: SpotTable, code: CurrencyCode) {
  return table.chains[currencyIndex(code)]?.[0]?.figure ?? null;
}

/** Quotes as a feed may bring them over three hours: irregular, some with a time well before they arrive, some ahead of ours by as much as clocks may differ. */
function randomFeed(seed: number, start: number) {
  const random = seededRandom(seed);
  const feed: { readonly arrives: number; readonly quote: LiveQuote }[] = [];
  for (const code of CURRENCIES) {
    let at = start - 30 * MINUTE;
    while (at < start + 150 * MINUTE) {
      at += Math.floor(random() ** 3 * 25 * MINUTE) + 500;
      const skew = random() < 0.2 ? Math.floor((random() - 0.6) * 5 * MINUTE) : -500;
      // A quote that a feed dates further ahead is of the moment of its arrival.
      feed.push({ arrives: at, quote: randomQuote(random, code, at + Math.min(skew, 9_000)) });
    }
  }
  return feed.sort((a, b) => a.arrives - b.arrives);
}

/** Those that the book took: each newer than what was there of its currency. */
function taken(feed: ReturnType<typeof randomFeed>, now: number): LiveQuote[] {
  const newest = new Map<CurrencyCode, number>();
  return feed.flatMap(({ arrives, quote }) => {
    const code = currencyOf(quote);
    if (arrives > now || quote.observedAt <= (newest.get(code) ?? 0)) return [];
    newest.set(code, quote.observedAt);
    return [quote];
  });
}

function newestOf(quotes: readonly LiveQuote[], code: CurrencyCode, until: number): LiveQuote | undefined {
  return quotes.findLast((quote) => currencyOf(quote) === code && quote.observedAt <= until);
}

describe("with a delay of 15 minutes", () => {
  test("at every instant of a random feed the newest quote that is old enough is served, and none that is younger", () => {
    for (let seed = 1; seed <= 6; seed++) {
      const random = seededRandom(seed + 100);
      const start = STARTS[seed % 3] as number;
      const feed = randomFeed(seed, start);
      const { spot, at, publish } = living(start - 31 * MINUTE);
      let arrived = 0;
      for (
        let now = start - 30 * MINUTE;
        now < start + 150 * MINUTE;
        now += Math.floor(random() * 40_000) + 1
      ) {
        for (; (feed[arrived]?.arrives ?? Number.POSITIVE_INFINITY) <= now; arrived++) {
          at((feed[arrived] as (typeof feed)[number]).arrives);
          publish([(feed[arrived] as (typeof feed)[number]).quote]);
        }
        at(now);
        const accepted = taken(feed, now);
        const table = spot();
        for (const code of CURRENCIES) {
          const expected = newestOf(accepted, code, now - DELAY);
          expect(servedIn(table, code)?.observedAt).toBe(expected?.observedAt as number);
        }
        // Callers without a delay are not touched by the others'.
        const undelayed = spot(0);
        for (const code of CURRENCIES)
          expect(servedIn(undelayed, code)?.observedAt).toBe(
            newestOf(accepted, code, Number.MAX_VALUE)?.observedAt as number,
          );
      }
    }
  });

  test("a quote appears in the very millisecond in which it is old enough", () => {
    const quote = randomQuote(seededRandom(5), "JPY", NOON);
    const { spot, at } = living(NOON + 1000, [quote]);
    at(NOON + DELAY - 1);
    expect(servedIn(spot(), "JPY")).toBeNull();
    at(NOON + DELAY);
    expect(servedIn(spot(), "JPY")?.observedAt).toBe(NOON);
  });

  test("a rate is stale when it would have been stale without the delay, so many minutes ago", () => {
    const quote = randomQuote(seededRandom(6), "JPY", NOON);
    const { spot, at } = living(NOON, [quote]);
    at(NOON + DELAY + STALE_SECONDS * 1000);
    expect([servedIn(spot(), "JPY")?.stale, servedIn(spot(0), "JPY")?.stale]).toEqual([false, true]);
    at(NOON + DELAY + STALE_SECONDS * 1000 + 1);
    expect(servedIn(spot(), "JPY")?.stale).toBe(true);
  });

  test("a quote that is no longer credible is not served with a delay either", () => {
    const quote = randomQuote(seededRandom(5), "JPY", NOON);
    let credible = true;
    const { spot, at, publish } = living(NOON + 1000, [quote], [], () => credible);
    at(NOON + DELAY);
    expect(servedIn(spot(), "JPY")?.observedAt).toBe(NOON);
    credible = false;
    // The book changes with the reference.
    publish([randomQuote(seededRandom(6), "SEK", NOON + 500)]);
    expect(servedIn(spot(), "JPY")).toBeNull();
  });

  test("after a restart the same quote is served at once, from the archive", () => {
    for (let seed = 1; seed <= 6; seed++) {
      const start = STARTS[seed % 3] as number;
      const feed = randomFeed(seed, start);
      const random = seededRandom(seed + 200);
      const restart = start + Math.floor(random() * 120 * MINUTE);
      const before = living(start - 31 * MINUTE);
      for (const { arrives, quote } of feed.filter((one) => one.arrives <= restart)) {
        before.at(arrives);
        before.publish([quote]);
      }
      const kept = taken(feed, restart);
      const newest = CURRENCIES.flatMap((code) => newestOf(kept, code, Number.MAX_VALUE) ?? []);
      const after = living(restart, newest, kept);
      for (const now of [restart, restart + MINUTE, restart + DELAY, restart + 3 * DELAY]) {
        before.at(now);
        after.at(now);
        expect(spotDigest(after.spot())).toBe(spotDigest(before.spot()));
      }
    }
  });
});

test("the same table is given as long as nothing changes, and another one the moment anything does", () => {
  const { spot, at, publish } = living(NOON, [randomQuote(seededRandom(7), "JPY", NOON - 1000)]);
  const first = spot(0);
  at(first.holdsUntil - 1);
  expect(spot(0)).toBe(first);
  at(first.holdsUntil);
  const second = spot(0);
  expect(second).not.toBe(first);
  publish([randomQuote(seededRandom(8), "EUR", NOON)]);
  expect(servedIn(spot(0), "EUR")?.observedAt).toBe(NOON);
  // A clock that was set back makes a new one too.
  at(NOON - MINUTE);
  expect(spot(0).now).toBe(NOON - MINUTE);
});
