/** The organization that owns keys, plan and usage; one a person. Its requests are counted by day for the owner and by calendar month for the quota, in UTC. */

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
  /** Since when a payment is missing; null when none is. */
  readonly pastDueSince: Instant | null;
  /** Where the sign-up came from: JSON, as it was sent. */
  readonly attribution: string | null;
  readonly marketingConsent: boolean;
  readonly createdAt: Instant;
}

/** What may change of an organization; absent members stay. */
export type OrganizationPatch = Partial<
  Pick<
    Organization,
    "tier" | "status" | "billingCustomerId" | "billingSubscriptionId" | "pastDueSince" | "marketingConsent"
  >
>;

/** A missing payment leaves the bought tier for this long. */
export const PAST_DUE_GRACE_MILLISECONDS = 7 * MILLISECONDS_PER_DAY;

/** The tier with the limits of now: what was bought, or free once a payment is overdue too long or the plan has ended. */
export function tierInForce(
  { tier, status, pastDueSince }: Pick<Organization, "tier" | "status" | "pastDueSince">,
  now: Instant,
): Tier {
  if (status === "canceled") return "free";
  // For every status: a suspension does not replace a payment.
  const isOverdue = pastDueSince !== null && now >= pastDueSince + PAST_DUE_GRACE_MILLISECONDS;
  return isOverdue ? "free" : tier;
}

/** The change that giving a tier makes: the end of a plan that was paid for before does not take it back. */
export function givenTier({ status }: Pick<Organization, "status">, tier: Tier): OrganizationPatch {
  return status === "canceled" ? { tier, status: "active" } : { tier };
}

export type Month = string;

export interface UsageDay {
  readonly day: Day;
  readonly served: number;
  /** Refused by a limit of the plan. */
  readonly rateLimited: number;
  /** Those of them that the month's quota refused. */
  readonly quotaExceeded: number;
}

/** What one flush adds for one organization and day. `calls` count against the quota: a batch of N counts N. */
export interface UsageIncrement extends UsageDay {
  readonly organizationId: string;
  /** The identity that owns it: the quota is theirs, also when the organization is deleted. */
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
  const { organizationId, ownerId, day } = a;
  return {
    organizationId,
    ownerId,
    day,
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
