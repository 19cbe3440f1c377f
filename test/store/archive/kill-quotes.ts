/** What the writer of the kill test appends, as a function of the append's number: so that the test knows what must be there. */

import type { CurrencyCode } from "#domain/currency.ts";
import type { LiveQuote } from "#domain/live/live-quote.ts";
import { at, MINUTE, quote } from "./sample.ts";

const CODES: readonly CurrencyCode[] = ["EUR", "JPY", "GBP", "CHF", "SEK"];
const START = at("2026-03-02T23:00:00Z");
/** After every quote that is ever appended: all dates are closed. */
export const NOW = at("2026-04-01T12:00:00Z");

/** One poll: every currency, a few seconds apart; each poll seven minutes after the last, so that dates come and go. */
export function pollOf(append: number): readonly LiveQuote[] {
  return CODES.map((code, nth) => {
    const observedAt = START + append * 7 * MINUTE + nth * 1000;
    return quote(`USD/${code}`, `${nth + 1}.${String(append).padStart(6, "0")}`, observedAt, {
      bid: `${nth + 1}.${String(append).padStart(6, "0")}`,
    });
  });
}
