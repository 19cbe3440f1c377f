/** Amounts of money are rounded half-even, print every decimal of their currency, and have no negative zero. */

import { expect, test } from "bun:test";
import { type Decimal, parseDecimal, roundAmount } from "#domain/number/decimal.ts";

test.each([
  ["1.005", 2, "1.00"],
  ["1.015", 2, "1.02"],
  ["1.0150000000000000000001", 2, "1.02"],
  ["-1.015", 2, "-1.02"],
  ["-0.001", 2, "0.00"],
  ["0", 2, "0.00"],
  ["7", 2, "7.00"],
  ["0.5", 0, "0"],
  ["1.5", 0, "2"],
  ["999999999999999.5", 0, "1000000000000000"],
] as const)("%p to %p decimals is %p", (text, decimals, expected) => {
  expect(roundAmount(parseDecimal(text) as Decimal, decimals)).toBe(expected);
});
