/** What live quotes are judged by: a currency's newest daily reference, and the ratio of two values whichever way round. Types and one rule. */

import type { CurrencyCode } from "#domain/currency/currency.ts";
import type { Instant } from "#domain/time/day.ts";

export interface Reference {
  /** Units of the currency per dollar, as a double: for comparing only, never to be kept or shown as a rate. */
  readonly perDollar: number;
  /** The oldest observation that it is made of: a later one is a newer reference. */
  readonly observedAt: Instant;
}

export type References = ReadonlyMap<CurrencyCode, Reference>;

/** How many times one positive value is the other, at least 1, the same whichever way round: max(r, 1/r). */
export function ratioOf(a: number, b: number): number {
  return Math.max(a / b, b / a);
}
