/** Exact fractions of printed digits and their text to so many digits, by schoolbook division: nothing of the product's own arithmetic. */

/** top / bottom, both positive. */
export interface Fraction {
  readonly top: bigint;
  readonly bottom: bigint;
}

export const ONE: Fraction = { top: 1n, bottom: 1n };

/** `159.4710` → 1594710 / 10000. */
export function fractionOf(printed: string): Fraction {
  const [whole = "", decimals = ""] = printed.split(".");
  return { top: BigInt(whole + decimals), bottom: 10n ** BigInt(decimals.length) };
}

export function over(a: Fraction, b: Fraction): Fraction {
  return { top: a.top * b.bottom, bottom: a.bottom * b.top };
}

/** The exact mean of two printed prices. */
export function meanOf(a: string, b: string): Fraction {
  const [one, two] = [fractionOf(a), fractionOf(b)];
  return { top: one.top * two.bottom + two.top * one.bottom, bottom: 2n * one.bottom * two.bottom };
}

export function isSame(a: Fraction, b: Fraction): boolean {
  return a.top * b.bottom === b.top * a.bottom;
}

export function asNumber({ top, bottom }: Fraction): number {
  return Number((top * 10n ** 20n) / bottom) / 1e20;
}

/** Half-even to so many significant digits, without zeros at its end; rates have ten. */
export function rounded({ top, bottom }: Fraction, significant = 10): string {
  const quotient = (top * 10n ** 60n) / bottom;
  const isExact = (top * 10n ** 60n) % bottom === 0n;
  const digits = quotient.toString();
  const rest = digits.slice(significant);
  const half = `5${"0".repeat(rest.length - 1)}`;
  const kept = BigInt(digits.slice(0, significant));
  const isUp = rest > half || (rest === half && (!isExact || kept % 2n === 1n));
  const text = (isUp ? kept + 1n : kept).toString();
  const places = digits.length - 60 + text.length - significant;
  return plain(text, places);
}

/** True when a text is the fraction itself or the fraction rounded to ten digits. */
export function isPrintOf(text: string, exact: Fraction): boolean {
  return text === rounded(exact) || isSame(fractionOf(text), exact);
}

/** Digits with the point after so many of them, which may be none or fewer. */
function plain(digits: string, places: number): string {
  if (places >= digits.length) return digits.padEnd(places, "0");
  const text =
    places > 0 ? `${digits.slice(0, places)}.${digits.slice(places)}` : `0.${"0".repeat(-places)}${digits}`;
  return text.replace(/0+$/, "").replace(/\.$/, "");
}
