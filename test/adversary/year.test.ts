/**
 * A year in which one route after the other delivers documents that are wrong as a whole, held against what was really published and what
 * each document said. The check takes 37 weeks of two years: every kind of fault of either source, autumn's changes of clocks, and New Year;
 * of the second year FRED alone, whose routes are others then.
 * Whole years: `ADVERSARY_WEEKS=52 ADVERSARY_SEEDS=20 bun test test/adversary`; a year of one fault alone:
 * `ADVERSARY_ONLY="sdmx: one cell wrong"`. Even seeds have no API key of FRED.
 */

import { expect, test } from "bun:test";
import { DAILY_SOURCES, type DailySource } from "#domain/currency/source.ts";
import { formatInstant } from "#domain/time/day.ts";
import type { Violation } from "./oracle.ts";
import { CURRENCIES } from "./truth.ts";
import { hasFredKey, runYear } from "./year.ts";

const WEEKS = Number(process.env.ADVERSARY_WEEKS ?? 37);
const IS_LONG = process.env.ADVERSARY_SEEDS !== undefined;
const SEEDS = Array.from({ length: Number(process.env.ADVERSARY_SEEDS ?? 2) }, (_, index) => index + 1);
const HEALTHY_WEEKS = IS_LONG ? WEEKS : Math.min(WEEKS, 8);
const PATIENCE = 600_000;

for (const seed of SEEDS) {
  const sources: readonly DailySource[] = IS_LONG || hasFredKey(seed) ? DAILY_SOURCES : ["fred_daily"];
  test(
    `one wrong document changes nothing that was published: ${WEEKS} weeks, seed ${seed}`,
    async () => {
      const { violations } = await runYear({ seed, weeks: WEEKS, sources, only: process.env.ADVERSARY_ONLY });
      expect(linesOf(violations)).toEqual([]);
    },
    PATIENCE,
  );

  test(
    `without faults everything genuine is served: ${HEALTHY_WEEKS} weeks, seed ${seed}`,
    async () => {
      const { violations, figures } = await runYear({ seed, weeks: HEALTHY_WEEKS, sources, faults: [] });
      expect(linesOf(violations)).toEqual([]);
      // Each series has 16 weeks before and these, but for holidays and holes.
      const series = sources.reduce((sum, source) => sum + CURRENCIES[source].length, 0);
      expect(figures.size).toBeGreaterThan((16 + HEALTHY_WEEKS) * series * 4.5);
    },
    PATIENCE,
  );
}

/** The first of each rule and fault, with the number of them. */
function linesOf(violations: readonly Violation[]): string[] {
  const groups = Map.groupBy(violations, ({ rule, fault }) => `${rule} (${fault?.route}: ${fault?.kind})`);
  return [...groups].map(([name, [first, ...others]]) => {
    const more = others.length === 0 ? "" : `, and ${others.length} more`;
    return `${formatInstant(first?.at as number)} ${name}: ${first?.text}${more}`;
  });
}
