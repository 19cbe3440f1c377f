/** The feeds of live quotes as their hosts answer: Coinbase and Open Exchange Rates; and their market between two fixings. */

import { CURRENCY_CODES, type CurrencyCode } from "#domain/currency/currency.ts";
import { atWallTime, dayInZone, ecbObservedAt, marketSession } from "#domain/time/calendar.ts";
import { type Day, type Instant, MILLISECONDS_PER_DAY, weekdayOf } from "#domain/time/day.ts";
import { type Answer, type DemoRequest, json, notFound, withoutTrailingZeros } from "./request.ts";

/** Codes that are not in the catalog and must be passed over; metals come as zero. */
const OTHERS: readonly (readonly [string, string])[] = [
  ["AED", "3.6725"],
  ["BTC", "0.00001042"],
  ["XAG", "0"],
  ["XAU", "0"],
];

export function coinbase(request: DemoRequest): Answer {
  if (request.url.pathname !== "/v2/exchange-rates") return notFound();
  const quotes = quotesOf(request);
  const rates = CURRENCY_CODES.map((code) => [code, print(code, quotes.mid("USD", code))] as const);
  const all = [...rates, ...OTHERS].sort(([a], [b]) => (a < b ? -1 : 1));
  return json(`{"data":{"currency":"USD","rates":${JSON.stringify(Object.fromEntries(all))}}}`);
}

/** Prints the króna in whole units, which are too coarse to be used, and the others finer than two basis points. */
function print(code: string, rate: number): string {
  if (code === "ISK") return rate.toFixed(0);
  if (rate >= 100) return rate.toFixed(2);
  return rate.toFixed(rate >= 0.1 ? 4 : 8);
}

export function openExchangeRates(request: DemoRequest): Answer {
  if (request.url.pathname !== "/api/latest.json") return notFound();
  const quotes = quotesOf(request);
  const rates = CURRENCY_CODES.map(
    (code) => `"${code}":${withoutTrailingZeros(quotes.mid("USD", code).toFixed(6))}`,
  );
  return json(
    `{"disclaimer":"Usage subject to terms: https://openexchangerates.org/terms",` +
      `"license":"https://openexchangerates.org/license","timestamp":${quotes.at / 1000},` +
      `"base":"USD","rates":{${rates.join(",")}}}`,
  );
}

export function quotesOf({ world, now, printing }: DemoRequest) {
  const at = lastOpenSecond(now);
  const { day, elapsed } = marketPosition(at);
  return {
    /** Instant of the quotes, whole seconds; while the market is closed, its last second. */
    at: at + (printing.day(day, day) - day) * MILLISECONDS_PER_DAY,
    /** Mid, units of `quote` per `base`. */
    mid(base: CurrencyCode, quote: CurrencyCode): number {
      if (base === quote) return 1;
      const value = world.perEuro(quote, day, elapsed) / world.perEuro(base, day, elapsed);
      return printing.value([quote, base], day, day, value);
    },
  };
}

/** The second of an instant while the market is open; else the last second before it closed. */
function lastOpenSecond(now: Instant): Instant {
  const second = Math.floor(now / 1000) * 1000;
  if (marketSession(second) === "open") return second;
  // The market closes at 17:00 New York only: finds the newest such instant with an open market before it.
  for (let day = dayInZone("America/New_York", second); ; day--) {
    const close = atWallTime("America/New_York", day, 17, 0);
    if (close <= second && marketSession(close - 1000) === "open") return close - 1000;
  }
}

/** The newest weekday with its 14:15 Frankfurt in the past, and the elapsed part of the open market until the next weekday's 14:15. */
function marketPosition(at: Instant): { day: Day; elapsed: number } {
  let day = dayInZone("Europe/Berlin", at);
  while (weekdayOf(day) === 0 || weekdayOf(day) === 6 || ecbObservedAt(day) > at) day--;
  const from = ecbObservedAt(day);
  const friday = weekdayOf(day) === 5;
  const to = ecbObservedAt(friday ? day + 3 : day + 1);
  if (!friday) return { day, elapsed: (at - from) / (to - from) };
  const closes = atWallTime("America/New_York", day, 17, 0);
  const opens = atWallTime("America/New_York", day + 2, 17, 0);
  const weekend = opens - closes;
  return { day, elapsed: (at - from - (at >= opens ? weekend : 0)) / (to - from - weekend) };
}
