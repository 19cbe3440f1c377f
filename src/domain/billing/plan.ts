/** The limits of each plan. The default table is documented; plans.json can change single values, and STRIPE_PRICES says which price buys which plan. */

import { TIERS, type Tier } from "#domain/account/organization.ts";
import { type Allowance, LARGEST_LIMIT } from "#domain/limits/counts.ts";
import { COVERAGE_START, type Day, yearBefore } from "#domain/time/day.ts";

export const BILLING_INTERVALS = ["monthly", "yearly"] as const;
export type BillingInterval = (typeof BILLING_INTERVALS)[number];

/** Plans that a price can buy; `plus` is given by the operator and never sold by checkout. */
const PRICED_PLANS = ["basic", "plus", "pro"] as const;
export type PricedPlan = (typeof PRICED_PLANS)[number];

/** The plans that checkout sells, by the API's contract. */
export const SOLD_PLANS = ["basic", "pro"] as const;
export type SoldPlan = (typeof SOLD_PLANS)[number];

/** Limits that apply with and without a key. */
export interface Terms {
  readonly minute: number;
  /** Days of history, today included; "year" begins on the same date of last year, null is all of it. */
  readonly history_days: number | "year" | null;
  /** The least age of live rates. */
  readonly live_delay_minutes: number;
}

/** Without a key: per client address. */
interface AnonymousTerms extends Terms {
  readonly hour: number;
}

export interface Offer {
  readonly interval: BillingInterval;
  readonly price_usd: number;
}

/** With a key: per organization, whichever of its keys is used. */
export interface Plan extends Terms {
  readonly month: number;
  readonly webhooks: number;
  readonly offers: readonly Offer[];
  readonly sold_by_checkout: boolean;
}

/** The offers that pages show: a yearly one only where it costs less than twelve months. */
export function offersOf({ offers }: Pick<Plan, "offers">): readonly Offer[] {
  const monthly = offers.find(({ interval }) => interval === "monthly");
  return offers.filter(
    ({ interval, price_usd }) =>
      interval === "monthly" || monthly === undefined || toCents(price_usd) < 12 * toCents(monthly.price_usd),
  );
}

export type Plans = { readonly anonymous: AnonymousTerms } & { readonly [tier in Tier]: Plan };

// biome-ignore format: a table
export const DEFAULT_PLANS: Plans = {
  anonymous: { minute: 12, hour: 100, history_days: 30, live_delay_minutes: 0 },
  free: { month: 10_000, minute: 12, history_days: 30, live_delay_minutes: 0, webhooks: 0, offers: [], sold_by_checkout: false },
  basic: {
    month: 100_000, minute: 120, history_days: "year", live_delay_minutes: 0, webhooks: 0,
    offers: [{ interval: "monthly", price_usd: 10 }, { interval: "yearly", price_usd: 120 }], sold_by_checkout: true,
  },
  plus: { month: 300_000, minute: 250, history_days: null, live_delay_minutes: 0, webhooks: 5, offers: [], sold_by_checkout: false },
  pro: {
    month: 1_000_000, minute: 500, history_days: null, live_delay_minutes: 0, webhooks: 25,
    offers: [{ interval: "monthly", price_usd: 30 }, { interval: "yearly", price_usd: 360 }], sold_by_checkout: true,
  },
};

export function endpointLimitsOf(plans: Pick<Plans, Tier>): Readonly<Record<Tier, number>> {
  const { free, basic, plus, pro } = plans;
  return { free: free.webhooks, basic: basic.webhooks, plus: plus.webhooks, pro: pro.webhooks };
}

/** The most calls that any plan allows in a minute or a month. */
export function largestLimit(plans: Pick<Plans, Tier>, window: "minute" | "month"): number {
  return Math.max(...TIERS.map((tier) => plans[tier][window]));
}

/** The limits of a tier, or of callers without a key. Build it once per plan: it is only read. */
export function allowanceOf(plans: Plans, who: Tier | "anonymous"): Allowance {
  if (who === "anonymous") return { minute: plans.anonymous.minute, hour: plans.anonymous.hour, month: null };
  return { minute: plans[who].minute, hour: null, month: plans[who].month };
}

/** First day that the plan shows on `today`; `today` counts as one of its days. */
export function earliestAllowed({ history_days }: Terms, today: Day): Day {
  if (history_days === null) return COVERAGE_START;
  const first = history_days === "year" ? yearBefore(today) : today - history_days + 1;
  return Math.max(COVERAGE_START, first);
}

/** Plans above `tier` that show `date`, from the smallest to the largest; without a key, all that show it. */
export function plansReaching(
  plans: Plans,
  tier: Tier | "anonymous",
  date: Day,
  today: Day,
): readonly Tier[] {
  const above = tier === "anonymous" ? TIERS : TIERS.slice(TIERS.indexOf(tier) + 1);
  return above.filter((one) => date >= earliestAllowed(plans[one], today));
}

/** All faults of a plan table, one line each, ready to print. */
export class PlansFault extends Error {
  readonly faults: readonly string[];
  constructor(faults: readonly string[]) {
    super(`the plan table is not usable:\n${faults.map((fault) => `  - ${fault}`).join("\n")}`);
    this.name = "PlansFault";
    this.faults = faults;
  }
}

type Fields = Readonly<Record<string, unknown>>;
type Check = (value: unknown) => string | null;

const DAYS_MOST = 100_000;
const limit = whole(1, LARGEST_LIMIT);
const historyDays: Check = (value) =>
  value === null || value === "year" ? null : whole(1, DAYS_MOST)(value, ', "year", or null for all');
