/** Rounding of rates in columns, in place, with the digits that roundDecimals and meanText give to their texts. */

import { AS_PUBLISHED, type RateColumns, WITHDRAWN } from "#domain/history/rate-columns.ts";
import { meanText } from "#domain/time/periods.ts";
import { unitsText } from "./decimal.ts";
import { DERIVED_DIGITS } from "./leg-digits.ts";

const LARGEST_EXACT = 2 ** 53;
const TENS: readonly number[] = Array.from({ length: 23 }, (_, exponent) => 10 ** exponent);
const SMALLEST = TENS[DERIVED_DIGITS - 1] as number;
const LARGEST = TENS[DERIVED_DIGITS] as number;

/** The digits of a printed decimal. */
export function setDigits(into: RateColumns, row: number, text: string): void {
  const point = text.indexOf(".");
  into.rate[row] = Number(text);
  into.scale[row] = point < 0 ? 0 : text.length - point - 1;
}

/**
 * Sets a row to numerator / denominator (whole and positive), half-even to ten significant digits; false where doubles
 * cannot decide. The bounds are those of ratioText.
 */
export function setQuotient(into: RateColumns, row: number, numerator: number, denominator: number): boolean {
  if (numerator >= LARGEST_EXACT || denominator >= LARGEST_EXACT) return false;
  const quotient = numerator / denominator;
  let scale = DERIVED_DIGITS - 1 - Math.floor(Math.log10(quotient));
  if (!(scale >= 1 && scale <= 21)) return false;
  let shifted = quotient * (TENS[scale] as number);
  if (shifted < SMALLEST) {
    scale += 1;
    shifted = quotient * (TENS[scale] as number);
  } else if (shifted >= LARGEST) {
    scale -= 1;
    shifted = quotient * (TENS[scale] as number);
  }
  const whole = Math.floor(shifted);
  if (!(Math.abs(shifted - whole - 0.5) > 1e-3)) return false;
  into.rate[row] = (shifted - whole > 0.5 ? whole + 1 : whole) / (TENS[scale] as number);
  into.scale[row] = scale;
  return true;
}

/** Sets a row of `into` to the mean of the rows `from` up to, not including, `to` of other columns. */
export function setMean(into: RateColumns, row: number, values: RateColumns, from: number, to: number): void {
  let scale = 0;
  for (let at = from; at < to; at++) scale = Math.max(scale, values.scale[at] as number);
  let sum = 0;
  for (let at = from; at < to; at++) {
    sum += unitsOf(values, at) * (TENS[scale - (values.scale[at] as number)] as number);
  }
  const denominator = (to - from) * (TENS[scale] as number);
  if (setQuotient(into, row, sum, denominator)) return;
  const texts: string[] = [];
  for (let at = from; at < to; at++) texts.push(unitsText(unitsOf(values, at), values.scale[at] as number));
  setDigits(into, row, meanText(texts));
}

/** Rounds every rate half-even to at most `decimals` places, or to its first significant digit where 0 would come of it; zeros at the end go. */
export function roundColumns(columns: RateColumns, decimals: number): void {
  for (let row = 0; row < columns.count; row++) {
    const flags = columns.flags[row] as number;
    if ((flags & WITHDRAWN) !== 0) continue;
    columns.flags[row] = flags & ~AS_PUBLISHED;
    const scale = columns.scale[row] as number;
    if (scale <= decimals) continue;
    const units = unitsOf(columns, row);
    let places = decimals;
    let rounded = halfEven(units, TENS[scale - places] as number);
    if (rounded === 0) {
      places = scale - String(units).length + 1;
      rounded = halfEven(units, TENS[scale - places] as number);
    }
    columns.rate[row] = rounded / (TENS[places] as number);
    columns.scale[row] = places;
  }
}

/** units / unit as a whole number. */
function halfEven(units: number, unit: number): number {
  const whole = Math.floor(units / unit);
  const twice = 2 * (units - whole * unit);
  const up = twice > unit || (twice === unit && whole % 2 === 1);
  return whole + (up ? 1 : 0);
}

/** The digits as an integer: exact, for the rate is the double nearest to them and they are at most 15. */
function unitsOf({ rate, scale }: RateColumns, row: number): number {
  return Math.round((rate[row] as number) * (TENS[scale[row] as number] as number));
}
