/** The arithmetic of a rate, written out step by step so that it can be repeated by hand. It matches src/domain/number/leg-digits.ts. */

import { type CurrencyIndex, currencyCode } from "#domain/currency/currency.ts";
import { formatDecimal, formatShortest, powerOfTen } from "#domain/number/decimal.ts";
import { DERIVED_DIGITS } from "#domain/number/leg-digits.ts";
import type { Computation, RateLeg } from "./explanation.ts";

/** Significant digits of the quotient before it is rounded. */
const SHOWN_DIGITS = 20;

interface Wanted {
  readonly base: CurrencyIndex;
  readonly quote: CurrencyIndex;
  /** The rate, as computed already. */
  readonly rate: string;
}

/** The steps from the figures to the rate. */
export function computationOf(legs: readonly RateLeg[], { base, quote, rate }: Wanted): Computation {
  const pair = `1 ${currencyCode(base)}`;
  const { numerator, denominator } = ratioOf(legs);
  const ratio = { numerator: String(numerator), denominator: String(denominator) };
  const [first] = legs;
  if (first === undefined) {
    const lines = [`${pair} = 1 ${currencyCode(quote)}: one currency`];
    return { expression: "1", ...ratio, significantDigits: null, lines };
  }
  const figures = legs.map(
    (leg) => `1 ${leg.base} = ${leg.printed} ${leg.quote} (${leg.kind === "live" ? leg.feed : leg.source})`,
  );
  if (legs.length === 1 && first.multiplies) {
    const origin = first.kind === "live" ? "as delivered" : "as published";
    const lines = [...figures, `${pair} = ${rate} ${currencyCode(quote)}, ${origin}`];
    return { expression: first.printed, ...ratio, significantDigits: null, lines };
  }
  const expression = expressionOf(legs);
  const lines = [
    ...figures,
    `${pair} = ${expression} ${currencyCode(quote)}`,
    `= ${numerator} / ${denominator}`,
    `= ${quotientText(numerator, denominator)}`,
    `= ${rate}, rounded half-even to ${DERIVED_DIGITS} significant digits`,
  ];
  return { expression, ...ratio, significantDigits: DERIVED_DIGITS, lines };
}

/** Multiplying figures first, then the dividing ones. */
function expressionOf(legs: readonly RateLeg[]): string {
  const above = legs.filter(({ multiplies }) => multiplies).map(({ printed }) => printed);
  const below = legs.filter(({ multiplies }) => !multiplies).map(({ printed }) => printed);
  return [above.join(" * ") || "1", ...below].join(" / ");
}

function ratioOf(legs: readonly RateLeg[]): { readonly numerator: bigint; readonly denominator: bigint } {
  let numerator = 1n;
  let denominator = 1n;
  for (const { units, scale, multiplies } of legs) {
    numerator *= multiplies ? BigInt(units) : powerOfTen(scale);
    denominator *= multiplies ? powerOfTen(scale) : BigInt(units);
  }
  while (numerator % 10n === 0n && denominator % 10n === 0n) {
    numerator /= 10n;
    denominator /= 10n;
  }
  return { numerator, denominator };
}

/** The quotient cut after SHOWN_DIGITS digits; the ellipsis says that there are more. */
function quotientText(numerator: bigint, denominator: bigint): string {
  const scale = Math.max(0, SHOWN_DIGITS - (String(numerator).length - String(denominator).length));
  const scaled = numerator * powerOfTen(scale);
  if (scaled % denominator === 0n) return formatShortest(scaled / denominator, scale);
  return `${formatDecimal(scaled / denominator, scale)}…`;
}
