import { describe, expect, test } from "bun:test";
import { Failure } from "#domain/faults/errors.ts";
import { exactNumber } from "#domain/net/message.ts";
import { parseAmount, parseBodyAmount } from "#domain/number/amount.ts";
import { formatShortest } from "#domain/number/decimal.ts";
import { seededRandom } from "#test/support/seeded-random.ts";

const codeOf = (run: () => unknown): string => {
  try {
    run();
  } catch (thrown) {
    if (thrown instanceof Failure) return thrown.code;
    throw thrown;
  }
  return "accepted";
};
const shortest = (amount: { units: bigint; scale: number }) => formatShortest(amount.units, amount.scale);

describe("an amount in a path or query", () => {
  test.each([
    ["100", "100"],
    ["-0.50", "-0.5"],
    ["+007", "7"],
    ["1000000000000000", "1000000000000000"],
    ["0.123456789012345678901234567890", "0.12345678901234567890123456789"],
  ])("%s is taken exactly", (text, value) => expect(shortest(parseAmount(text))).toBe(value));
  test.each(["abc", "", ".", "-", "1e3", "0x1F", "Infinity", "NaN", "1 000", "0".repeat(257)])(
    "%p is an invalid request",
    (text) => expect(codeOf(() => parseAmount(text))).toBe("invalid_request"),
  );
  test.each(["1000000000000000.1", "-1000000000000001", "9".repeat(40), "1".repeat(256)])(
    "%s is out of bounds",
    (text) => expect(codeOf(() => parseAmount(text))).toBe("invalid_amount"),
  );
});

describe("an amount in a body", () => {
  test.each([
    [exactNumber("100"), "100"],
    [exactNumber("0.1"), "0.1"],
    [exactNumber("1e-7"), "0.0000001"],
    [exactNumber("-2.5e-10"), "-0.00000000025"],
    [exactNumber("-25E+2"), "-2500"],
    [exactNumber("0e-999999999999999999999"), "0"],
    [exactNumber(`1${"0".repeat(200)}e-200`), "1"],
    ["12.30", "12.3"],
    [`${"0".repeat(255)}1`, "1"],
  ])("%p is taken exactly", (value, text) => expect(shortest(parseBodyAmount(value))).toBe(text));
  const numbers = ["1e21", "1e308", "1e400", "1000000000000002", "1e-300", "1e-99999999999", "1e99999999999"];
  test.each(["1e3", "..", "+-", "", "0".repeat(257), ...numbers.map((text) => exactNumber(text))])(
    "%p is an invalid amount",
    (value) => expect(codeOf(() => parseBodyAmount(value))).toBe("invalid_amount"),
  );
});

test("a JSON number of any form has the value of its digits and exponent", () => {
  const random = seededRandom(17);
  const digits = (most: number) =>
    Array.from({ length: 1 + Math.floor(random() * most) }, () => Math.floor(random() * 10)).join("");
  let accepted = 0;
  for (let round = 0; round < 20_000; round++) {
    const whole = String(BigInt(digits(20)));
    const fraction = random() < 0.5 ? "" : digits(30);
    const exponent = Math.floor(random() * 80) - 50;
    const form =
      random() < 0.3
        ? ""
        : `${random() < 0.5 ? "e" : "E"}${exponent > 0 && random() < 0.5 ? "+" : ""}${exponent}`;
    const text = `${random() < 0.5 ? "-" : ""}${whole}${fraction === "" ? "" : `.${fraction}`}${form}`;
    // Scaled so far that every value is whole.
    const scale = 100;
    const shift = scale - fraction.length + (form === "" ? 0 : exponent);
    const exact = BigInt(whole + fraction) * 10n ** BigInt(shift) * (text.startsWith("-") ? -1n : 1n);
    const limit = 10n ** BigInt(15 + scale);
    if (exact > limit || exact < -limit) {
      expect(codeOf(() => parseBodyAmount(exactNumber(text)))).toBe("invalid_amount");
      continue;
    }
    accepted += 1;
    const amount = parseBodyAmount(exactNumber(text));
    expect(amount.units * 10n ** BigInt(scale - amount.scale)).toBe(exact);
  }
  expect(accepted).toBeGreaterThan(5000);
});
