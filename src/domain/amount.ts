/** Amounts of a conversion: the contract's grammar, exact. */

import { type Decimal, parseDecimal, powerOfTen } from "./decimal.ts";
import { Failure } from "./errors.ts";

const LONGEST_AMOUNT = 64;
const LARGEST_AMOUNT = 10n ** 15n;

/** Digits of a converted amount: more than any double keeps, so the last one is always exact. */
export const CONVERTED_DIGITS = 15;

/**
 * An amount out of a path or query. Failure `invalid_request` when it does not follow the grammar (optional sign,
 * digits, optional fraction), `invalid_amount` when it is outside ±1e15.
 */
export function parseAmount(text: string): Decimal {
  const amount = text.length <= LONGEST_AMOUNT ? parseDecimal(text) : null;
  if (amount === null) {
    throw new Failure("invalid_request", {
      reason: "invalid or malformed request parameters: amount must be a decimal number",
    });
  }
  return withinBounds(amount, text);
}

/** An amount out of a JSON body: a number, or a string of the same grammar. Failure `invalid_amount` for anything else. */
export function parseBodyAmount(value: string | number): Decimal {
  const text = typeof value === "number" ? plainDigits(value) : value;
  const amount = text.length <= LONGEST_AMOUNT ? parseDecimal(text) : null;
  if (amount === null) throw new Failure("invalid_amount", { amount: value });
  return withinBounds(amount, text);
}

function withinBounds(amount: Decimal, text: string): Decimal {
  const magnitude = amount.units < 0n ? -amount.units : amount.units;
  if (magnitude > LARGEST_AMOUNT * powerOfTen(amount.scale))
    throw new Failure("invalid_amount", { amount: text });
  return amount;
}

/** The shortest decimal digits of a finite double, without an exponent; numbers too small or large for that become "". */
function plainDigits(value: number): string {
  const text = String(value);
  const match = /^(-?)(\d)(?:\.(\d+))?e-(\d+)$/.exec(text);
  if (match === null) return text;
  const [, sign = "", whole = "", fraction = "", exponent = "0"] = match;
  return `${sign}0.${"0".repeat(Math.min(Number(exponent) - 1, LONGEST_AMOUNT))}${whole}${fraction}`;
}
