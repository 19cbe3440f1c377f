/** DELETE /v1/account: ends the subscription, then deletes the organization in one transaction. */

import type { AccountDeps } from "#accounts/deps.ts";
import type { By } from "#domain/account/audit.ts";
import { withLedger } from "#domain/account/ledger.ts";
import type { Organization } from "#domain/account/organization.ts";
import type { ClosedAccount } from "#domain/account/own-account.ts";
import { BillingFault } from "#domain/billing/fault.ts";
import { isOurs, type SubscriptionStatus } from "#domain/billing/subscription.ts";
import { Failure } from "#domain/faults/errors.ts";

/**
 * Deletes the organization of a person; without one nothing happens. The identity, its consents, the audit log and the provider's notices stay; all sessions end. Failure
 * `billing_cancellation_failed`: nothing is deleted. `forbidden` for a suspended organization, since a new one would
 * undo the suspension. `service_unavailable`: repeat it, a subscription that has ended meanwhile is no obstacle.
 */
export async function closeAccount(deps: AccountDeps, ownerId: string, by: By): Promise<ClosedAccount> {
  const organization = await withLedger(() => deps.ledger.organizations.byOwner(ownerId));
  if (organization === null) return { organizationId: null, subscriptionCancelled: false };
  if (organization.status === "suspended") throw suspended();
  const subscriptionCancelled = await cancelled(deps, organization);
  const { id } = organization;
  // Suspended meanwhile, while the provider took its time, it stays.
  const removal = await withLedger(() => deps.ledger.organizations.remove(id, by, "all"));
  if (removal.outcome === "suspended") throw suspended();
  if (removal.outcome === "removed") deps.keyNews.ended(removal.keyIds);
  return { organizationId: removal.outcome === "removed" ? id : null, subscriptionCancelled };
}

function suspended(): Failure {
  const reason = "this account is suspended; the operator of this server has to delete it";
  return new Failure("forbidden", { reason });
}

/** Whether there was a subscription; it is gone then. */
async function cancelled({ billing, emit }: AccountDeps, organization: Organization): Promise<boolean> {
  try {
    await closePages(billing, organization);
    const ids = await subscriptionsOf(billing, organization);
    for (const id of ids) await billing.cancel(id);
    return ids.length > 0;
  } catch (fault) {
    if (!(fault instanceof BillingFault)) throw fault;
    emit({
      kind: "billing_cancellation_failed",
      organization: organization.id,
      fault: fault.kind,
      detail: fault.message,
    });
    throw new Failure("billing_cancellation_failed", {}, fault);
  }
}

/** First, so that a page which was paid a moment ago is among the subscriptions. */
async function closePages(
  billing: AccountDeps["billing"],
  { billingCustomerId }: Organization,
): Promise<void> {
  if (billingCustomerId !== null && billing.kind !== "none") await billing.closeCheckouts(billingCustomerId);
}

/** Nothing comes after these; one that waits for its first payment could still begin. */
const OVER: ReadonlySet<SubscriptionStatus> = new Set(["canceled", "incomplete_expired"]);

/** The subscription in the ledger, and those at the provider that no notice has reported yet. */
async function subscriptionsOf(
  billing: AccountDeps["billing"],
  { billingCustomerId, billingSubscriptionId }: Organization,
): Promise<readonly string[]> {
  const ids = new Set(billingSubscriptionId === null ? [] : [billingSubscriptionId]);
  if (billingCustomerId !== null && billing.kind !== "none") {
    for (const subscription of await billing.subscriptionsOf(billingCustomerId)) {
      if (!OVER.has(subscription.status) && isOurs(subscription)) ids.add(subscription.id);
    }
  }
  return [...ids];
}
