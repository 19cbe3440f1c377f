/** Simulated live quotes: the market between two fixings, second by second, constant while it is closed. */

import { CURRENCY_CODES, type CurrencyCode } from "#domain/currency/currency.ts";
import { atWallTime, dayInZone, ecbObservedAt, marketSession } from "#domain/time/calendar.ts";
import { type Day, type Instant, weekdayOf } from "#domain/time/day.ts";
import { printedValue } from "./fault.ts";
import type { DemoRequest } from "./request.ts";

export type Quotes = ReturnType<typeof quotesOf>;

const YEAR = 365 * 86_400_000;

export function quotesOf({ world, now, fault }: DemoRequest) {
  const at = lastOpenSecond(now);
  const { day, elapsed } = marketPosition(at);
  return {
    /** Instant of the quotes, whole seconds; while the market is closed, its last second. */
    at: fault?.kind === "wrong-date" ? at + YEAR : at,
    /** Mid, units of `quote` per `base`. */
    mid(base: CurrencyCode, quote: CurrencyCode): number {
      if (base === quote) return 1;
      const value = world.perEuro(quote, day, elapsed) / world.perEuro(base, day, elapsed);
      const slipped = fault?.kind === "decimal-slip" && base === fault.currency ? base : quote;
      return printedValue(fault, slipped, day, day, value);
    },
    /** Half of the spread between bid and ask, relative to the mid. */
    halfSpread: (base: CurrencyCode, quote: CurrencyCode) =>
      MAJORS.has(base) && MAJORS.has(quote) ? 0.00006 : 0.0003,
  };
}

const MAJORS = new Set<CurrencyCode>(["USD", "EUR", "GBP", "JPY", "CHF", "AUD", "CAD", "NZD"]);

/** Currencies quoted against the dollar, and the dollar. */
export function isQuoted(code: string): code is CurrencyCode {
  return (CURRENCY_CODES as readonly string[]).includes(code);
}

/** The same second while the market is open; else the second before it closed. */
function lastOpenSecond(now: Instant): Instant {
  const second = Math.floor(now / 1000) * 1000;
  if (marketSession(second) === "open") return second;
  // The market closes at 17:00 New York and only then: the newest such instant after which it was open before.
  for (let day = dayInZone("America/New_York", second); ; day--) {
    const close = atWallTime("America/New_York", day, 17, 0);
    if (close <= second && marketSession(close - 1000) === "open") return close - 1000;
  }
}

/** Newest weekday whose 14:15 Frankfurt has passed, and the part of the open market until the next weekday's. */
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
