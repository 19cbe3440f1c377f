/** api.coinbase.com/v2/exchange-rates: keyless, strings, no time stamp but the HTTP Date. */

import { CURRENCY_CODES } from "#domain/currency/currency.ts";
import { isQuoted, quotesOf } from "./quotes.ts";
import { type Answer, json, notFound, type Visit } from "./visit.ts";

/** Things that are not in the catalog and must be passed over; metals come as zero. */
const OTHERS: readonly (readonly [string, string])[] = [
  ["AED", "3.6725"],
  ["BTC", "0.00001042"],
  ["XAG", "0"],
  ["XAU", "0"],
];

export function coinbase(visit: Visit): Answer {
  if (visit.url.pathname !== "/v2/exchange-rates") return notFound();
  const base = (visit.url.searchParams.get("currency") ?? "USD").toUpperCase();
  if (!isQuoted(base)) {
    return json('{"errors":[{"id":"invalid_request","message":"Currency is invalid"}]}', 400);
  }
  const quotes = quotesOf(visit);
  const rates = CURRENCY_CODES.map((code) => [code, print(code, quotes.mid(base, code))] as const);
  const all = [...rates, ...OTHERS].sort(([a], [b]) => (a < b ? -1 : 1));
  return json(`{"data":{"currency":"${base}","rates":${JSON.stringify(Object.fromEntries(all))}}}`);
}

/** The króna in whole units, which is too coarse to be used; the others finer than two basis points. */
function print(code: string, rate: number): string {
  if (code === "ISK") return rate.toFixed(0);
  if (rate >= 100) return rate.toFixed(2);
  return rate.toFixed(rate >= 0.1 ? 4 : 8);
}
