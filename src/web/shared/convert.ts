/** Amounts as people type them, and conversion in the browser with the API's exact arithmetic. */

import { CONVERTED_DIGITS } from "#domain/number/amount.ts";
import { multiplyRounded, parseDecimal, powerOfTen } from "#domain/number/decimal.ts";
import { grouped } from "./words.ts";

/** The digits of an amount with a point, or a sentence that says why the text is not an amount. */
export type TypedAmount = { readonly digits: string } | { readonly fault: string };

/** Thousands in threes, "1,000,000", or as in India, "10,00,000". */
const GROUPED = /^[+-]?[1-9]\d{0,2}([ .,'])\d{3}(?:\1\d{3})*$|^[+-]?[1-9]\d?(?:,\d{2})+,\d{3}$/;

/**
 * Reads "1000.50", "1,000.50", "1 000,50", "1.000.000", "10,00,000", "0,5" and "١٬٠٠٠٫٥٠". A single comma or point before three digits
 * can mean a thousand or one: it is refused.
 */
export function readAmount(text: string): TypedAmount {
  const written = text
    // Marks of the direction of writing, which are copied with a number out of Arabic or Hebrew.
    .replace(/[\u061c\u200e\u200f]/g, "")
    .trim()
    .replace(/[\u00a0\u202f\u2009]/g, " ")
    .replace(/\p{Nd}/gu, valueOfDigit)
    // The signs of Japanese keyboards: ＋，－．
    .replace(/[\uff0b-\uff0e]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0));
  const [, thousands, rest] = /^([+-]?[1-9]\d{0,2})[.,](\d{3})$/.exec(written) ?? [];
  if (thousands !== undefined) {
    const meant = `${thousands}${rest} or ${thousands}.${rest}0`;
    return { fault: `“${written}” can mean ${meant}: write one of them` };
  }
  const typed = written.replace(/[\u2019\u066c]/g, "'").replace(/\u066b/g, ".");
  if (parseDecimal(typed) !== null) return { digits: typed };
  const mark = Math.max(typed.lastIndexOf("."), typed.lastIndexOf(","));
  const isWhole = GROUPED.test(typed);
  const [whole, fraction] = isWhole || mark < 0 ? [typed, ""] : [typed.slice(0, mark), typed.slice(mark + 1)];
  const separators = new Set(whole.match(/[ .,']/g));
  const isGrouped =
    separators.size === 0 || (GROUPED.test(whole) && !separators.has(isWhole ? "" : (typed[mark] ?? "")));
  const digits = `${whole.replace(/[ .,']/g, "")}${fraction === "" ? "" : `.${fraction}`}`;
  if (isGrouped && /^\d*$/.test(fraction) && parseDecimal(digits) !== null) return { digits };
  return { fault: "Write an amount as 1000.50" };
}

/** The value of a digit of any script: the ten digits of each follow each other. */
function valueOfDigit(digit: string): string {
  let value = 0;
  while (/\p{Nd}/u.test(String.fromCodePoint((digit.codePointAt(0) as number) - value - 1))) value += 1;
  return String(value % 10);
}

/** The rate times the amount, to `digits` digits; for one unit the rate as printed. Null when the text is not an amount. */
export function converted(rate: string, amount: string, digits = CONVERTED_DIGITS): string | null {
  const typed = readAmount(amount);
  const units = parseDecimal(rate);
  const factor = "digits" in typed ? parseDecimal(typed.digits) : null;
  if (factor === null || units === null) return null;
  return factor.units === powerOfTen(factor.scale) ? rate : multiplyRounded(units, factor, digits);
}

/** An amount in digits, grouped: "1234.5" is "1,234.5". */
export function groupedAmount(digits: string): string {
  const [whole = "", ...fraction] = digits.split(".");
  return [grouped(whole), ...fraction].join(".");
}
