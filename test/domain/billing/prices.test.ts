/** STRIPE_PRICES: its meaning, every malformed form, and what its prices charge beside the table of plans. */

import { describe, expect, test } from "bun:test";
import { parsePrices, planAt, priceOf, readPlans, soldPrices } from "#domain/billing/plan.ts";
import { priceFaults } from "#domain/billing/price-check.ts";

const LEAST = "basic_monthly=price_a,pro_monthly=price_b";

describe("what the provider charges", () => {
  const { prices } = parsePrices(`${LEAST},basic_monthly=price_old`);
  const faults = (change: object | null, plans: object = {}) =>
    priceFaults(
      readPlans(JSON.stringify(plans)),
      soldPrices(prices).map((price) => {
        const smallestUnits = price.plan === "basic" ? 1000 : 3000;
        const charge = { currency: "usd", smallestUnits, period: "month", ...change };
        return { ...price, charge: change === null ? null : charge };
      }),
    );
  const cheaper = { basic: { offers: [{ interval: "monthly", price_usd: 9.5 }] } };
  const saving = [
    { interval: "monthly", price_usd: 10 },
    { interval: "yearly", price_usd: 100 },
  ];

  test.each<[what: string, said: readonly string[], change: object | null, plans: object]>([
    ["is what the table says", [], {}, {}],
    ["is of a plan that is not sold", [], {}, { basic: { offers: [], sold_by_checkout: false } }],
    [
      "is another amount",
      [
        "basic_monthly: Stripe charges 10.00 USD every month (price_a), and the table of plans says 9.50 USD every month",
      ],
      {},
      cheaper,
    ],
    [
      "is another currency",
      [
        "basic_monthly: Stripe charges an amount in EUR every month (price_a), and the table of plans says 10.00 USD every month",
        "pro_monthly: Stripe charges an amount in EUR every month (price_b), and the table of plans says 30.00 USD every month",
      ],
      { currency: "eur" },
      {},
    ],
    [
      "is for another time, or once",
      [
        "basic_monthly: Stripe charges 10.00 USD every 3 months (price_a)",
        "pro_monthly: Stripe charges 30.00 USD every 3 months",
      ],
      { period: "3 months" },
      {},
    ],
    [
      "depends on the quantity",
      ["basic_monthly: Stripe charges an amount in USD every month", "pro_monthly"],
      { smallestUnits: null },
      {},
    ],
    [
      "cannot be bought",
      ["basic_monthly: price_a does not exist at Stripe, or is archived", "pro_monthly: price_b"],
      null,
      {},
    ],
    [
      "has no price for what the page offers",
      ["basic is offered yearly, and STRIPE_PRICES has no basic_yearly"],
      {},
      { basic: { offers: saving } },
    ],
  ])("%s", (_, said, change, plans) => {
    expect(faults(change, plans)).toEqual(said.map((text) => expect.stringContaining(text)));
  });
});

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
