/** The limits of each plan. The default table is documented; plans.json can change single values. */

import { type OrganizationStatus, TIERS, type Tier } from "#domain/account/organization.ts";
import type { Allowance } from "#domain/limits/caller.ts";
import { COVERAGE_START, type Day, type Instant, yearBefore } from "#domain/time/day.ts";

export const INTERVALS = ["monthly", "yearly"] as const;
type Interval = (typeof INTERVALS)[number];

/** What holds with and without a key. */
export interface Terms {
  readonly minute: number;
  /** Days of history, today included; "year" begins on the same date of last year, null is all of it. */
  readonly history_days: number | "year" | null;
  /** Age that live rates have at the least. */
  readonly live_delay_minutes: number;
}

/** Without a key: per client address. */
interface AnonymousTerms extends Terms {
  readonly hour: number;
}

export interface Offer {
  readonly interval: Interval;
  readonly price_usd: number;
}

/** With a key: per organization, whichever of its keys is used. */
export interface Plan extends Terms {
  readonly month: number;
  /** Webhook endpoints of an account. */
  readonly webhooks: number;
  readonly offers: readonly Offer[];
  readonly sold_by_checkout: boolean;
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

/** Webhook endpoints that each tier has room for. */
export function endpointLimitsOf(plans: Pick<Plans, Tier>): Readonly<Record<Tier, number>> {
  const { free, basic, plus, pro } = plans;
  return { free: free.webhooks, basic: basic.webhooks, plus: plus.webhooks, pro: pro.webhooks };
}

/** The limits of a tier, or of callers without a key. Make it once per plan: takes read it, and never change it. */
export function allowanceOf(plans: Plans, who: Tier | "anonymous"): Allowance {
  if (who === "anonymous") return { minute: plans.anonymous.minute, hour: plans.anonymous.hour, month: null };
  return { minute: plans[who].minute, hour: null, month: plans[who].month };
}

/** First day that the plan shows on `today`, which is one of its days itself. */
export function earliestAllowed({ history_days }: Terms, today: Day): Day {
  if (history_days === null) return COVERAGE_START;
  const first = history_days === "year" ? yearBefore(today) : today - history_days + 1;
  return Math.max(COVERAGE_START, first);
}

/** Plans above `tier` (or above none, without a key) that show `date`, from the smallest to the largest. */
export function plansReaching(
  plans: Plans,
  tier: Tier | "anonymous",
  date: Day,
  today: Day,
): readonly Tier[] {
  const above = tier === "anonymous" ? TIERS : TIERS.slice(TIERS.indexOf(tier) + 1);
  return above.filter((one) => date >= earliestAllowed(plans[one], today));
}

/** A plan as its organization has it. */
export interface OwnPlan {
  /** The tier whose limits hold now. */
  readonly tier: Tier;
  /** The tier that was bought or given. */
  readonly bought: Tier;
  readonly status: OrganizationStatus;
  /** While a payment is missing: since when, and until when the bought tier holds all the same. */
  readonly missing: { readonly since: Instant; readonly graceEndsAt: Instant } | null;
  /** A subscription is managed on the provider's pages. */
  readonly hasSubscription: boolean;
  /** Plans are sold on this installation. */
  readonly isSold: boolean;
  readonly plans: Pick<Plans, Tier>;
}
