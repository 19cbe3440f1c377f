/** The catalog of the simulated account: the plans of the product, monthly and yearly, and a price of something else. */

const USD = { basic: 10, plus: 20, pro: 30 } as const;

export const CATALOG = [
  price("basic", "month"),
  price("basic", "year"),
  price("plus", "month"),
  price("pro", "month"),
  price("pro", "year"),
  { ...price("basic", "month"), id: "price_sticker", product: "prod_sticker" },
] as const;

export type Price = ReturnType<typeof price>;

/** STRIPE_PRICES for this catalog. */
export const CATALOG_SETTING =
  "basic_monthly=price_basic_monthly,basic_yearly=price_basic_yearly,plus_monthly=price_plus_monthly," +
  "pro_monthly=price_pro_monthly,pro_yearly=price_pro_yearly";

function price(plan: keyof typeof USD, interval: "month" | "year") {
  return {
    id: `price_${plan}_${interval}ly`,
    object: "price",
    product: `prod_${plan}`,
    recurring: { interval, interval_count: 1, usage_type: "licensed" },
    active: true,
    currency: "usd",
    unit_amount: USD[plan] * 100 * (interval === "year" ? 12 : 1),
  };
}
