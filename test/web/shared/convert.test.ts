/** Amounts as people type them, and money and rates as pages show them. */

import { describe, expect, test } from "bun:test";
import { inMinorUnits } from "#domain/number/amount.ts";
import { precisionOf } from "#web/pair/now.tsx";
import { converted, groupedAmount, readAmount } from "#web/shared/convert.ts";
import { percentText, rounded } from "#web/shared/figure.tsx";

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
    ["١٬٢٣٤٫٥٠", "1234.50"],
    ["۱۲۳۴", "1234"],
    ["\u200f١٢٣ \u200e", "123"],
    ["１０.５", "10.5"],
    ["１，２３４．５６", "1234.56"],
    ["१२३४.५०", "1234.50"],
    ["১২৩", "123"],
    ["12,34,567.8", "1234567.8"],
    ["1,00,000", "100000"],
    // The marks of Arabic have one meaning each.
    ["١٬٢٣٤", "1234"],
    ["١٫٢٣٤", "1.234"],
    ["1.2340", "1.2340"],
  ] as const)
    test(`${JSON.stringify(typed)} is ${digits}`, () => expect(readAmount(typed)).toEqual({ digits }));

  test("that can mean two things is refused with both", () => {
    for (const typed of ["1,234", "1.234", "१.२३४", "１，２３４"])
      expect(readAmount(typed)).toEqual({
        fault: expect.stringContaining("can mean 1234 or 1.2340: write one of them"),
      });
  });

  for (const typed of [
    "",
    "abc",
    "1,00,00",
    "12,34,567,8",
    "1.000,50,1",
    "1,000.5.5",
    "1e5",
    "12,34.5",
    "1.000.50",
    "10²",
  ])
    test(`${JSON.stringify(typed)} is refused`, () => expect(readAmount(typed)).toHaveProperty("fault"));
});

test("money has the minor units of its currency, rounded once, half to even", () => {
  expect(inMinorUnits("1.1899", "1234567.89", "USD")).toBe("1469012.33");
  expect(inMinorUnits("0.5", "2938047", "JPY")).toBe("1469024");
  expect(inMinorUnits("0.5", "-0.25", "EUR")).toBe("-0.12");
  // 15 digits would be 28743849049025.8, and 100000000000.005, which is a tie.
  expect(inMinorUnits("34.98452631", "821616070897.31", "PHP")).toBe("28743849049025.77");
  expect(inMinorUnits("1.000000001", "99999999900.0051", "EUR")).toBe("100000000000.01");
  expect(groupedAmount("-1469023.68")).toBe("-1,469,023.68");
  expect(groupedAmount("1469024")).toBe("1,469,024");
  expect(converted("1.1899", "1,000")).toBeNull();
  expect(converted("1.1899", "1 000,00")).toBe("1189.9");
});

test("a figure of a table has six digits, rounded half to even from the digits of the rate", () => {
  for (const [text, shown] of [
    ["11812.55", "11812.6"],
    ["11732.15", "11732.2"],
    ["19876.45", "19876.4"],
    ["0.8558712775", "0.855871"],
    ["1.00000049", "1.00000"],
    ["999999.5", "999999.5"],
    ["99999.95", "100000.0"],
    ["1234567", "1234567"],
    ["0.00004922251009", "0.0000492225"],
    ["0.0000004922251", "0.0000004922251"],
    ["136", "136"],
  ] as const)
    expect(rounded(text)).toBe(shown);
});

test("a change is rounded half to even, whatever its quotient of doubles is off", () => {
  for (const [after, before, shown] of [
    [160.6, 160, "+0.38 %"],
    [1.3363, 1.328, "+0.62 %"],
    [121.52, 125.44, "−3.12 %"],
    [0.99996, 1, "0.00 %"],
    [0.99995, 1, "0.00 %"],
    [42, 1.4, "+2900.00 %"],
  ] as const)
    expect(percentText((after / before - 1) * 100)).toBe(shown);
});

test("a product that was rounded is not called exact", () => {
  expect(precisionOf("157.45", "1000.50")).toBe("exactly");
  expect(precisionOf("0.0000005", "0.003")).toBe("exactly");
  expect(precisionOf("1.20", "1.0")).toBe("exactly");
  for (const amount of ["1234567.89", "123456789012345678901234567890", "1.00000000000000001"])
    expect(precisionOf("1.118693366", amount)).toBe("to 15 digits");
  expect([converted("1.3", "1.00000000000000001"), precisionOf("1.3", "1.00000000000000001")]).toEqual([
    "1.3",
    "to 15 digits",
  ]);
});
