/** Exact decimals: units × 10^-scale. Doubles are used only where they provably round like exact arithmetic. */

export interface Decimal {
  /** Signed integer; the value is units / 10^scale. */
  readonly units: bigint;
  readonly scale: number;
}

const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/;

/** Optional sign, digits, optional fraction ("1", "-.5", "007.10") → exact value; anything else → null. */
export function parseDecimal(text: string): Decimal | null {
  if (!DECIMAL.test(text)) return null;
  const point = text.indexOf(".");
  if (point < 0) return { units: BigInt(text), scale: 0 };
  const digits = text.slice(0, point) + text.slice(point + 1);
  return { units: BigInt(digits), scale: text.length - point - 1 };
}

/** Whether a ratio is at most 25 % off a power of ten other than 1, and so suggests a misplaced decimal point. */
export function isDecimalSlip(ratio: number): boolean {
  const power = Math.round(Math.log10(ratio));
  return power !== 0 && Math.abs(ratio / 10 ** power - 1) <= 0.25;
}

/** Power of ten as BigInt; exponent ≥ 0. */
export function powerOfTen(exponent: number): bigint {
  return POWERS[exponent] ?? 10n ** BigInt(exponent);
}
const POWERS: readonly bigint[] = Array.from({ length: 40 }, (_, exponent) => 10n ** BigInt(exponent));

