/** Amounts as people type them, and money as pages show it. */

import { describe, expect, test } from "bun:test";
import { precisionOf } from "#web/pair/now.tsx";
import { converted, moneyText, readAmount } from "#web/shared/convert.ts";

describe("an amount", () => {
  for (const [typed, digits] of [
    ["1000.50", "1000.50"],
    ["1,000.50", "1000.50"],
    ["1 000,50", "1000.50"],
    ["1\u202f000,50", "1000.50"],
    ["1.000,50", "1000.50"],
    ["1'000.50", "1000.50"],
    ["1,000,000", "1000000"],
    ["1.000.000", "1000000"],
    ["0,5", "0.5"],
    ["0,125", "0.125"],
    ["-1,234.5", "-1234.5"],
    [" 7 ", "7"],
  ] as const)
    test(`${JSON.stringify(typed)} is ${digits}`, () => expect(readAmount(typed)).toEqual({ digits }));

  test("that can mean two things is refused with both", () => {
    expect(readAmount("1,000")).toEqual({
      fault: "“1,000” can mean 1000 or 1.000: write one of them",
    });
  });

  for (const typed of ["", "abc", "1,00,000", "1.000,50,1", "1,000.5.5", "1e5", "12,34.5", "1.000.50"])
    test(`${JSON.stringify(typed)} is refused`, () => expect(readAmount(typed)).toHaveProperty("fault"));
});

test("money has the minor units of its currency, rounded half to even, and groups", () => {
  expect(moneyText("1469023.67935727", "USD")).toBe("1,469,023.68");
  expect(moneyText("1469023.5", "JPY")).toBe("1,469,024");
  expect(moneyText("-0.125", "EUR")).toBe("-0.12");
  expect(converted("1.1899", "1,000")).toBeNull();
  expect(converted("1.1899", "1 000,00")).toBe("1189.9");
});

test("a product that was rounded is not called exact", () => {
  expect(precisionOf(converted("157.45", "1000.50") ?? "")).toBe("exactly");
  expect(precisionOf(converted("0.0000005", "0.003") ?? "")).toBe("exactly");
  for (const amount of ["1234567.89", "123456789012345678901234567890"])
    expect(precisionOf(converted("1.118693366", amount) ?? "")).toBe("to 15 digits");
});
