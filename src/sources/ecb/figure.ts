/** One ECB reference rate: its currencies, decimals and observation time. The three ECB formats share it. */

import type { CurrencyCode } from "#domain/currency/currency.ts";
import { BrokenDocument } from "#domain/faults/upstream.ts";
import type { Figure } from "#domain/history/observation.ts";
import type { Window } from "#domain/intake/reading.ts";
import { ecbObservedAt } from "#domain/time/calendar.ts";
import { COVERAGE_START, type Day, dayOf, type Instant } from "#domain/time/day.ts";
import { decimalsOf, perDay, readDay } from "#sources/reading.ts";

const USUAL_DECIMALS = 4;
/** As printed by the daily XML, where it differs from four. */
const DECIMALS: Partial<Record<CurrencyCode, number>> = {
  GBP: 5,
  CZK: 3,
  PHP: 3,
  THB: 3,
  HUF: 2,
  IDR: 2,
  ISK: 2,
  JPY: 2,
  KRW: 2,
};

/** The pound had four decimals until the end of 2000. */
const FIFTH_POUND_DECIMAL = dayOf(2001, 1, 1) as Day;

/** In the order of the ECB's own list. */
export const ECB_CURRENCIES = [
  ..."USD JPY CZK DKK GBP HUF PLN RON SEK CHF ISK NOK TRY AUD BRL".split(" "),
  ..."CAD CNY HKD IDR ILS INR KRW MXN MYR NZD PHP SGD THB ZAR".split(" "),
] as readonly CurrencyCode[];

const KNOWN = new Map<string, CurrencyCode>(ECB_CURRENCIES.map((code) => [code, code]));

/** The currency of a column or row, or null for one that is not in the catalog: those (lats, kuna, lev …) are passed over. */
export function ecbCurrency(code: string): CurrencyCode | null {
  return KNOWN.get(code) ?? null;
}

/** A day of the series, which begins on 1999-01-04. Throws BrokenDocument. */
export function readEcbDay(text: string, window: Window, what: string): Day {
  const day = readDay(text, window, what);
  if (day < COVERAGE_START) throw new BrokenDocument(`${what}: ${text} is before the first reference rates`);
  return day;
}

const observedAt = perDay(ecbObservedAt);

/**
 * 1 EUR = `printed` `quote`, observed at 14:15 Frankfurt on the day. A time before that is not when it was published, whatever a
 * document says (the service of versions has loaded figures with a VALID_FROM of years before): it is unknown then.
 */
export function ecbFigure(
  date: Day,
  quote: CurrencyCode,
  printed: string,
  publishedAt: Instant | null,
): Figure {
  const published =
    quote === "GBP" && date < FIFTH_POUND_DECIMAL ? USUAL_DECIMALS : (DECIMALS[quote] ?? USUAL_DECIMALS);
  const observed = observedAt(date);
  return {
    date,
    base: "EUR",
    quote,
    printed,
    decimals: decimalsOf(published, printed),
    observedAt: observed,
    publishedAt: publishedAt !== null && publishedAt >= observed ? publishedAt : null,
  };
}
