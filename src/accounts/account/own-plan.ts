/** The plan of an organization for its owner: the plan bought, the plan in force, and any missing payment. */

import type { AccountDeps } from "#accounts/deps.ts";
import { withLedger } from "#domain/account/ledger.ts";
import {
  type OrganizationStatus,
  PAST_DUE_GRACE_MILLISECONDS,
  type Tier,
  tierInForce,
} from "#domain/account/organization.ts";
import type { Plans } from "#domain/billing/plan.ts";
import type { Instant } from "#domain/time/day.ts";

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

/** Null before provisioning. Failure `service_unavailable`. */
export async function ownPlan(
  { ledger, billing, plans, clock }: Pick<AccountDeps, "ledger" | "billing" | "plans" | "clock">,
  ownerId: string,
): Promise<OwnPlan | null> {
  const organization = await withLedger(() => ledger.organizations.byOwner(ownerId));
  if (organization === null) return null;
  const { tier, status, pastDueSince: since, billingSubscriptionId } = organization;
  return {
    tier: tierInForce(organization, clock.now()),
    bought: tier,
    status,
    missing: since === null ? null : { since, graceEndsAt: since + PAST_DUE_GRACE_MILLISECONDS },
    hasSubscription: billingSubscriptionId !== null && status !== "canceled",
    isSold: billing.kind !== "none",
    plans,
  };
}
