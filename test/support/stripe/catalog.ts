/** The catalog of the simulated account: the plans of the product, monthly and yearly. */

import type { Price } from "./objects.ts";

export const CATALOG: readonly Price[] = [
  price("basic", "month"),
  price("basic", "year"),
  price("plus", "month"),
  price("pro", "month"),
  price("pro", "year"),
  // A price of the past, no longer sold; and one of something else.
  { ...price("basic", "month"), id: "price_basic_monthly_2025", active: false },
  { ...price("basic", "month"), id: "price_sticker", product: "prod_sticker" },
];

/** STRIPE_PRICES for this catalog. */
export const CATALOG_SETTING =
  "basic_monthly=price_basic_monthly,basic_yearly=price_basic_yearly,plus_monthly=price_plus_monthly," +
  "pro_monthly=price_pro_monthly,pro_yearly=price_pro_yearly,basic_monthly=price_basic_monthly_2025";

function price(plan: string, interval: "month" | "year"): Price {
  return {
    id: `price_${plan}_${interval}ly`,
    object: "price",
    active: true,
    livemode: false,
    product: `prod_${plan}`,
    recurring: { interval, interval_count: 1 },
  };
}
