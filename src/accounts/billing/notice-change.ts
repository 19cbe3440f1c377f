/** What the subscriptions of a customer change of an organization. Pure. */

import type { Organization, OrganizationPatch } from "#domain/account/organization.ts";
import { patchOf } from "#domain/billing/entitlement.ts";
import { isLive, rulingSubscription, type SubscriptionState } from "#domain/billing/subscription.ts";
import type { Instant } from "#domain/time/day.ts";

/**
 * The ledger keeps the id of a running subscription only. One that is over, or was never paid, therefore takes a plan from
 * an organization that had it through a subscription, and not one that the operator has given since: then there is no
 * change (null). A suspension stands. BillingFault `unknown_price`.
 */
export function changeOf(
  organization: Organization,
  subscriptions: readonly SubscriptionState[],
  now: Instant,
): OrganizationPatch | null {
  const { tier, status, billingSubscriptionId: held, pastDueSince } = organization;
  const ruling = rulingSubscription(subscriptions);
  const isRunning = ruling !== null && isLive(ruling);
  if (!isRunning && held === null && (tier !== "free" || ruling === null)) return null;
  // The grace of another subscription is not this one's.
  const patch = patchOf(ruling, now, ruling?.id === held ? pastDueSince : null);
  const standing = ruling === null ? "canceled" : patch.status;
  return {
    tier: patch.tier,
    pastDueSince: patch.pastDueSince,
    billingSubscriptionId: isRunning ? ruling.id : null,
    ...(status === "suspended" ? {} : { status: standing }),
  };
}

/** Whether other limits may hold after the change. */
export function isFelt(organization: Organization, patch: OrganizationPatch): boolean {
  const { tier, status, pastDueSince } = { ...organization, ...patch };
  return (
    tier !== organization.tier || status !== organization.status || pastDueSince !== organization.pastDueSince
  );
}
