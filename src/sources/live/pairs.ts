/** Which way round the market quotes a currency against the dollar. Shared by the feeds that quote single pairs. */

import { CURRENCY_CODES, type CurrencyCode } from "#domain/currency/currency.ts";

/** Quoted in dollars for one unit; all others in units for one dollar. */
const IN_DOLLARS = new Set<CurrencyCode>(["EUR", "GBP", "AUD", "NZD"]);

export type Pair = readonly [base: CurrencyCode, quote: CurrencyCode];

/** Every currency of the catalog but the dollar. */
export const AGAINST_DOLLAR: readonly CurrencyCode[] = CURRENCY_CODES.filter((code) => code !== "USD");

/** The pair as the market quotes it. */
export function marketPair(currency: CurrencyCode): Pair {
  return IN_DOLLARS.has(currency) ? [currency, "USD"] : ["USD", currency];
}

/** Both ways round, the market's first. */
export function bothPairs(currency: CurrencyCode): readonly [Pair, Pair] {
  const [base, quote] = marketPair(currency);
  return [
    [base, quote],
    [quote, base],
  ];
}

/** The wanted currencies that are offered, each once, in the order of the offer. */
export function offered(offer: readonly CurrencyCode[], wanted: readonly CurrencyCode[]): CurrencyCode[] {
  return offer.filter((currency) => wanted.includes(currency));
}
