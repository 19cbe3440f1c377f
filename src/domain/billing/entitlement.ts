/** What a subscription entitles an organization to at an instant: tier, status, and the days of grace after a failed payment. */

import { type Instant, MILLISECONDS_PER_DAY } from "../day.ts";
import { BillingFault } from "./fault.ts";
import type { PricedPlan } from "./prices.ts";
import type { SubscriptionState } from "./subscription.ts";

export const GRACE_DAYS = 7;

export interface Entitlement {
  readonly tier: "free" | PricedPlan;
  /**
   * `active`: nothing to do. `past_due`: a payment is missing; the plan is kept for the days of grace. `canceled`: a paid
   * plan has ended and the organization goes on as a free one. None of them refuses a call.
   */
  readonly status: "active" | "past_due" | "canceled";
  /** Set with `past_due` only. */
  readonly pastDueSince: Instant | null;
}

const FREE: Entitlement = { tier: "free", status: "active", pastDueSince: null };
const ENDED: Entitlement = { tier: "free", status: "canceled", pastDueSince: null };

/**
 * `knownPastDueSince` is what was recorded when the payment failed first: an unpaid second invoice does not start the
 * grace again. Changes with `now` alone: the grace ends, and a cancellation comes due, though no event arrives.
 * BillingFault `unknown_price` when a plan was paid for and it cannot be told which.
 */
export function entitlementOf(
  subscription: SubscriptionState | null,
  now: Instant,
  knownPastDueSince: Instant | null = null,
): Entitlement {
  if (subscription === null) return FREE;
  switch (subscription.status) {
    case "active":
    case "trialing":
      if (hasEnded(subscription, now)) return ENDED;
      return { tier: planOf(subscription), status: "active", pastDueSince: null };
    case "past_due": {
      if (hasEnded(subscription, now)) return ENDED;
      const since = earliest(subscription.pastDueSince, knownPastDueSince) ?? now;
      const tier = now < graceEnd(since) ? planOf(subscription) : "free";
      return { tier, status: "past_due", pastDueSince: since };
    }
    // Every attempt to collect has failed: there is nothing left to wait for.
    case "unpaid": {
      const since = earliest(subscription.pastDueSince, knownPastDueSince) ?? now;
      return { tier: "free", status: "past_due", pastDueSince: since };
    }
    case "canceled":
      return ENDED;
    // Not yet paid for the first time, never paid, or waiting for a means of payment after a trial.
    case "incomplete":
    case "incomplete_expired":
    case "paused":
      return FREE;
  }
}

/** The instant from which a plan whose payment is missing is no longer kept. */
export function graceEnd(pastDueSince: Instant): Instant {
  return pastDueSince + GRACE_DAYS * MILLISECONDS_PER_DAY;
}

function hasEnded({ cancelAt, endedAt }: SubscriptionState, now: Instant): boolean {
  const end = endedAt ?? cancelAt;
  return end !== null && now >= end;
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
