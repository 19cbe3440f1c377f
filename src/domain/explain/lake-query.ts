/** The DuckDB query over the lake that returns a rate: figures from files, exact integers, one rounding. */

import { type CurrencyIndex, currencyCode } from "#domain/currency/currency.ts";
import { powerOfTen } from "#domain/number/decimal.ts";
import { dayAt, formatDay, formatInstant, yearOf } from "#domain/time/day.ts";
import type { RateLeg } from "./explanation.ts";

/** Where a server has its lake. A directory on disk has the same files below `current/`: docs/lake.md. */
export const LAKE_PATH = "/v1/lake";

/** What DuckDB's HUGEINT holds, with room for the doubled remainder. */
const LARGEST_HUGEINT = 2n ** 126n;

export interface LakeQuery {
  readonly base: CurrencyIndex;
  readonly quote: CurrencyIndex;
  readonly rate: string;
  /** Address of the lake, without a slash at the end. */
  readonly lake: string;
}

/** A script of two statements; the second returns one row, `rate`, the DOUBLE nearest to the decimal `rate`. */
export function lakeQuery(legs: readonly RateLeg[], { base, quote, rate, lake }: LakeQuery): string {
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

interface Rounding {
  readonly steps: readonly string[];
  readonly select: string;
}

/** From the figures to the rate: rounded half-even to its decimals, in doubles only where 38 digits do not suffice. */
function roundingOf(legs: readonly RateLeg[], rate: string): Rounding {
  const [above, below] = [productOf(legs, true), productOf(legs, false)];
  const from = `FROM ${legs.map((_, at) => nameOf(at)).join(", ")}`;
  if (legs.length === 1 && legs[0]?.multiplies === true)
    return { steps: [], select: `SELECT ${above} / ${below} AS rate\n${from}` };
  const decimals = rate.split(".")[1]?.length ?? 0;
  const shift = powerOfTen(decimals);
  if (!fitsHugeint(legs, shift))
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

/** The figure as a whole number and the power of ten below it. */
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
  // Not by its retrieval: a price that came again is stored once, as it came first.
  return `FROM read_parquet(getvariable('lake') || '${file}')\n  WHERE feed = '${leg.feed}' AND ${pair}\n    AND observed_at = TIMESTAMPTZ '${observed}' AND mid = '${leg.printed}'\n  LIMIT 1`;
}

function productOf(legs: readonly RateLeg[], isAbove: boolean): string {
  return legs
    .map(({ multiplies }, at) => `${nameOf(at)}.${multiplies === isAbove ? "units" : "power"}`)
    .join(" * ");
}

/** Whether the products, the one above with the rate's decimals, are within DuckDB's widest whole numbers. */
function fitsHugeint(legs: readonly RateLeg[], shift: bigint): boolean {
  let above = shift;
  let below = 1n;
  for (const { units, scale, multiplies } of legs) {
    above *= multiplies ? BigInt(units) : powerOfTen(scale);
    below *= multiplies ? powerOfTen(scale) : BigInt(units);
  }
  return above <= LARGEST_HUGEINT && below <= LARGEST_HUGEINT;
}
