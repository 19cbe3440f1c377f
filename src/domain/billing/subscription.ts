/** A subscription as the provider reports it, in our terms; which of several counts; and what it entitles to at an instant. */

import type { Organization, OrganizationPatch } from "#domain/account/organization.ts";
import type { Instant } from "#domain/time/day.ts";
import { BillingFault } from "./notice.ts";
import { type PricedPlan, planRank } from "./plan.ts";

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
  /** Null when no price of it belongs to a plan. */
  readonly plan: PricedPlan | null;
  readonly priceIds: readonly string[];
  readonly createdAt: Instant;
  /** When the oldest unpaid invoice was due; null unless the status is past_due or unpaid. */
  readonly pastDueSince: Instant | null;
}

/** Whether the subscription can be managed. The customer cannot buy a second one beside it. */
export function isLive(subscription: SubscriptionState): boolean {
  return RANK[subscription.status] >= RANK.paused;
}

/** Whether we sold it: its price is of a plan, or our checkout made it. Other subscriptions of the customer are ignored. */
export function isOurs({ plan, orgId }: SubscriptionState): boolean {
  return plan !== null || orgId !== null;
}

/** The subscription that decides: the best status, then the higher plan, then the newest. Null when we sold no subscription. */
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

/** `tier` is the bought tier: `tierInForce` ends the grace period of a missing payment by time alone. */
type Entitlement = Required<Pick<OrganizationPatch, "tier" | "status" | "pastDueSince">>;

const FREE: Entitlement = { tier: "free", status: "active", pastDueSince: null };
const ENDED: Entitlement = { ...FREE, status: "canceled" };

/**
 * The change that a customer's subscriptions make to an organization, or null. A subscription that ended or was never paid does not
 * take away a plan that the operator gave. A suspension stays. BillingFault `unknown_price` when the plan of a paid one is not known.
 */
export function changeOf(
  { tier, status, billingSubscriptionId: storedId, pastDueSince }: Organization,
  subscriptions: readonly SubscriptionState[],
  now: Instant,
): OrganizationPatch | null {
  const ruling = rulingSubscription(subscriptions);
  const isRunning = ruling !== null && isLive(ruling);
  if (!isRunning && storedId === null && (tier !== "free" || ruling === null)) return null;
  // The grace period starts once, however many invoices are unpaid. It is not inherited from another subscription.
  const knownSince = ruling?.id === storedId ? pastDueSince : null;
  const entitlement = ruling === null ? ENDED : entitlementOf(ruling, now, knownSince);
  return {
    tier: entitlement.tier,
    pastDueSince: entitlement.pastDueSince,
    billingSubscriptionId: isRunning ? ruling.id : null,
    ...(status === "suspended" ? {} : { status: entitlement.status }),
  };
}

function entitlementOf(
  subscription: SubscriptionState,
  now: Instant,
  knownPastDueSince: Instant | null,
): Entitlement {
  const since = earliest(subscription.pastDueSince, knownPastDueSince) ?? now;
  switch (subscription.status) {
    case "active":
    case "trialing":
      return { ...FREE, tier: planOf(subscription) };
    case "past_due":
      return { tier: planOf(subscription), status: "past_due", pastDueSince: since };
    // Every attempt to collect has failed.
    case "unpaid":
      return { tier: "free", status: "past_due", pastDueSince: since };
    case "canceled":
      return ENDED;
    // Not yet paid for the first time, never paid, or waiting for a means of payment after a trial.
    case "incomplete":
    case "incomplete_expired":
    case "paused":
      return FREE;
  }
}

function planOf({ id, plan, priceIds }: SubscriptionState): PricedPlan {
  if (plan !== null) return plan;
  throw new BillingFault(
    "unknown_price",
    `subscription ${id} is at ${priceIds.join(", ") || "no price"}, which STRIPE_PRICES does not list; add it there`,
  );
}

function earliest(a: Instant | null, b: Instant | null): Instant | null {
  return a === null || b === null ? (a ?? b) : Math.min(a, b);
}
