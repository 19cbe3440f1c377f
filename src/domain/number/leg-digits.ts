/** Computes a rate from printed figures: exact multiplication and division, one rounding. Daily crosses and spot rates both use it. */

import { powerOfTen, ratioText, roundSignificant, unitsText } from "./decimal.ts";

/** Significant digits of an inverted or triangulated rate. A direct rate is printed as published. */
export const DERIVED_DIGITS = 10;

/** The largest relative rounding error of a derived rate: half a unit of its last digit. */
const OUTPUT_HALF_UNIT = 0.5 * 10 ** (1 - DERIVED_DIGITS);

/** One printed figure inside a rate: units / 10^scale, both whole, the units below 2^53. */
export interface FigureLeg {
  readonly units: number;
  readonly scale: number;
  readonly multiplies: boolean;
}

/** The rate of at least one leg: a single multiplying leg as printed, anything else rounded half-even to DERIVED_DIGITS. */
export function legsText(legs: readonly FigureLeg[]): string {
  const only = legs[0] as FigureLeg;
  if (legs.length === 1 && only.multiplies) return unitsText(only.units, only.scale);
  let numerator = 1;
  let denominator = 1;
  for (const { units, scale, multiplies } of legs) {
    const power = 10 ** scale;
    numerator *= multiplies ? units : power;
    denominator *= multiplies ? power : units;
  }
  if (numerator < 2 ** 53 && denominator < 2 ** 53) return ratioText(numerator, denominator, DERIVED_DIGITS);
  return exactText(legs);
}

function exactText(legs: readonly FigureLeg[]): string {
  let numerator = 1n;
  let denominator = 1n;
  for (const { units, scale, multiplies } of legs) {
    const figure = BigInt(units);
    const power = powerOfTen(scale);
    numerator *= multiplies ? figure : power;
    denominator *= multiplies ? power : figure;
  }
  return roundSignificant(numerator, denominator, DERIVED_DIGITS);
}

/** The factor by which a figure that is off by at most `relativeError` can have enlarged a rate. */
export function errorFactor(relativeError: number, multiplies: boolean): number {
  return multiplies ? 1 + relativeError : 1 / (1 - relativeError);
}

/** The product of errorFactor over a rate's legs → its error in basis points, our own rounding included, rounded up to 0.01. */
export function boundInBps(factor: number): number {
  return Math.ceil(1e4 * (factor - 1 + OUTPUT_HALF_UNIT) * 100) / 100;
}
