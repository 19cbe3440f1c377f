/** Rates in columns have the digits of their texts, and quotients are exact or left undecided. */

import { describe, expect, test } from "bun:test";
import {
  AS_PUBLISHED,
  emptyRateColumns,
  type RateColumns,
  setDigits,
  setQuotient,
} from "#domain/history/rate-columns.ts";
import { roundSignificant, unitsText } from "#domain/number/decimal.ts";
import { DERIVED_DIGITS } from "#domain/number/leg-digits.ts";
import { printedRate } from "#test/domain/history/printed-columns.ts";
import { seededRandom } from "#test/support/seeded-random.ts";

/** Rates as they occur: published ones with zeros at the end, derived ones of ten digits at any magnitude. */
function randomText(random: () => number): string {
  const scale = Math.floor(random() * 7);
  if (random() < 0.4) return unitsText(1 + Math.floor(random() * 1e7), scale);
  const digits = BigInt(1 + Math.floor(random() * (1e10 - 1)));
  return roundSignificant(digits, 10n ** BigInt(Math.floor(random() * 15)), DERIVED_DIGITS);
}

function columnsOfTexts(texts: readonly string[]): RateColumns {
  const columns = emptyRateColumns(texts.length);
  for (const text of texts) {
    setDigits(columns, columns.count, text);
    columns.flags[columns.count++] = AS_PUBLISHED;
  }
  return columns;
}

test("digits set are digits printed", () => {
  const random = seededRandom(1);
  const texts = Array.from({ length: 20_000 }, () => randomText(random));
  const columns = columnsOfTexts(texts);
  for (const [row, text] of texts.entries()) expect(printedRate(columns, row)).toBe(text);
});

describe("a quotient in columns", () => {
  test("is either the exact one or none", () => {
    const random = seededRandom(3);
    const into = emptyRateColumns(1);
    let decided = 0;
    for (let round = 0; round < 50_000; round++) {
      // Powers of two below make exact halves; magnitudes reach from 10^-12 to 10^12.
      const denominator =
        random() < 0.3
          ? 2 ** (1 + Math.floor(random() * 12))
          : 1 + Math.floor(random() * 10 ** (1 + random() * 12));
      const numerator = 1 + Math.floor(random() * 10 ** (1 + random() * 12));
      if (!setQuotient(into, 0, numerator, denominator)) continue;
      decided += 1;
      const expected = roundSignificant(BigInt(numerator), BigInt(denominator), DERIVED_DIGITS);
      if (printedRate(into, 0) !== expected) {
        throw new Error(`${numerator} / ${denominator}: ${printedRate(into, 0)}, not ${expected}`);
      }
    }
    expect(decided).toBeGreaterThan(25_000);
  });
  test.each([
    [1025, 1024],
    [1, 2 ** 53],
    [2 ** 53, 3],
    [10 ** 12, 1],
  ])("%d / %d is not decided by doubles", (numerator, denominator) => {
    expect(setQuotient(emptyRateColumns(1), 0, numerator, denominator)).toBe(false);
  });
});
