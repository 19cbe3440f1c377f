/** STRIPE_PRICES: its meaning, and every malformed form. */

import { describe, expect, test } from "bun:test";
import { parsePrices, planAt, priceOf } from "#domain/billing/plan.ts";

const LEAST = "basic_monthly=price_a,pro_monthly=price_b";

describe("the list of prices", () => {
  test("two monthly prices are enough; yearly is not offered then", () => {
    const { prices, faults } = parsePrices(LEAST);
    expect(faults).toEqual([]);
    expect(priceOf(prices, "pro", "monthly")).toBe("price_b");
    expect(priceOf(prices, "pro", "yearly")).toBeNull();
  });
  test("of several prices of a plan the first is sold and all are recognized", () => {
    const { prices } = parsePrices(`${LEAST},basic_monthly=price_old, plus_monthly=price_plus`);
    expect(priceOf(prices, "basic", "monthly")).toBe("price_a");
    expect(planAt(prices, "price_old")).toEqual({ plan: "basic", interval: "monthly", priceId: "price_old" });
    expect(planAt(prices, "price_plus")?.plan).toBe("plus");
    expect(planAt(prices, "price_other")).toBeNull();
  });
  for (const [text, expected] of [
    ["", "basic_monthly=price_… is missing"],
    ["basic_monthly=price_a", "pro_monthly=price_… is missing"],
    [`${LEAST},free_monthly=price_c`, "free_monthly=price_c is not of the form"],
    [`${LEAST},basic_weekly=price_c`, "basic_weekly=price_c is not of the form"],
    [`${LEAST},basic_yearly=prod_c`, "basic_yearly=prod_c is not of the form"],
    [`${LEAST},basic_yearly=price_b`, "price_b is named twice"],
  ] as const) {
    test(`"${text}" is refused: ${expected}`, () => {
      expect(parsePrices(text).faults.join("; ")).toContain(expected);
    });
  }
});
