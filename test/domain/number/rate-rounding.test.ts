/** Rounding in columns gives the digits that rounding of texts gives, ties and all. */

import { describe, expect, test } from "bun:test";
import { meanText } from "#domain/history/periods.ts";
import {
  AS_PUBLISHED,
  emptyRateColumns,
  type RateColumns,
  roundColumns,
  setDigits,
  setMean,
  setQuotient,
  WITHDRAWN,
} from "#domain/history/rate-columns.ts";
import {
  type Decimal,
  parseDecimal,
  roundDecimals,
  roundSignificant,
  unitsText,
} from "#domain/number/decimal.ts";
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

describe("rounding to decimals", () => {
  test("is that of texts, for every number of decimals", () => {
    const random = seededRandom(2);
    const texts = Array.from({ length: 4000 }, () => randomText(random));
    for (let decimals = 0; decimals <= 10; decimals++) {
      const columns = columnsOfTexts(texts);
      roundColumns(columns, decimals);
      for (const [row, text] of texts.entries()) {
        const expected = roundDecimals(parseDecimal(text) as Decimal, decimals);
        if (printedRate(columns, row) !== expected) {
          throw new Error(`${text} to ${decimals}: ${printedRate(columns, row)}, not ${expected}`);
        }
        expect(columns.rate[row]).toBeGreaterThan(0);
      }
    }
  });
  test.each([
    ["0.5", 0, "0.5"],
    ["1.5", 0, "2"],
    ["2.5", 0, "2"],
    ["0.125", 2, "0.12"],
    ["0.375", 2, "0.38"],
    ["1.005", 2, "1"],
    ["0.00005", 4, "0.00005"],
    ["0.00015", 4, "0.0002"],
    ["9.9999999995", 9, "10"],
    ["366.90", 4, "366.9"],
    ["366.90", 1, "366.9"],
    ["0.000004999", 5, "0.000005"],
    ["0.0000000095", 4, "0.00000001"],
    ["0.00004968343744", 0, "0.00005"],
    ["1234567890", 0, "1234567890"],
  ] as const)("%s to %d decimals is %s", (text, decimals, expected) => {
    const columns = columnsOfTexts([text]);
    roundColumns(columns, decimals);
    expect(printedRate(columns, 0)).toBe(expected);
  });
  test("leaves what is gone alone", () => {
    const columns = columnsOfTexts(["1.25"]);
    columns.rate[0] = Number.NaN;
    columns.flags[0] = WITHDRAWN;
    roundColumns(columns, 1);
    expect([columns.rate[0], columns.flags[0]]).toEqual([Number.NaN, WITHDRAWN]);
  });
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

describe("a mean in columns", () => {
  const meanOf = (texts: readonly string[]) => {
    const into = emptyRateColumns(1);
    setMean(into, 0, columnsOfTexts(texts), 0, texts.length);
    return printedRate(into, 0);
  };
  test("is that of texts: of one, of a week, of a month, of unlike scales and magnitudes", () => {
    const random = seededRandom(4);
    for (let round = 0; round < 10_000; round++) {
      const alike = random() < 0.7;
      const first = randomText(random);
      const texts = Array.from({ length: 1 + Math.floor(random() * 31) }, () =>
        alike ? nudged(first, random) : randomText(random),
      );
      if (meanOf(texts) !== meanText(texts)) {
        throw new Error(`${texts.join(" ")}: ${meanOf(texts)}, not ${meanText(texts)}`);
      }
    }
  });
  test.each([
    [["1.000976562", "1.000976563"]],
    [["1.000976563", "1.000976564"]],
    [["0.0000578412345", "0.0000578412346"]],
    [["17285.61", "17285.62"]],
    [["99999.99999", "99999.99998", "99999.99999", "99999.99999"]],
    [["1", "2"]],
    [["1", "1", "2"]],
  ])("%p: halves go to the even digit", (texts) => {
    expect(meanOf(texts)).toBe(meanText(texts));
  });
});

/** The same number of places, another last few digits. */
function nudged(text: string, random: () => number): string {
  const value = parseDecimal(text) as Decimal;
  return unitsText(Number(value.units) + Math.floor(random() * 1000), value.scale);
}
