/** The organization that owns keys, plan and usage; one a person. `tier` is the plan bought; `tierInForce` is the plan that counts now. */

import { type Instant, MILLISECONDS_PER_DAY } from "#domain/time/day.ts";

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
export interface OrganizationPatch {
  readonly tier?: Tier;
  readonly status?: OrganizationStatus;
  readonly billingCustomerId?: string | null;
  readonly billingSubscriptionId?: string | null;
  readonly pastDueSince?: Instant | null;
  readonly marketingConsent?: boolean;
}

/** A missing payment leaves the bought tier for this long. */
export const PAST_DUE_GRACE_MILLISECONDS = 7 * MILLISECONDS_PER_DAY;

/** The tier whose limits hold now: what was bought, or free once a payment is overdue too long or the plan has ended. */
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
