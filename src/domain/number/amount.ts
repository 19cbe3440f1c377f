/** Parses amounts for conversion, by the contract's grammar, exactly. */

import { CURRENCIES, currencyIndex } from "#domain/currency/currency.ts";
import { Failure } from "#domain/faults/errors.ts";
import { type ExactNumber, isExactNumber } from "#domain/net/message.ts";
import { type Decimal, parseDecimal, powerOfTen, roundAmount } from "./decimal.ts";

/** Most characters of an amount, leading zeros included; a JSON number is counted as written out without its exponent. */
export const LONGEST_AMOUNT = 256;
const LARGEST_AMOUNT = 10n ** 15n;

/** Significant digits of a converted amount: a double holds every decimal of 15 digits. */
export const CONVERTED_DIGITS = 15;

/**
 * An amount of a path or query: optional sign, digits, optional fraction, at most 256 characters. Failure `invalid_request` for
 * other text, `invalid_amount` outside ±1e15.
 */
export function parseAmount(text: string): Decimal {
  const amount = text.length <= LONGEST_AMOUNT ? parseDecimal(text) : null;
  if (amount === null) throw malformedAmount();
  return withinBounds(amount, text);
}

function malformedAmount(): Failure {
  return new Failure("invalid_request", {
    reason: `invalid or malformed request parameters: amount must be a decimal number with a point and no separators, of at most ${LONGEST_AMOUNT} characters`,
  });
}

/** An amount out of a JSON body: a number's digits, or a string of the same grammar. Failure `invalid_amount` for anything else. */
export function parseBodyAmount(value: string | ExactNumber): Decimal {
  const text = isExactNumber(value) ? plainDigits(value.rawJSON) : value;
  const amount = text.length <= LONGEST_AMOUNT ? parseDecimal(text) : null;
  const written = isExactNumber(value) ? value.rawJSON : value || "an empty text";
  if (amount === null) throw new Failure("invalid_amount", { amount: written });
  return withinBounds(amount, written);
}

function withinBounds(amount: Decimal, text: string): Decimal {
  const magnitude = amount.units < 0n ? -amount.units : amount.units;
  if (magnitude > LARGEST_AMOUNT * powerOfTen(amount.scale))
    throw new Failure("invalid_amount", { amount: text });
  return amount;
}

/** A JSON number without its exponent, exact; "", which is no amount, where that would be longer than an amount may be. */
function plainDigits(text: string): string {
  const match = /^(-?)(\d+)(?:\.(\d+))?e([+-]?\d+)$/i.exec(text);
  if (match === null) return text;
  const [, sign = "", whole = "", fraction = "", exponent = "0"] = match;
  const digits = `${whole}${fraction}`;
  if (/^0+$/.test(digits)) return "0";
  // Where the point goes, counted from the first digit.
  const point = whole.length + Number(exponent);
  if (Math.abs(point) > 2 * LONGEST_AMOUNT) return "";
  const padded = `${"0".repeat(Math.max(0, -point))}${digits.padEnd(point, "0")}`;
  const at = Math.max(0, point);
  return `${sign}${padded.slice(0, at) || "0"}${at < padded.length ? `.${padded.slice(at)}` : ""}`;
}

/**
 * The exact product of a rate and an amount, rounded once, half-even, to the minor units of `to`: "85.50". A product of CONVERTED_DIGITS
 * digits would be rounded twice, and a large one has no cents.
 */
export function inMinorUnits(rate: string, amount: string, to: string): string {
  const [one, other, currency] = [parseDecimal(rate), parseDecimal(amount), CURRENCIES[currencyIndex(to)]];
  if (one === null || other === null || currency === undefined)
    throw new Error(`not money of the catalog: ${rate} × ${amount} ${to}`);
  const exact = { units: one.units * other.units, scale: one.scale + other.scale };
  return roundAmount(exact, currency.minorUnits);
}
