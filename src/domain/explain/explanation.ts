/**
 * The explanation of one rate: its figures, the arithmetic step by step, and the DuckDB query over the lake that returns the same
 * rate. The arithmetic is that of src/domain/number/leg-digits.ts.
 */

import type { SupersededObservation } from "#domain/acceptance/judgement.ts";
import { currencyCode } from "#domain/currency/currency.ts";
import type { DailySource } from "#domain/currency/source.ts";
import type { PairRate } from "#domain/dataset/dataset.ts";
import type { Figure, Provenance } from "#domain/history/observation.ts";
import type { LiveQuote } from "#domain/live/live-quote.ts";
import { formatDecimal, formatShortest, powerOfTen } from "#domain/number/decimal.ts";
import { DERIVED_DIGITS, type FigureLeg } from "#domain/number/leg-digits.ts";
import { type Day, dayAt, formatDay, formatInstant, type Instant, yearOf } from "#domain/time/day.ts";

export interface Giver {
  readonly authority: string;
  readonly terms: string;
}

export type FigureDocument = Pick<Provenance, "document" | "documentSha256">;

/** A value that the figure had before, as the lake stores it. */
export type EarlierRevision = FigureDocument &
  Pick<
    SupersededObservation,
    "revision" | "printed" | "publishedAt" | "retrievedAt" | "supersededAt" | "why"
  >;

interface ExplainedFigure
  extends FigureLeg,
    Giver,
    Pick<Figure, "base" | "quote" | "printed" | "observedAt"> {
  /** By how much the figure may be off, in units of `quote`: half a unit of its last digit, or half its spread. */
  readonly error: number;
  readonly retrievedAt: Instant;
  readonly simulated: boolean;
}

export interface DailyFigure extends ExplainedFigure {
  readonly kind: "daily";
  readonly source: DailySource;
  readonly date: Day;
  readonly publishedAt: Instant | null;
  readonly revision: number;
  /** Null for a dataset without documents. */
  readonly document: FigureDocument | null;
  /** The oldest first; empty where the figure was never corrected. */
  readonly earlier: readonly EarlierRevision[];
}

export interface LiveFigure extends ExplainedFigure, Pick<LiveQuote, "feed" | "bid" | "ask"> {
  readonly kind: "live";
  readonly source: "live";
}

export type RateLeg = DailyFigure | LiveFigure;

const SHOWN_DIGITS = 20;

type RateInDigits = Pick<PairRate, "base" | "quote" | "rate">;

/**
 * The exact arithmetic of a rate: numerator / denominator, in whole numbers without common zeros. `expression` is in printed figures, such
 * as "162.55 / 1.0830"; `significantDigits` are those that the quotient is rounded to, half-even, or null for a rate that is printed as
 * published; `lines` are the steps for people.
 */
