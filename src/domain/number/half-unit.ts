/** Half a unit of a figure: by how much its authority's rounding can have moved it. The error bound rests on it. */

import { currencyIndex } from "#domain/currency/currency.ts";
import { DAILY_SOURCES, PIVOT } from "#domain/currency/source.ts";
import type { ObservationColumns, Row } from "#domain/history/history.ts";
import { COARSE_STEPS, type CoarseStep } from "./rounding-steps.ts";

/** A figure that ends in many zeros may do so by accident. */
const MOST_ZEROS = 2;

/**
 * Half a unit of the last digit that is not zero, in units of the figure's quote: never finer than the decimals that the
 * authority publishes, at most two digits coarser. Where rounding-steps.ts has a coarser step for the day and the figure
 * is a multiple of it, half of that step. An authority may round more coarsely than it prints; one figure and the
 * table say so, later figures never do.
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

const PIVOTS = DAILY_SOURCES.map((source) => currencyIndex(PIVOT[source]));

/** The table by position of the source, then by currency. */
const STEPS = DAILY_SOURCES.map((source) =>
  Map.groupBy(
    COARSE_STEPS.filter((step) => step.source === source),
    ({ currency }) => currencyIndex(currency),
  ),
);
