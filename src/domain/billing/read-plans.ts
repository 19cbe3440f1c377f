/** Reads plans.json into the plan table: the defaults with the operator's values, or the list of all faults. */

import { TIERS } from "#domain/account/organization.ts";
import { LARGEST_LIMIT } from "#domain/limits/caller.ts";
import { DEFAULT_PLANS, INTERVALS, type Offer, type Plan, type Plans } from "./plan.ts";

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
/** What a checkout can be opened for, by the API's contract. */
const SELLABLE: readonly string[] = ["basic", "pro"];

/**
 * `text` is JSON: an object of plans, each with the figures that differ from the default. Anything unknown is a fault, as
 * a figure with a typing error would silently not hold. Throws PlansFault with all of them.
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

function mergedPlan(name: string, given: unknown, faults: string[]): Fields {
  const standard = (DEFAULT_PLANS as unknown as Record<string, Fields>)[name] as Fields;
  if (given === undefined) return standard;
  if (!isObject(given)) {
    faults.push(`${name}: an object of figures is needed`);
    return standard;
  }
  for (const [field, value] of Object.entries(given)) {
    const check = Object.hasOwn(standard, field) ? CHECKS[field] : undefined;
    if (check === undefined)
      faults.push(`${name}.${field}: not a figure; there are ${Object.keys(standard).join(", ")}`);
    const fault = check?.(value) ?? null;
    if (fault !== null) faults.push(`${name}.${field}=${JSON.stringify(value)}: ${fault}`);
  }
  return { ...standard, ...given };
}

function noteContradictions(plans: Plans, faults: string[]): void {
  const { minute, hour } = plans.anonymous;
  if (hour < minute) faults.push(`anonymous.hour=${hour}: below the ${minute} a minute`);
  for (const tier of TIERS) {
    const plan: Plan = plans[tier];
    if (plan.month < plan.minute)
      faults.push(`${tier}.month=${plan.month}: below the ${plan.minute} a minute`);
    if (!plan.sold_by_checkout) continue;
    if (!SELLABLE.includes(tier))
      faults.push(`${tier}.sold_by_checkout=true: only ${SELLABLE.join(" and ")} can be`);
    if (plan.offers.length === 0) faults.push(`${tier}.offers=[]: what is sold by checkout needs a price`);
  }
}

function offersFault(value: unknown): string | null {
  const needed = `a list of {"interval": ${INTERVALS.map((name) => `"${name}"`).join(" or ")}, "price_usd"}, each interval once`;
  if (!Array.isArray(value) || !value.every(isOffer)) return `${needed} is needed`;
  return new Set(value.map(({ interval }) => interval)).size === value.length ? null : `${needed} is needed`;
}

function isOffer(value: unknown): value is Offer {
  if (!isObject(value) || Object.keys(value).length !== 2) return false;
  const price = value["price_usd"];
  const isCents = typeof price === "number" && price > 0 && price <= 1e6 && Number.isInteger(toCents(price));
  return isCents && INTERVALS.some((interval) => interval === value["interval"]);
}

/** Whole where the price has at most two decimals. */
function toCents(price: number): number {
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
