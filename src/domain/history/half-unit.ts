/** Half a unit of a figure: the most that its authority's rounding can have changed it. The error bound is computed from it. */

import { type CurrencyCode, currencyIndex } from "#domain/currency/currency.ts";
import { DAILY_SOURCES, type DailySource, PIVOT } from "#domain/currency/source.ts";
import { type Day, parseDay } from "#domain/time/day.ts";
import type { ObservationColumns, Row } from "./history.ts";

/** A figure that ends in many zeros may do so by accident. */
const MOST_ZEROS = 2;

/**
 * Half a unit of the last digit that is not zero, in units of the figure's quote: never finer than the decimals that the
 * authority publishes, at most two digits coarser. Where COARSE_STEPS has a coarser step for the day and the figure
 * is a multiple of it, half of that step. An authority may round more coarsely than it prints; one figure and the
 * table decide this, later figures never do.
 */
export function halfUnit(observations: ObservationColumns, row: Row): number {
  const units = observations.units[row] as number;
  const scale = observations.scale[row] as number;
  const published = observations.decimals[row] as number;
  const last = Math.max(published - MOST_ZEROS, Math.min(published, lastDecimal(units, scale)));
  const step = stepOf(observations, row);
  const half = 0.5 * 10 ** -last;
  if (step === undefined || !isMultiple(units, scale, step)) return half;
  return Math.max(half, 0.5 * step.mantissa * 10 ** step.exponent);
}

/** Decimal place of the last digit that is not zero; negative before the point. */
function lastDecimal(units: number, scale: number): number {
  let [rest, place] = [units, scale];
  while (rest !== 0 && rest % 10 === 0) {
    rest /= 10;
    place -= 1;
  }
  return place;
}

/** True when units / 10^scale is a whole multiple of the step; all of it in whole numbers. */
function isMultiple(units: number, scale: number, { mantissa, exponent }: CoarseStep): boolean {
  const finer = scale + exponent;
  return finer >= 0 ? units % (mantissa * 10 ** finer) === 0 : (units * 10 ** -finer) % mantissa === 0;
}

function stepOf({ source, base, quote, date }: ObservationColumns, row: Row): CoarseStep | undefined {
  const from = source[row] as number;
  const currency = base[row] === PIVOTS[from] ? quote[row] : base[row];
  const day = date[row] as number;
  return STEPS[from]
    ?.get(currency as number)
    ?.find((step) => day >= step.from && day <= (step.to ?? Number.POSITIVE_INFINITY));
}

/** Figures of the period that are multiples of mantissa × 10^exponent are rounded to it; the others are printed finer. */
export interface CoarseStep {
  readonly source: DailySource;
  /** The side that is not the pivot of the source. */
  readonly currency: CurrencyCode;
  /** Both days inclusive; `to` is null where the step was still in use when the table was made. */
  readonly from: Day;
  readonly to: Day | null;
  readonly mantissa: 2 | 5;
  readonly exponent: number;
}

/**
 * Ordered by source, currency and date. A period is listed when at least five of six of its figures (19 of 20 for a step
 * of 2) are multiples of the step, its first and last figures are, and of at least 18 figures whose digit at that place is
 * not zero two thirds fit the step, where chance gives one of nine (four of nine for a step of 2). Read out of the ECB's
 * whole history to 2026-04-13 and the H.10 series of TWD to 2020-10-09. Shorter runs cannot be distinguished from chance.
 */
export const COARSE_STEPS: readonly CoarseStep[] = [
  step("ecb_daily", "GBP", "2001-01-02", "2016-01-15", 5, -5),
  step("ecb_daily", "INR", "2016-04-04", "2016-06-28", 5, -4),
  step("ecb_daily", "INR", "2016-08-19", "2021-06-14", 5, -4),
  step("ecb_daily", "INR", "2021-06-28", "2022-11-09", 5, -4),
  step("ecb_daily", "INR", "2022-12-06", "2025-03-03", 5, -4),
  step("ecb_daily", "INR", "2025-05-05", null, 5, -4),
  step("ecb_daily", "ISK", "2008-10-08", "2008-12-09", 5, 0),
  step("ecb_daily", "ISK", "2018-06-19", "2018-08-27", 2, -1),
  step("ecb_daily", "ISK", "2021-07-21", "2021-09-20", 2, -1),
  step("ecb_daily", "ISK", "2021-10-05", "2022-03-07", 2, -1),
  step("ecb_daily", "ISK", "2025-05-21", "2026-02-17", 2, -1),
  step("ecb_daily", "NOK", "1999-01-04", "2016-01-25", 5, -4),
  step("ecb_daily", "NOK", "2023-02-22", null, 5, -4),
  step("ecb_daily", "PLN", "2009-01-05", "2009-03-19", 5, -4),
  step("ecb_daily", "SEK", "1999-01-05", "2000-10-20", 5, -4),
  step("ecb_daily", "SEK", "2008-12-02", "2009-02-17", 5, -4),
  step("ecb_daily", "SEK", "2023-02-24", "2023-05-09", 5, -4),
  step("ecb_daily", "SEK", "2023-06-20", "2024-02-29", 5, -4),
  step("ecb_daily", "SEK", "2024-05-17", null, 5, -4),
  step("ecb_daily", "TRY", "2006-04-07", "2006-06-19", 5, -4),
  step("fred_daily", "TWD", "2004-08-31", "2005-04-19", 5, -3),
];

function step(
  source: DailySource,
  currency: CurrencyCode,
  from: string,
  to: string | null,
  mantissa: CoarseStep["mantissa"],
  exponent: number,
): CoarseStep {
  return {
    source,
    currency,
    from: parseDay(from) as Day,
    to: to === null ? null : parseDay(to),
    mantissa,
    exponent,
  };
}

const PIVOTS = DAILY_SOURCES.map((source) => currencyIndex(PIVOT[source]));

/** The table by position of the source, then by currency. */
const STEPS = DAILY_SOURCES.map((source) =>
  Map.groupBy(
    COARSE_STEPS.filter((step) => step.source === source),
    ({ currency }) => currencyIndex(currency),
  ),
);
