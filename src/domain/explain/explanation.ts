/** The explanation of one rate: its figures, and the arithmetic step by step, to be repeated by hand. It matches src/domain/number/leg-digits.ts. */

import { type CurrencyCode, type CurrencyIndex, currencyCode } from "#domain/currency/currency.ts";
import type { DailySource, Source } from "#domain/currency/source.ts";
import type { FeedId } from "#domain/live/live-quote.ts";
import { formatDecimal, formatShortest, powerOfTen } from "#domain/number/decimal.ts";
import { DERIVED_DIGITS, type FigureLeg } from "#domain/number/leg-digits.ts";
import type { Served } from "#domain/rates/rates.ts";
import type { Day, Instant } from "#domain/time/day.ts";

/** Who gave a figure, and on which terms it may be passed on. */
export interface Giver {
  readonly authority: string;
  readonly terms: string;
}

/** The document that a figure was read from. */
export interface FigureDocument {
  /** Address, without credentials. */
  readonly document: string;
  /** Lower-case hex SHA-256 of its bytes. */
  readonly documentSha256: string;
}

/** A value that the figure had before, as the lake stores it. */
export interface EarlierRevision extends FigureDocument {
  readonly revision: number;
  readonly printed: string;
  readonly publishedAt: Instant | null;
  readonly retrievedAt: Instant;
  readonly supersededAt: Instant;
  readonly why: "revised" | "withdrawn";
}

interface ExplainedFigure extends FigureLeg, Giver {
  /** The figure states: 1 `base` = `printed` `quote`. */
  readonly base: CurrencyCode;
  readonly quote: CurrencyCode;
  /** The digits as published or delivered. */
  readonly printed: string;
  /** By how much the figure may be off, in units of `quote`: half a unit of its last digit, or half its spread. */
  readonly error: number;
  readonly observedAt: Instant;
  readonly retrievedAt: Instant;
  readonly simulated: boolean;
}

export interface DailyFigure extends ExplainedFigure {
  readonly kind: "daily";
  readonly source: DailySource;
  readonly date: Day;
  readonly publishedAt: Instant | null;
  readonly revision: number;
  /** Null while the file that names it cannot be read. */
  readonly document: FigureDocument | null;
  /** The oldest first; empty where the figure was never corrected. */
  readonly earlier: readonly EarlierRevision[];
}

export interface LiveFigure extends ExplainedFigure {
  readonly kind: "live";
  readonly source: "live";
  readonly feed: FeedId;
  readonly bid: string | null;
  readonly ask: string | null;
}

/** A figure on the way from one currency to the other; it multiplies or divides. */
export type RateLeg = DailyFigure | LiveFigure;

/** The exact arithmetic of a rate: numerator / denominator, in whole numbers without common zeros. */
export interface Computation {
  /** In printed figures, such as "162.55 / 1.0830". */
  readonly expression: string;
  readonly numerator: string;
  readonly denominator: string;
  /** Significant digits that the quotient is rounded to, half-even; null for a rate that is printed as published. */
  readonly significantDigits: number | null;
  /** The same for people, a step a line. */
  readonly lines: readonly string[];
}

export interface Explanation extends Served {
  readonly base: CurrencyIndex;
  readonly quote: CurrencyIndex;
  /** The day that was requested; null for the latest rate. */
  readonly day: Day | null;
  readonly rate: string;
  readonly derived: boolean;
  readonly boundBps: number | null;
  readonly source: Source;
  readonly dataUpdatedAt: Instant;
  readonly stale: boolean;
  /** Of a day's rate: whether a figure of an earlier day is used. Null for the latest. */
  readonly forwardFilled: boolean | null;
  readonly isReference: boolean;
  /** In the order of the computation; none for a currency against itself. */
  readonly legs: readonly RateLeg[];
  readonly computation: Computation;
  /** DuckDB SQL over the lake that returns the rate, as soon as the lake has its figures. */
  readonly sql: string;
  /** The flush that brings the last of its quotes into the lake; null where the lake has all figures. */
  readonly inLakeAt: Instant | null;
}

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
