/** A feed's printed price → an exact number and the plain digits that are kept of it. Used by quote-rules.ts only. */

import { type Decimal, formatDecimal, powerOfTen, roundSignificant } from "#domain/number/decimal.ts";
import { QUOTE_DIGITS } from "./live-quote.ts";

/** JSON's grammar for numbers, which feeds that print text follow too. */
const NUMBER = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?\d{1,3}))?$/;
/** More characters than any price needs; a bound, so that a long run of digits costs nothing. */
const MOST_CHARACTERS = 60;
const LARGEST_EXPONENT = 30;

/** `units` × 10^-`scale`; the scale is negative where an exponent says so, and the digits are as many as were printed. */
export interface PrintedPrice extends Decimal {}

/** The number that a text prints, or null when it is not one. */
export function readPrice(text: string): PrintedPrice | null {
  if (text.length > MOST_CHARACTERS) return null;
  const match = NUMBER.exec(text);
  if (match === null) return null;
  const [, sign, whole, fraction = "", exponent = "0"] = match;
  if (Math.abs(Number(exponent)) > LARGEST_EXPONENT) return null;
  const magnitude = BigInt(`${whole}${fraction}`);
  return { units: sign === "-" ? -magnitude : magnitude, scale: fraction.length - Number(exponent) };
}

/**
 * The price in plain digits: as printed, zeros at the end included; rounded half-even where more than QUOTE_DIGITS
 * significant digits are printed.
 */
export function plainDigits({ units, scale }: PrintedPrice): string {
  if (scale < 0) return plainDigits({ units: units * powerOfTen(-scale), scale: 0 });
  const text = formatDecimal(units, scale);
  const significant = (units < 0n ? -units : units).toString().length;
  return significant <= QUOTE_DIGITS ? text : roundSignificant(units, powerOfTen(scale), QUOTE_DIGITS);
}

/** The same two numbers on the finer of their scales, which is at least 0. */
export function onOneScale(a: PrintedPrice, b: PrintedPrice): { a: bigint; b: bigint; scale: number } {
  const scale = Math.max(a.scale, b.scale, 0);
  return {
    a: a.units * powerOfTen(scale - a.scale),
    b: b.units * powerOfTen(scale - b.scale),
    scale,
  };
}