export function computationOf(legs: readonly RateLeg[], { base, quote, rate }: RateInDigits) {
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

function expressionOf(legs: readonly RateLeg[]): string {
  const above = legs.filter(({ multiplies }) => multiplies).map(({ printed }) => printed);
  const below = legs.filter(({ multiplies }) => !multiplies).map(({ printed }) => printed);
  return [above.join(" * ") || "1", ...below].join(" / ");
}

function productsOf(legs: readonly RateLeg[]): { readonly above: bigint; readonly below: bigint } {
  let above = 1n;
  let below = 1n;
  for (const { units, scale, multiplies } of legs) {
    above *= multiplies ? BigInt(units) : powerOfTen(scale);
    below *= multiplies ? powerOfTen(scale) : BigInt(units);
  }
  return { above, below };
}

function ratioOf(legs: readonly RateLeg[]): { readonly numerator: bigint; readonly denominator: bigint } {
  let { above: numerator, below: denominator } = productsOf(legs);
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

/** The path of the lake on a server. A directory on disk has the same files below `current/`: docs/lake.md. */
export const LAKE_PATH = "/v1/lake";

/** What DuckDB's HUGEINT holds, with room for the doubled remainder. */
const LARGEST_HUGEINT = 2n ** 126n;

/**
 * A script of two statements; the second returns one row, `rate`, the DOUBLE nearest to the decimal `rate`. `lake` is the lake's
 * address without a slash at the end.
 */
export function lakeQuery(
  legs: readonly RateLeg[],
  { base, quote, rate, lake }: RateInDigits & { readonly lake: string },
): string {
  const title = `-- ${currencyCode(base)} to ${currencyCode(quote)}: ${rate}`;
  if (legs.length === 0) return `${title}\nSELECT 1.0::DOUBLE AS rate;\n`;
  const figures = legs.map(
    (leg, at) => `${nameOf(at)} AS (\n  SELECT ${columnsOf(leg)}\n  ${sourceOf(leg)}\n)`,
  );
  const { steps, select } = roundingOf(legs, rate);
  return `${title}
-- The lake: this address, or a directory such as data/live/lake.
SET VARIABLE lake = '${lake}';
WITH ${[...figures, ...steps].join(",\n")}
${select};
`;
}

/** The steps that round the rate half-even to its decimals; they use doubles only where 38 digits do not suffice. */
function roundingOf(
  legs: readonly RateLeg[],
  rate: string,
): { readonly steps: readonly string[]; readonly select: string } {
  const [above, below] = [productOf(legs, true), productOf(legs, false)];
  const from = `FROM ${legs.map((_, at) => nameOf(at)).join(", ")}`;
  if (legs.length === 1 && legs[0]?.multiplies === true)
    return { steps: [], select: `SELECT ${above} / ${below} AS rate\n${from}` };
  const decimals = rate.split(".")[1]?.length ?? 0;
  const shift = powerOfTen(decimals);
  const whole = productsOf(legs);
  if (whole.above * shift > LARGEST_HUGEINT || whole.below > LARGEST_HUGEINT)
    return {
      steps: [],
      select: `SELECT round((${above})::DOUBLE / (${below}), ${decimals}) AS rate\n${from}`,
    };
  return {
    steps: [
      `ratio AS (\n  SELECT ${above} * ${shift} AS above, ${below} AS below\n  ${from}\n)`,
      "divided AS (\n  SELECT above // below AS whole, 2 * (above % below) AS twice, below\n  FROM ratio\n)",
    ],
    select: `SELECT (whole + (twice > below OR (twice = below AND whole % 2 = 1))::INTEGER) / ${shift} AS rate\nFROM divided`,
  };
}

function nameOf(at: number): string {
  return `leg_${at + 1}`;
}

function columnsOf(leg: RateLeg): string {
  const [units, scale] =
    leg.kind === "daily" ? ["units::HUGEINT", "scale"] : ["round(mid * 10 ** decimals)::HUGEINT", "decimals"];
  return `${units} AS units, ('1' || repeat('0', ${scale}))::HUGEINT AS power`;
}

function sourceOf(leg: RateLeg): string {
  const pair = `base = '${leg.base}' AND quote = '${leg.quote}'`;
  if (leg.kind === "daily") {
    const file = `/current/daily/source=${leg.source}/year=${yearOf(leg.date)}/rates.parquet`;
    return `FROM read_parquet(getvariable('lake') || '${file}')\n  WHERE date = DATE '${formatDay(leg.date)}' AND ${pair}`;
  }
  const file = `/current/intraday/date=${formatDay(dayAt(leg.observedAt))}/quotes.parquet`;
  const observed = formatInstant(leg.observedAt);
  // Not selected by retrieval: a repeated price is stored once, with its first retrieval.
  return `FROM read_parquet(getvariable('lake') || '${file}')\n  WHERE feed = '${leg.feed}' AND ${pair}\n    AND observed_at = TIMESTAMPTZ '${observed}' AND mid = '${leg.printed}'\n  LIMIT 1`;
}

function productOf(legs: readonly RateLeg[], isAbove: boolean): string {
  return legs
    .map(({ multiplies }, at) => `${nameOf(at)}.${multiplies === isAbove ? "units" : "power"}`)
    .join(" * ");
}

/**
 * "European Central Bank, 2024-03-01, 1 EUR = 1.0813 USD, retrieved 2026-10-30T16:00:00Z": everything that finds the figures of a rate
 * again, with the address of their document where it was looked up. Figures of one document are joined.
 */
export function citationOf(
  legs: readonly (Omit<DailyFigure, "document"> & Partial<Pick<DailyFigure, "document">>)[],
): string {
  if (legs.length === 0) return "one currency";
  const documents = Map.groupBy(legs, ({ authority, date, retrievedAt, document }) => {
    const retrieved = formatInstant(Math.floor(retrievedAt / 1000) * 1000);
    const address = document ? `, ${document.document}` : "";
    return [`${authority}, ${formatDay(date)}, `, `, retrieved ${retrieved}${address}`].join(FIGURES);
  });
  const figureOf = ({ base, printed, quote, revision }: (typeof legs)[number]) =>
    `1 ${base} = ${printed} ${quote}${revision > 1 ? ` (revision ${revision})` : ""}`;
  return [...documents]
    .map(([line, figures]) => line.replace(FIGURES, figures.map(figureOf).join(", ")))
    .join("; ");
}

const FIGURES = "{figures}";