const CHECKS: Readonly<Record<string, Check>> = {
  minute: limit,
  hour: limit,
  month: limit,
  history_days: historyDays,
  live_delay_minutes: whole(0, 60),
  webhooks: whole(0, 1000),
  offers: offersFault,
  sold_by_checkout: (value) => (typeof value === "boolean" ? null : "true or false is needed"),
};
/**
 * Reads a JSON object of plans with the figures that differ from the default. Unknown names are faults: a misspelt figure would
 * silently have no effect. Throws PlansFault with all faults.
 */
export function readPlans(text: string): Plans {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (fault) {
    throw new PlansFault([`not JSON: ${fault instanceof Error ? fault.message : String(fault)}`]);
  }
  const faults: string[] = [];
  if (!isObject(json)) throw new PlansFault(["an object of plans is needed"]);
  const names = Object.keys(DEFAULT_PLANS);
  for (const name of Object.keys(json)) {
    if (!names.includes(name)) faults.push(`${name}: not a plan; there are ${names.join(", ")}`);
  }
  const merged = names.map((name) => [name, mergedPlan(name, json[name], faults)]);
  const plans = Object.fromEntries(merged) as Plans;
  if (faults.length === 0) noteContradictions(plans, faults);
  if (faults.length > 0) throw new PlansFault(faults);
  return plans;
}

function mergedPlan(name: string, changes: unknown, faults: string[]): Fields {
  const standard = (DEFAULT_PLANS as unknown as Record<string, Fields>)[name] as Fields;
  if (changes === undefined) return standard;
  if (!isObject(changes)) {
    faults.push(`${name}: an object of figures is needed`);
    return standard;
  }
  for (const [field, value] of Object.entries(changes)) {
    const check = Object.hasOwn(standard, field) ? CHECKS[field] : undefined;
    if (check === undefined)
      faults.push(`${name}.${field}: not a figure; there are ${Object.keys(standard).join(", ")}`);
    const fault = check?.(value) ?? null;
    if (fault !== null) faults.push(`${name}.${field}=${JSON.stringify(value)}: ${fault}`);
  }
  return { ...standard, ...changes };
}

function noteContradictions(plans: Plans, faults: string[]): void {
  const { minute, hour } = plans.anonymous;
  if (hour < minute) faults.push(`anonymous.hour=${hour}: below the ${minute} a minute`);
  for (const tier of TIERS) {
    const plan: Plan = plans[tier];
    if (plan.month < plan.minute)
      faults.push(`${tier}.month=${plan.month}: below the ${plan.minute} a minute`);
    if (!plan.sold_by_checkout) continue;
    if (!SOLD_PLANS.some((sold) => sold === tier))
      faults.push(`${tier}.sold_by_checkout=true: only ${SOLD_PLANS.join(" and ")} can be`);
    if (plan.offers.length === 0) faults.push(`${tier}.offers=[]: what is sold by checkout needs a price`);
  }
}

function offersFault(value: unknown): string | null {
  const needed = `a list of {"interval": ${BILLING_INTERVALS.map((name) => `"${name}"`).join(" or ")}, "price_usd"}, each interval once`;
  if (!Array.isArray(value) || !value.every(isOffer)) return `${needed} is needed`;
  return new Set(value.map(({ interval }) => interval)).size === value.length ? null : `${needed} is needed`;
}

function isOffer(value: unknown): value is Offer {
  if (!isObject(value) || Object.keys(value).length !== 2) return false;
  const price = value["price_usd"];
  const isCents = typeof price === "number" && price > 0 && price <= 1e6 && Number.isInteger(toCents(price));
  return isCents && BILLING_INTERVALS.some((interval) => interval === value["interval"]);
}

export function toCents(price: number): number {
  return Number((price * 100).toPrecision(12));
}

function whole(least: number, most: number): (value: unknown, otherwise?: string) => string | null {
  return (value, otherwise = "") =>
    Number.isInteger(value) && (value as number) >= least && (value as number) <= most
      ? null
      : `a whole number from ${least} to ${most}${otherwise} is needed`;
}

function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export interface PriceEntry {
  readonly plan: PricedPlan;
  readonly interval: BillingInterval;
  readonly priceId: string;
}

/** In the order written: of several prices of one plan and interval the first is sold, the others stay recognized. */
export type PriceList = readonly PriceEntry[];

const ENTRY = /^(basic|plus|pro)_(monthly|yearly)=(price_[A-Za-z0-9_]{1,100})$/;

/**
 * `basic_monthly=price_…,pro_monthly=price_…`, yearly prices optional. Both plans that checkout sells need a monthly price; a
 * price belongs to one plan. Returns the list and what is wrong.
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

/** The prices at which checkout sells. */
export function soldPrices(prices: PriceList) {
  return SOLD_PLANS.flatMap((plan) =>
    BILLING_INTERVALS.flatMap((interval) => {
      const priceId = priceOf(prices, plan, interval);
      return priceId === null ? [] : [{ plan, interval, priceId }];
    }),
  );
}

/** The plan of a price, or null for a price of something else. */
export function planAt(prices: PriceList, priceId: string): PriceEntry | null {
  return prices.find((entry) => entry.priceId === priceId) ?? null;
}

/** 0 for no plan; a higher plan has a higher rank. */
export function planRank(plan: PricedPlan | null): number {
  return plan === null ? 0 : PRICED_PLANS.indexOf(plan) + 1;
}
