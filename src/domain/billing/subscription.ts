/** A subscription as the provider reports it, in our terms, and which of several counts. */

import type { Instant } from "#domain/time/day.ts";
import { type BillingInterval, type PricedPlan, planRank } from "./prices.ts";

/** Stripe's own terms: docs.stripe.com/billing/subscriptions/overview#subscription-statuses. */
export const SUBSCRIPTION_STATUSES = [
  "trialing",
  "active",
  "past_due",
  "unpaid",
  "paused",
  "incomplete",
  "incomplete_expired",
  "canceled",
] as const;
export type SubscriptionStatus = (typeof SUBSCRIPTION_STATUSES)[number];

export interface SubscriptionState {
  readonly id: string;
  readonly customerId: string;
  /** The organization it was bought for, null when it was not bought by our checkout. */
  readonly orgId: string | null;
  readonly status: SubscriptionStatus;
  /** null when none of its prices belongs to a plan. */
  readonly plan: PricedPlan | null;
  readonly interval: BillingInterval | null;
  readonly priceIds: readonly string[];
  readonly createdAt: Instant;
  /** End of what was invoiced last. */
  readonly periodEnd: Instant | null;
  /** When it will end or has ended by cancellation, as far as that is decided. */
  readonly cancelAt: Instant | null;
  readonly endedAt: Instant | null;
  /** Since when the oldest unpaid invoice is due; null unless the status is past_due or unpaid. */
  readonly pastDueSince: Instant | null;
}

/** One that can be managed, and beside which no second one may be bought. */
export function isLive(subscription: SubscriptionState): boolean {
  return RANK[subscription.status] >= RANK.paused;
}

/** Sold by us: by its price, or because our checkout made it. Others of the same customer are none of our business. */
export function isOurs({ plan, orgId }: SubscriptionState): boolean {
  return plan !== null || orgId !== null;
}

/**
 * The one of a customer's subscriptions that decides: the best status, then the higher plan, then the newest.
 * null when none is ours.
 */
export function rulingSubscription(subscriptions: readonly SubscriptionState[]): SubscriptionState | null {
  const ours = subscriptions.filter(isOurs);
  return ours.toSorted(byRank)[0] ?? null;
}

function byRank(a: SubscriptionState, b: SubscriptionState): number {
  return (
    RANK[b.status] - RANK[a.status] ||
    planRank(b.plan) - planRank(a.plan) ||
    b.createdAt - a.createdAt ||
    (a.id < b.id ? -1 : 1)
  );
}

const RANK: Readonly<Record<SubscriptionStatus, number>> = {
  active: 7,
  trialing: 6,
  past_due: 5,
  unpaid: 4,
  paused: 3,
  incomplete: 2,
  canceled: 1,
  incomplete_expired: 0,
};
