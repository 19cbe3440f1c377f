import { describe, expect, test } from "bun:test";
import { parseAmount, parseBodyAmount } from "#domain/amount.ts";
import { formatShortest } from "#domain/decimal.ts";
import { Failure } from "#domain/errors.ts";

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
  test.each(["abc", "", ".", "-", "1e3", "0x1F", "Infinity", "NaN", "1 000", "1".repeat(65)])(
    "%p is an invalid request",
    (text) => expect(codeOf(() => parseAmount(text))).toBe("invalid_request"),
  );
  test.each(["1000000000000000.1", "-1000000000000001", "9".repeat(40)])("%s is out of bounds", (text) =>
    expect(codeOf(() => parseAmount(text))).toBe("invalid_amount"),
  );
});

describe("an amount in a body", () => {
  test.each([
    [100, "100"],
    [0.1, "0.1"],
    [1e-7, "0.0000001"],
    [-2.5e-10, "-0.00000000025"],
    ["12.30", "12.3"],
  ])("%p is taken exactly", (value, text) => expect(shortest(parseBodyAmount(value))).toBe(text));
  test.each(["1e3", "..", "+-", "", 1e21, Number.MAX_VALUE, Number.NaN, 1e15 + 2])(
    "%p is an invalid amount",
    (value) => expect(codeOf(() => parseBodyAmount(value))).toBe("invalid_amount"),
  );
});
