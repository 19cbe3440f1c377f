/** The sources of rates. The names are the contract's; the order decides between equally fresh values. */

import type { CurrencyCode } from "./currency.ts";

/** Every value a client may meet; `market_daily` is reserved by the contract and never emitted. */
export const SOURCES = [
  "live",
  "imported",
  "ecb_daily",
  "fred_daily",
  "banxico_daily",
  "dof_daily",
  "market_daily",
] as const;
export type Source = (typeof SOURCES)[number];

/** Daily reference sources that the lake stores; the position is the number kept in typed arrays. */
export const DAILY_SOURCES = ["ecb_daily", "fred_daily"] as const;
export type DailySource = (typeof DAILY_SOURCES)[number];

/** The currency every figure of a daily source is quoted against. */
export const PIVOT: Record<DailySource, CurrencyCode> = { ecb_daily: "EUR", fred_daily: "USD" };

/** Of equal observation times the later source in this list counts as the less fresh. */
const TIE_ORDER: readonly Source[] = [
  "live",
  "imported",
  "ecb_daily",
  "market_daily",
  "dof_daily",
  "banxico_daily",
  "fred_daily",
];

/** True when (a, aInstant) is less fresh than (b, bInstant): older, or equally old and later in the tie order. */
export function lessFresh(a: Source, aInstant: number, b: Source, bInstant: number): boolean {
  if (aInstant !== bInstant) return aInstant < bInstant;
  return TIE_ORDER.indexOf(a) > TIE_ORDER.indexOf(b);
}
