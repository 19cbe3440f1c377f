/** The organization that owns keys, plan and usage, one per person. Requests are counted in UTC: by day, and by month for the quota. */

import { type Day, formatDay, type Instant, MILLISECONDS_PER_DAY } from "#domain/time/day.ts";

export const TIERS = ["free", "basic", "plus", "pro"] as const;
export type Tier = (typeof TIERS)[number];

export const ORGANIZATION_STATUSES = ["active", "past_due", "suspended", "canceled"] as const;
export type OrganizationStatus = (typeof ORGANIZATION_STATUSES)[number];

export interface Organization {
  readonly id: string;
  readonly ownerId: string;
  readonly tier: Tier;
  readonly status: OrganizationStatus;
  readonly billingCustomerId: string | null;
  readonly billingSubscriptionId: string | null;
  /** Since when a payment is missing; null while every payment is made. */
  readonly pastDueSince: Instant | null;
  /** Where the sign-up came from: JSON, as it was sent. */
  readonly attribution: string | null;
  readonly marketingConsent: boolean;
  readonly createdAt: Instant;
}

/** The members that may change; absent members stay. */
export type OrganizationPatch = Partial<
  Pick<
    Organization,
    "tier" | "status" | "billingCustomerId" | "billingSubscriptionId" | "pastDueSince" | "marketingConsent"
  >
>;

/** How long the bought tier stays after a missing payment. */
export const PAST_DUE_GRACE_MILLISECONDS = 7 * MILLISECONDS_PER_DAY;

/** The tier that applies at `now`: the bought one, or free once a payment is overdue too long or the plan has ended. */
export function tierInForce(
  { tier, status, pastDueSince }: Pick<Organization, "tier" | "status" | "pastDueSince">,
  now: Instant,
): Tier {
  if (status === "canceled") return "free";
  // Checked for every status: a suspension does not replace a payment.
  const isOverdue = pastDueSince !== null && now >= pastDueSince + PAST_DUE_GRACE_MILLISECONDS;
  return isOverdue ? "free" : tier;
}

/** The patch that gives an organization a tier. A canceled status becomes active, because `tierInForce` of a canceled plan is free. */
export function givenTier({ status }: Pick<Organization, "status">, tier: Tier): OrganizationPatch {
  return status === "canceled" ? { tier, status: "active" } : { tier };
}

/**
 * The patch that forgets customer and subscription at the payment provider. The tier in force stays, so a plan with an overdue payment
 * does not come back. A suspension stays, too.
 */
export function withoutBilling(organization: Organization, now: Instant): OrganizationPatch {
  return {
    tier: tierInForce(organization, now),
    status: organization.status === "suspended" ? "suspended" : "active",
    ...{ billingCustomerId: null, billingSubscriptionId: null, pastDueSince: null },
  };
}

export type Month = string;

export interface UsageDay {
  readonly day: Day;
  readonly served: number;
  /** Refused by a limit of the plan. */
  readonly rateLimited: number;
  /** How many of `rateLimited` the month's quota refused. */
  readonly quotaExceeded: number;
}

/** What one flush adds for one organization and day. `calls` count against the quota: a batch of N counts N. */
export interface UsageIncrement extends UsageDay {
  readonly organizationId: string;
  /** The owner: the quota is counted for the person, also after the organization was deleted. */
  readonly ownerId: string;
  readonly calls: number;
}

export function monthOf(day: Day): Month {
  return formatDay(day).slice(0, 7);
}

/** One increment for each organization and day, in order of both. */
export function sumIncrements(increments: readonly UsageIncrement[]): readonly UsageIncrement[] {
  const sums = new Map<string, UsageIncrement>();
  for (const one of increments) {
    const key = `${one.organizationId} ${one.day}`;
    const sum = sums.get(key);
    sums.set(key, sum === undefined ? one : added(sum, one));
  }
  return [...sums.values()].sort(byOrganizationAndDay);
}

function added(a: UsageIncrement, b: UsageIncrement): UsageIncrement {
  return {
    ...a,
    served: a.served + b.served,
    rateLimited: a.rateLimited + b.rateLimited,
    quotaExceeded: a.quotaExceeded + b.quotaExceeded,
    calls: a.calls + b.calls,
  };
}

function byOrganizationAndDay(a: UsageIncrement, b: UsageIncrement): number {
  if (a.organizationId !== b.organizationId) return a.organizationId < b.organizationId ? -1 : 1;
  return a.day - b.day;
}
