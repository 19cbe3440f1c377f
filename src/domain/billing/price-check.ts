/** Whether the provider charges what the table of plans says. */

import { offersOf, type Plans, type PriceEntry, SOLD_PLANS, type SoldPlan } from "./plan.ts";

/** A price that checkout sells, as the provider has it. */
export interface SoldPrice extends PriceEntry {
  readonly plan: SoldPlan;
  /** Null where the provider has no such price, or has archived it. */
  readonly charge: {
    /** ISO 4217, in lower case. */
    readonly currency: string;
    /** Null where it depends on the quantity, or is no whole number of the smallest unit. */
    readonly smallestUnits: number | null;
    /** "month", "year", "3 months"; null: once. */
    readonly period: string | null;
  } | null;
}

const PERIODS = { monthly: "month", yearly: "year" } as const;

/** Where a customer would be charged something else than pages say, or could not buy what they offer: one sentence each. */
export function priceFaults(plans: Plans, sold: readonly SoldPrice[]): readonly string[] {
  const isSold = (plan: SoldPlan, interval: PriceEntry["interval"]) =>
    sold.some((one) => one.plan === plan && one.interval === interval);
  const unsold = SOLD_PLANS.flatMap((plan) =>
    offersOf(plans[plan])
      .filter(({ interval }) => plans[plan].sold_by_checkout && !isSold(plan, interval))
      .map(({ interval }) => `${plan} is offered ${interval}, and STRIPE_PRICES has no ${plan}_${interval}`),
  );
  return [...unsold, ...sold.flatMap((price) => faultOf(plans, price))];
}

function faultOf(plans: Plans, { plan, interval, priceId, charge }: SoldPrice): readonly string[] {
  const offer = plans[plan].offers.find((one) => one.interval === interval);
  if (offer === undefined || !plans[plan].sold_by_checkout) return [];
  if (charge === null) return [`${plan}_${interval}: ${priceId} does not exist at Stripe, or is archived`];
  const said = `${offer.price_usd.toFixed(2)} USD every ${PERIODS[interval]}`;
  const charged = textOf(charge);
  return said === charged
    ? []
    : [`${plan}_${interval}: Stripe charges ${charged} (${priceId}), and the table of plans says ${said}`];
}

function textOf({ currency, smallestUnits, period }: NonNullable<SoldPrice["charge"]>): string {
  const code = currency.toUpperCase();
  // Other currencies have other numbers of decimals.
  const isExact = code === "USD" && smallestUnits !== null;
  const amount = isExact ? `${(smallestUnits / 100).toFixed(2)} USD` : `an amount in ${code}`;
  return `${amount} ${period === null ? "once" : `every ${period}`}`;
}
