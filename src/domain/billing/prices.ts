/** The setting STRIPE_PRICES: which plan a price buys, and which price a plan has. */

/** Plans that a price can buy; `plus` is given by the operator and never sold by checkout. */
const PRICED_PLANS = ["basic", "plus", "pro"] as const;
export type PricedPlan = (typeof PRICED_PLANS)[number];

export const SOLD_PLANS = ["basic", "pro"] as const;
export type SoldPlan = (typeof SOLD_PLANS)[number];

export const BILLING_INTERVALS = ["monthly", "yearly"] as const;
export type BillingInterval = (typeof BILLING_INTERVALS)[number];

export interface PriceEntry {
  readonly plan: PricedPlan;
  readonly interval: BillingInterval;
  readonly priceId: string;
}

/** In the order written: of several prices of one plan and interval the first is sold, the others stay recognized. */
export type PriceList = readonly PriceEntry[];

const ENTRY = /^(basic|plus|pro)_(monthly|yearly)=(price_[A-Za-z0-9_]{1,100})$/;

/**
 * `basic_monthly=price_…,pro_monthly=price_…`, comma-separated, yearly prices optional → the list, and what is wrong
 * with the text. Both plans that checkout sells need a monthly price; a price belongs to one plan only.
 */
export function parsePrices(text: string): {
  readonly prices: PriceList;
  readonly faults: readonly string[];
} {
  const prices: PriceEntry[] = [];
  const faults: string[] = [];
  for (const entry of text.split(",").map((part) => part.trim())) {
    if (entry === "") continue;
    const [, plan, interval, priceId] = ENTRY.exec(entry) ?? [];
    if (plan === undefined || interval === undefined || priceId === undefined) {
      faults.push(`${entry} is not of the form <basic|plus|pro>_<monthly|yearly>=price_…`);
    } else if (planAt(prices, priceId) !== null) {
      faults.push(`${priceId} is named twice`);
    } else {
      prices.push({ plan: plan as PricedPlan, interval: interval as BillingInterval, priceId });
    }
  }
  for (const plan of SOLD_PLANS) {
    if (priceOf(prices, plan, "monthly") === null) faults.push(`${plan}_monthly=price_… is missing`);
  }
  return { prices, faults };
}

/** The price at which a plan is sold, or null where it is not sold at this interval. */
export function priceOf(prices: PriceList, plan: SoldPlan, interval: BillingInterval): string | null {
  return prices.find((entry) => entry.plan === plan && entry.interval === interval)?.priceId ?? null;
}

/** The plan of a price, or null for a price of something else. */
export function planAt(prices: PriceList, priceId: string): PriceEntry | null {
  return prices.find((entry) => entry.priceId === priceId) ?? null;
}

/** 0 for no plan; a higher plan has a higher rank. */
export function planRank(plan: PricedPlan | null): number {
  return plan === null ? 0 : PRICED_PLANS.indexOf(plan) + 1;
}
