/**
 * A year in which one route after the other delivers documents that are wrong as a whole, held against what was really published and what
 * each document said. Longer: `ADVERSARY_SEEDS=20 bun test test/adversary`; fewer weeks: `ADVERSARY_WEEKS=20`; a year of one fault alone:
 * `ADVERSARY_ONLY="sdmx: one cell wrong"`. Even seeds have no API key of FRED.
 */

import { expect, test } from "bun:test";
import { formatInstant, MILLISECONDS_PER_DAY } from "#domain/time/day.ts";
import { seededRandom } from "#test/support/seeded-random.ts";
import { makeFault } from "./faults.ts";
import type { Rule, Violation } from "./oracle.ts";
import { HOUR, YEAR_START } from "./truth.ts";
import { runYear } from "./year.ts";

const WEEKS = Number(process.env.ADVERSARY_WEEKS ?? 52);
const SEEDS = Array.from({ length: Number(process.env.ADVERSARY_SEEDS ?? 2) }, (_, index) => index + 1);
const HEALTHY_WEEKS = process.env.ADVERSARY_SEEDS === undefined ? Math.min(WEEKS, 12) : WEEKS;
const PATIENCE = 600_000;

/** What the product does not promise. */
const NOT_PROMISED: ReadonlySet<Rule> = new Set([]);

for (const seed of SEEDS) {
  test(
    `one wrong document changes nothing that was published: ${WEEKS} weeks, seed ${seed}`,
    async () => {
      const { violations } = await runYear({ seed, weeks: WEEKS, only: process.env.ADVERSARY_ONLY });
      expect(linesOf(violations.filter(({ rule }) => !NOT_PROMISED.has(rule)))).toEqual([]);
    },
    PATIENCE,
  );

  test(
    `without faults everything genuine is served: ${HEALTHY_WEEKS} weeks, seed ${seed}`,
    async () => {
      const { violations, figures } = await runYear({ seed, weeks: HEALTHY_WEEKS, faults: [] });
      expect(linesOf(violations)).toEqual([]);
      // Ten series of 16 weeks before and these, but for holidays and holes.
      expect(figures.size).toBeGreaterThan((16 + HEALTHY_WEEKS) * 45);
    },
    PATIENCE,
  );
}

test(
  "the lake in memory keeps what the lake's files keep",
  async () => {
    const faults = (["rows a day early", "one cell wrong", "two cells blank"] as const).map((kind, nth) => {
      const from = (YEAR_START + 2 + nth) * MILLISECONDS_PER_DAY;
      const span = { from, until: from + 24 * HOUR, random: seededRandom(nth), hasFredKey: false };
      return makeFault({ source: "ecb_daily", kind, route: "sdmx", ...span });
    });
    const inMemory = await runYear({ seed: 2, weeks: 1, faults });
    const onDisk = await runYear({ seed: 2, weeks: 1, faults, onDisk: true });
    expect(onDisk.figures).toEqual(inMemory.figures);
    expect(linesOf(onDisk.violations)).toEqual(linesOf(inMemory.violations));
  },
  PATIENCE,
);

/** The first of each rule and fault, with the number of them. */
function linesOf(violations: readonly Violation[]): string[] {
  const groups = Map.groupBy(violations, ({ rule, fault }) => `${rule} (${fault?.route}: ${fault?.kind})`);
  return [...groups].map(([name, [first, ...others]]) => {
    const more = others.length === 0 ? "" : `, and ${others.length} more`;
    return `${formatInstant(first?.at as number)} ${name}: ${first?.text}${more}`;
  });
}