/** Digits of units / 10^scale, keeping the trailing zeros that the scale implies ("0.85670"). */
export function formatDecimal(units: bigint, scale: number): string {
  const sign = units < 0n ? "-" : "";
  const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, "0");
  if (scale === 0) return sign + digits;
  return `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

/** Like `formatDecimal`, without trailing zeros in the fraction. */
export function formatShortest(units: bigint, scale: number): string {
  const text = formatDecimal(units, scale);
  return scale > 0 && text.endsWith("0") ? text.replace(/\.?0+$/, "") : text;
}

/** numerator / denominator rounded half-even to `digits` significant digits, printed without trailing zeros. */
export function roundSignificant(numerator: bigint, denominator: bigint, digits: number): string {
  if (numerator === 0n) return "0";
  const negative = numerator < 0n !== denominator < 0n;
  const top = numerator < 0n ? -numerator : numerator;
  const bottom = denominator < 0n ? -denominator : denominator;
  // First guess of the scale from digit counts, then at most one step of correction.
  let scale = digits - (top.toString().length - bottom.toString().length);
  let units = divideHalfEven(top, bottom, scale);
  while (units >= powerOfTen(digits)) {
    scale -= 1;
    units = divideHalfEven(top, bottom, scale);
  }
  if (scale < 0) return formatDecimal((negative ? -units : units) * powerOfTen(-scale), 0);
  return formatShortest(negative ? -units : units, scale);
}

/** numerator / denominator rounded half-even to `scale` decimals, as units of 10^-scale. Both non-negative; scale may be negative. */
function divideHalfEven(numerator: bigint, denominator: bigint, scale: number): bigint {
  const top = scale >= 0 ? numerator * powerOfTen(scale) : numerator;
  const bottom = scale >= 0 ? denominator : denominator * powerOfTen(-scale);
  const quotient = top / bottom;
  const twice = (top % bottom) * 2n;
  if (twice > bottom || (twice === bottom && quotient % 2n === 1n)) return quotient + 1n;
  return quotient;
}

/**
 * Rounds half-even to at most `decimals` places, without trailing zeros. What would become 0 keeps its first significant digit: a
 * rate of 0 is no rate.
 */
export function roundDecimals(value: Decimal, decimals: number): string {
  if (value.scale <= decimals || value.units === 0n) return formatShortest(value.units, value.scale);
  const negative = value.units < 0n;
  const magnitude = negative ? -value.units : value.units;
  const units = divideHalfEven(magnitude, powerOfTen(value.scale), decimals);
  if (units === 0n) return roundSignificant(value.units, powerOfTen(value.scale), 1);
  return formatShortest(negative ? -units : units, decimals);
}

/** An amount of money rounded half-even to `decimals` places, printed with all of them ("85.50"); never "-0.00". */
export function roundAmount({ units, scale }: Decimal, decimals: number): string {
  return roundQuotient(units, powerOfTen(scale), decimals);
}

/** Like `roundAmount` for numerator / denominator; the denominator is positive. */
export function roundQuotient(numerator: bigint, denominator: bigint, decimals: number): string {
  const magnitude = divideHalfEven(numerator < 0n ? -numerator : numerator, denominator, decimals);
  return formatDecimal(numerator < 0n && magnitude !== 0n ? -magnitude : magnitude, decimals);
}

/** A rate in digits, rounded half-even to `dp` decimals; null keeps it as it is. */
export function withDecimals(text: string, dp: number | null): string {
  if (dp === null) return text;
  const value = parseDecimal(text);
  if (value === null) throw new Error(`a rate is not a decimal: ${text}`);
  return roundDecimals(value, dp);
}

/** Exact product printed with at most `digits` significant digits (half-even), as a JSON number. */
export function multiplyRounded(a: Decimal, b: Decimal, digits: number): string {
  const [units, scale] = [a.units * b.units, a.scale + b.scale];
  const least = powerOfTen(digits);
  const isShort = units < least && units > -least;
  return isShort ? formatShortest(units, scale) : roundSignificant(units, powerOfTen(scale), digits);
}

// ── Ratios of integers, fast ─────────────────────────────────────────────────────────────────────

const LARGEST_EXACT = 2 ** 53;
const TENS: readonly number[] = Array.from({ length: 23 }, (_, exponent) => 10 ** exponent);

/**
 * numerator / denominator (positive integers in doubles) rounded half-even to `digits` ≤ 12 significant digits, without trailing
 * zeros. Equal to `roundSignificant` on every input: only a quotient within 2^-52 of a rounding boundary needs exact arithmetic.
 */
export function ratioText(numerator: number, denominator: number, digits: number): string {
  if (numerator >= LARGEST_EXACT || denominator >= LARGEST_EXACT) {
    throw new RangeError("ratioText needs integers below 2^53");
  }
  const quotient = numerator / denominator;
  let exponent = Math.floor(Math.log10(quotient));
  let scale = digits - 1 - exponent;
  if (scale > 22 || scale < 0) return roundSignificant(BigInt(numerator), BigInt(denominator), digits);
  let shifted = quotient * (TENS[scale] as number);
  if (shifted < (TENS[digits - 1] as number)) {
    exponent -= 1;
    scale += 1;
    shifted = quotient * (TENS[scale] ?? Number.NaN);
  } else if (shifted >= (TENS[digits] as number)) {
    scale -= 1;
    shifted = quotient * (TENS[scale] ?? Number.NaN);
  }
  const whole = Math.floor(shifted);
  const distanceToTie = Math.abs(shifted - whole - 0.5);
  // 12 digits × 2^-52 relative error stay below 1e-3 units of the last digit; NaN falls through to exact too.
  if (!(distanceToTie > 1e-3)) return roundSignificant(BigInt(numerator), BigInt(denominator), digits);
  const rounded = shifted - whole > 0.5 ? whole + 1 : whole;
  return unitsText(...withoutZeros(rounded, scale));
}

/** units / 10^scale without trailing zeros behind the point. */
export function withoutZeros(units: number, scale: number): readonly [units: number, scale: number] {
  let [shortUnits, shortScale] = [units, scale];
  while (shortScale > 0 && shortUnits % 10 === 0) {
    shortUnits /= 10;
    shortScale -= 1;
  }
  return [shortUnits, shortScale];
}

/** A non-negative safe integer times 10^-scale, trailing zeros kept: 85670, 5 → "0.85670". */
export function unitsText(units: number, scale: number): string {
  const text = units.toString();
  if (scale === 0) return text;
  if (text.length > scale) return `${text.slice(0, text.length - scale)}.${text.slice(text.length - scale)}`;
  return `0.${text.padStart(scale, "0")}`;
}
