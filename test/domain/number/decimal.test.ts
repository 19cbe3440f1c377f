import { describe, expect, test } from "bun:test";
import { exactNumber, printedNumber } from "#domain/net/message.ts";
import {
  formatDecimal,
  formatShortest,
  multiplyRounded,
  parseDecimal,
  ratioText,
  roundDecimals,
  roundSignificant,
  unitsText,
} from "#domain/number/decimal.ts";
import { seededRandom } from "#test/support/seeded-random.ts";
import { words } from "#test/support/words.ts";

const decimal = (text: string) => {
  const parsed = parseDecimal(text);
  if (parsed === null) throw new Error(text);
  return parsed;
};

describe("parsing follows the contract's grammar", () => {
  test.each(["1", "-1", "+1.5", "007.10", ".5", "5.", "0", "-0.0", "999999999999999.999"])(
    "%s is a number",
    (text) => {
      const parsed = decimal(text);
      expect(Number(formatShortest(parsed.units, parsed.scale))).toBe(Number(text) + 0);
    },
  );
  test.each(["", " 1", "1 ", ...words(". - +. -. 1e5 0x10 1,5 NaN Infinity --1 1.2.3 ١")])(
    "%p is none",
    (text) => {
      expect(parseDecimal(text)).toBeNull();
    },
  );
});

describe("half-even rounding", () => {
  test.each([
    ["1", "3", 10, "0.3333333333"],
    ["2", "3", 10, "0.6666666667"],
    ["1", "8", 2, "0.12"],
    ["3", "8", 2, "0.38"],
    ["125", "1", 2, "120"],
    ["135", "1", 2, "140"],
    ["99999", "1", 4, "100000"],
    ["99999", "100000", 4, "1"],
    ["-1", "3", 3, "-0.333"],
    ["1", "1000000000000", 5, "0.000000000001"],
  ])("%s/%s to %i digits is %s", (top, bottom, digits, text) => {
    expect(roundSignificant(BigInt(top), BigInt(bottom), digits)).toBe(text);
  });
  test.each([
    ["0.125", 2, "0.12"],
    ["0.135", 2, "0.14"],
    ["-0.125", 2, "-0.12"],
    ["1.10", 5, "1.1"],
    ["0.004", 2, "0.004"],
    ["0.005", 2, "0.005"],
    ["0.0051", 2, "0.01"],
    ["-0.0042", 2, "-0.004"],
    ["0.0000496834", 0, "0.00005"],
    ["0.0000000095", 4, "0.00000001"],
    ["0.49", 0, "0.5"],
    ["0.51", 0, "1"],
    ["0", 2, "0"],
    ["0.000", 2, "0"],
  ])("%s to %i decimals is %s", (text, places, rounded) => {
    expect(roundDecimals(decimal(text), places)).toBe(rounded);
  });
});

test("the fast ratio equals exact arithmetic on random figures of every size", () => {
  const random = seededRandom(11);
  for (let round = 0; round < 50_000; round++) {
    const top = 1 + Math.floor(random() * 10 ** (1 + random() * 14));
    const bottom = 1 + Math.floor(random() * 10 ** (1 + random() * 14));
    expect(ratioText(top, bottom, 10)).toBe(roundSignificant(BigInt(top), BigInt(bottom), 10));
  }
});

test("the fast ratio equals exact arithmetic on and beside every kind of tie", () => {
  const random = seededRandom(12);
  for (let round = 0; round < 20_000; round++) {
    // k + 1/2 units of the tenth digit, exactly, then one part in ten billion to either side.
    const tie = 10 * (1e9 + Math.floor(random() * 9e9)) + 5;
    const power = 10 ** Math.floor(random() * 5);
    for (const [top, bottom] of [
      [tie, 10 * power],
      [tie * 1000 + 1, 10_000 * power],
      [tie * 1000 - 1, 10_000 * power],
    ] as const) {
      expect(ratioText(top, bottom, 10)).toBe(roundSignificant(BigInt(top), BigInt(bottom), 10));
    }
  }
});

test("printed digits survive: trailing zeros and leading zeros stay", () => {
  expect(unitsText(85670, 5)).toBe("0.85670");
  expect(unitsText(36690, 2)).toBe("366.90");
  expect(unitsText(1, 3)).toBe("0.001");
  expect(unitsText(7, 0)).toBe("7");
});

test("a product is exact to 15 digits", () => {
  expect(multiplyRounded(decimal("0.1"), decimal("0.2"), 15)).toBe("0.02");
  expect(multiplyRounded(decimal("1.1684"), decimal("999999999999999"), 15)).toBe("1168400000000000");
  expect(multiplyRounded(decimal("-1.5"), decimal("3"), 15)).toBe("-4.5");
  expect(multiplyRounded(decimal("1.5"), decimal("0"), 15)).toBe("0");
});

test("a printed number is plain exactly where a double prints the same digits", () => {
  const random = seededRandom(13);
  const digit = () => "0001234567899"[Math.floor(random() * 13)];
  const texts = Array.from({ length: 20_000 }, () => {
    const digits = Array.from({ length: 1 + Math.floor(random() * 18) }, digit).join("");
    return formatDecimal(BigInt(digits) * (random() < 0.1 ? -1n : 1n), Math.floor(random() * 12));
  });
  for (const text of ["0", "-0", "0.000001", "0.0000001", "1e5", "999999999999999", ...texts]) {
    const number = Number(text);
    expect([text, printedNumber(text)]).toEqual([text, String(number) === text ? number : exactNumber(text)]);
  }
});
