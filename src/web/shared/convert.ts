/** Conversion in the browser, with the API's exact arithmetic. */

import { CONVERTED_DIGITS } from "#domain/number/amount.ts";
import { multiplyRounded, parseDecimal, powerOfTen } from "#domain/number/decimal.ts";

/** The rate times the amount, for one unit the rate as printed; a dash for what is no amount. */
export function converted(rate: string, amount: string): string {
  const [factor, units] = [parseDecimal(amount.trim()), parseDecimal(rate)];
  if (factor === null || units === null) return "–";
  return factor.units === powerOfTen(factor.scale) ? rate : multiplyRounded(units, factor, CONVERTED_DIGITS);
}
