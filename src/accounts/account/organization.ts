/** POST /v1/account/provision creates an organization with its first key; DELETE /v1/account deletes it. */

import { attempt } from "#accounts/identity/deps.ts";
import { type AccountDeps, makeKey, readableKey } from "#accounts/keys/keys.ts";
import { type By, withLedger } from "#domain/account/ledger.ts";
import type { Organization } from "#domain/account/organization.ts";
import { BillingFault } from "#domain/billing/notice.ts";
import { isOurs, type SubscriptionStatus } from "#domain/billing/subscription.ts";
import { Failure } from "#domain/faults/errors.ts";

export interface SignUpFacts {
  /** The origin of the sign-up, as the caller states it. */
  readonly attribution: Readonly<Record<string, string>> | null;
  readonly marketingConsent: boolean;
}

/**
 * Creates one organization and one key, also when calls race. `created` is true for the call that created them; its facts are
 * stored. Failures `session_required` when the identity is gone, `rate_limited`, `service_unavailable`.
 */
export async function provision(deps: AccountDeps, ownerId: string, facts: SignUpFacts, by: By) {
  attempt(deps.attempts, deps.clock.now(), [{ limit: "provision of", key: ownerId }]);
  const fields = {
    ownerId,
    attribution: facts.attribution === null ? null : JSON.stringify(facts.attribution),
    marketingConsent: facts.marketingConsent,
    makeKey: (organizationId: string) => makeKey(deps, organizationId),
  };
  const provisioned = await withLedger(() => deps.ledger.organizations.provision(fields, by));
  if (provisioned === null) throw new Failure("session_required");
  const { created, key } = provisioned;
  return { created, organizationId: key.organizationId, key: await readableKey(deps, key) };
}

/**
 * Deletes the organization of a person, if there is one. Identity, consents, audit log and billing notices stay; all sessions end.
 * `organizationId` is the one that this call deleted. Failures `billing_cancellation_failed` (nothing is deleted), `forbidden` for a
 * suspended organization (a new one would undo the suspension), `service_unavailable`.
 */
export async function closeAccount(deps: AccountDeps, ownerId: string, by: By) {
  const organization = await withLedger(() => deps.ledger.organizations.byOwner(ownerId));
  if (organization === null) return { organizationId: null, subscriptionCancelled: false };
  if (organization.status === "suspended") throw suspended();
  const subscriptionCancelled = await cancelled(deps, organization);
  const { id } = organization;
  const removal = await withLedger(() => deps.ledger.organizations.remove(id, by));
  if (removal.outcome === "suspended") throw suspended();
  if (removal.outcome === "removed") deps.forgetKeys(id);
  return { organizationId: removal.outcome === "removed" ? id : null, subscriptionCancelled };
}

function suspended(): Failure {
  const reason = "this account is suspended; the operator of this server has to delete it";
  return new Failure("forbidden", { reason });
}

/** Cancels the subscription that the ledger names, and others that no notice has reported yet; returns whether there were any. */
async function cancelled(
  { billing, emit }: AccountDeps,
  { id: organization, billingCustomerId, billingSubscriptionId }: Organization,
): Promise<boolean> {
  const customerId = billing.kind === "none" ? null : billingCustomerId;
  const ids = new Set(billingSubscriptionId === null ? [] : [billingSubscriptionId]);
  try {
    if (customerId !== null) {
      // Pages close before the list is read: the list then has the subscription of a page that was paid at the last moment.
      await billing.closeCheckouts(customerId);
      for (const subscription of await billing.subscriptionsOf(customerId))
        if (!OVER.has(subscription.status) && isOurs(subscription)) ids.add(subscription.id);
    }
    for (const id of ids) await billing.cancel(id);
    return ids.size > 0;
  } catch (fault) {
    if (!(fault instanceof BillingFault)) throw fault;
    const { kind, message: detail } = fault;
    emit({ kind: "billing_cancellation_failed", organization, fault: kind, detail });
    throw new Failure("billing_cancellation_failed", {}, fault);
  }
}

/** Final states. A subscription that waits for its first payment could still begin. */
const OVER: ReadonlySet<SubscriptionStatus> = new Set(["canceled", "incomplete_expired"]);
