/** Rounding of computed prices, in doubles and in one way: select-bars.sql does the same operations, so that both give the same bits. */

/** Significant digits of a computed price (as of every inverse and cross of the product). */
export const PRICE_DIGITS = 10;

const TENS: readonly number[] = Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`));

/** A positive double rounded half-even to PRICE_DIGITS significant digits (fewer below 1e-13; whole numbers above 1e9). */
export function roundPrice(value: number): number {
  let scale = Math.min(22, Math.max(0, PRICE_DIGITS - 1 - Math.floor(Math.log10(value))));
  // Near a power of ten the logarithm may err by one.
  const guess = value * (TENS[scale] as number);
  if (guess >= 1e10 && scale > 0) scale -= 1;
  else if (guess < 1e9 && scale < 22) scale += 1;
  const power = TENS[scale] as number;
  return halfEven(value * power) / power;
}

/** Quotients of short decimals often lie exactly between two: their doubles miss the tie by less than this. */
const TIE_WIDTH = 1e-5;

function halfEven(value: number): number {
  const whole = Math.floor(value);
  const rest = value - whole;
  if (Math.abs(rest - 0.5) < TIE_WIDTH) return whole % 2 === 0 ? whole : whole + 1;
  return rest > 0.5 ? whole + 1 : whole;
}
