/** What a spot rate must be, computed from the quotes and figures themselves: units per dollar of each currency as an exact fraction. */

import type { CurrencyCode } from "#domain/currency/currency.ts";
import type { LiveQuote } from "#domain/live/live-quote.ts";
import { dayAt, type Instant } from "#domain/time/day.ts";
import type { PlainObservation } from "#test/domain/history/columns.ts";
import { oracleOf, subjectOf } from "#test/domain/history/one-date-oracle.ts";
import { type Fraction, fractionOf, ONE, over } from "#test/live/exact.ts";

const FILL_DAYS = 14;

/** The newest figure of a currency: the ECB's where it reaches, else H.10's; null where neither does. */
export function figureInForce(
  figures: readonly PlainObservation[],
  code: CurrencyCode,
  now: Instant,
): PlainObservation | null {
  const today = dayAt(now);
  for (const source of ["ecb_daily", "fred_daily"] as const) {
    const own = figures.filter((figure) => figure.source === source && subjectOf(figure) === code);
    const near = own.filter(({ date }) => date <= today && today - date <= FILL_DAYS);
    if (near.length > 0) return near.reduce((newest, one) => (one.date > newest.date ? one : newest));
  }
  return null;
}

/** Units per dollar by the daily figures alone, by the rule of one date. */
export function dailyPerDollar(
  figures: readonly PlainObservation[],
  code: CurrencyCode,
  now: Instant,
): Fraction | null {
  if (code === "USD") return ONE;
  return oracleOf(figures).daily(dayAt(now), "USD", code)?.exact ?? null;
}

export function livePerDollar({ base, mid }: Pick<LiveQuote, "base" | "mid">): Fraction {
  return base === "USD" ? fractionOf(mid) : over(ONE, fractionOf(mid));
}
