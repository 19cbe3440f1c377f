/** What a spot rate must be, told from the quotes and figures themselves: units per dollar of each currency as an exact fraction. */

import type { CurrencyCode } from "#domain/currency.ts";
import { dayAt, type Instant } from "#domain/day.ts";
import type { LiveQuote } from "#domain/live/live-quote.ts";
import { type Fraction, fractionOf, ONE, over } from "#test/live/exact.ts";
import type { PlainObservation } from "./columns.ts";

const FILL_DAYS = 14;

/** The daily figure that stands for a currency: the ECB's where it reaches, else H.10's; null where neither does. */
export function standingFigure(
  figures: readonly PlainObservation[],
  code: CurrencyCode,
  now: Instant,
): PlainObservation | null {
  const today = dayAt(now);
  for (const source of ["ecb_daily", "fred_daily"] as const) {
    const pivot = source === "ecb_daily" ? "EUR" : "USD";
    let newest: PlainObservation | null = null;
    for (const figure of figures) {
      if (figure.source !== source || (figure.base === pivot ? figure.quote : figure.base) !== code) continue;
      if (figure.date > today || today - figure.date > FILL_DAYS) continue;
      if (newest === null || figure.date > newest.date) newest = figure;
    }
    if (newest !== null) return newest;
  }
  return null;
}

/** Units per dollar by the daily figures alone; an ECB figure is brought to the dollar by the ECB's own dollar. */
export function dailyPerDollar(
  figures: readonly PlainObservation[],
  code: CurrencyCode,
  now: Instant,
): Fraction | null {
  if (code === "USD") return ONE;
  if (code === "EUR") {
    const dollar = standingFigure(figures, "USD", now);
    if (dollar !== null) return over(ONE, fractionOf(dollar.printed));
  }
  const own = standingFigure(figures, code, now);
  if (own === null) return null;
  const value = fractionOf(own.printed);
  if (own.source === "fred_daily") return own.base === "USD" ? value : over(ONE, value);
  const euro = dailyPerDollar(figures, "EUR", now);
  return euro === null ? null : { top: value.top * euro.top, bottom: value.bottom * euro.bottom };
}

/** Units per dollar by a live quote. */
export function livePerDollar({ base, mid }: Pick<LiveQuote, "base" | "mid">): Fraction {
  return base === "USD" ? fractionOf(mid) : over(ONE, fractionOf(mid));
}
