/** What the writer of the kill test appends, as a function of the append's number: so that the test knows what must be there. */

import type { CurrencyCode } from "#domain/currency/currency.ts";
import type { LiveQuote } from "#domain/live/live-quote.ts";
import { at, MINUTE, quote } from "./sample.ts";

const CODES: readonly CurrencyCode[] = ["EUR", "JPY", "GBP", "CHF", "SEK"];
const START = at("2026-03-02T23:00:00Z");
/** Dates come and go, and what is older than the retention becomes due while the test runs. */
const APART = 20 * MINUTE;

/** The clock of an append: a moment after its quotes. */
export function instantOf(append: number): number {
  return START + append * APART + 10_000;
}

/** One poll: every currency, a second apart. */
export function pollOf(append: number): readonly LiveQuote[] {
  return CODES.map((code, nth) => {
    const observedAt = START + append * APART + nth * 1000;
    return quote(`USD/${code}`, `${nth + 1}.${String(append).padStart(6, "0")}`, observedAt, {
      bid: `${nth + 1}.${String(append).padStart(6, "0")}`,
    });
  });
}
