/** The plan of an organization for its owner: the plan bought, the plan in force, and any missing payment. */

import type { AccountDeps } from "#accounts/deps.ts";
import { withLedger } from "#domain/account/ledger.ts";
import { PAST_DUE_GRACE_MILLISECONDS, tierInForce } from "#domain/account/organization.ts";
import type { OwnPlan } from "#domain/billing/plan.ts";

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
