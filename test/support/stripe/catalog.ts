/** The catalog of the simulated account: the plans of the product, monthly and yearly. */

import type { Price } from "./objects.ts";

const CREATED = 1_767_225_600; // 2026-01-01T00:00:00Z

export const CATALOG: readonly Price[] = [
  price("basic", "month", 1000),
  price("basic", "year", 10_000),
  price("plus", "month", 2000),
  price("pro", "month", 3000),
  price("pro", "year", 30_000),
  // A price of the past, no longer sold; and one of something else.
  { ...price("basic", "month", 800), id: "price_basic_monthly_2025", active: false },
  { ...price("basic", "month", 500), id: "price_sticker", product: "prod_sticker" },
];

/** STRIPE_PRICES for this catalog. */
export const CATALOG_SETTING =
  "basic_monthly=price_basic_monthly,basic_yearly=price_basic_yearly,plus_monthly=price_plus_monthly," +
  "pro_monthly=price_pro_monthly,pro_yearly=price_pro_yearly,basic_monthly=price_basic_monthly_2025";

function price(plan: string, interval: "month" | "year", cents: number): Price {
  return {
    id: `price_${plan}_${interval}ly`,
    object: "price",
    active: true,
    billing_scheme: "per_unit",
    created: CREATED,
    currency: "usd",
    custom_unit_amount: null,
    livemode: false,
    lookup_key: null,
    metadata: {},
    nickname: `${plan} ${interval}ly`,
    product: `prod_${plan}`,
    recurring: {
      interval,
      interval_count: 1,
      meter: null,
      trial_period_days: null,
      usage_type: "licensed",
    } as Price["recurring"],
    tax_behavior: "unspecified",
    tiers_mode: null,
    transform_quantity: null,
    type: "recurring",
    unit_amount: cents,
    unit_amount_decimal: String(cents),
  };
}
