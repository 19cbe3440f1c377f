/**
 * Applies a customer's subscriptions, as the provider has them now, to the organization's plan. The change and the notice are one
 * transaction.
 */

import type { Organization, OrganizationPatch } from "#domain/account/organization.ts";
import { BillingFault } from "#domain/billing/notice.ts";
import {
  changeOf,
  isLive,
  isOurs,
  rulingSubscription,
  type SubscriptionState,
} from "#domain/billing/subscription.ts";
import type { Instant } from "#domain/time/day.ts";
import type { Billing } from "#ports/billing.ts";
import type { KeyNews, Ledger } from "#ports/ledger.ts";
import type { Clock } from "#ports.ts";
import type { Count, Emit } from "#telemetry.ts";

export interface BillingNoticeDeps {
  readonly ledger: Pick<Ledger, "organizations" | "keys" | "billingEvents" | "installation">;
  readonly billing: Pick<Billing, "kind" | "verifyEvent" | "subscription" | "subscriptionsOf">;
  readonly keyNews: KeyNews;
  readonly clock: Clock;
  readonly emit: Emit;
  readonly count?: Count;
}

/** The customer of a notice's object: the id itself, or a subscription's customer. Null if there is none. */
export async function customerOf(
  { billing }: BillingNoticeDeps,
  objectId: string | null,
): Promise<string | null> {
  if (objectId === null || !objectId.startsWith("sub_")) return objectId;
  return (await billing.subscription(objectId))?.customerId ?? null;
}

export interface Applied {
  /** "duplicate": every notice was settled before. */
  readonly outcome: "applied" | "unknown_customer" | "duplicate";
  readonly isChanged: boolean;
}

/** Readings of one customer. A reading that a fifth one contradicts is left to the hourly job. */
const MOST_READINGS = 5;

/**
 * Safe to repeat, in any order, by several replicas at once. After a change the provider is read again: a slower replica may have
 * written an older reading over a newer one. Rejects with BillingFault and LedgerUnavailable; the notices that it did not settle stay
 * open.
 */
export async function applyCustomer(
  deps: BillingNoticeDeps,
  customerId: string,
  noticeIds: readonly string[],
): Promise<Applied> {
  const applied = await applyReading(deps, customerId, noticeIds);
  let { isChanged } = applied;
  for (let readings = 1; isChanged && readings < MOST_READINGS; readings++)
    ({ isChanged } = await applyReading(deps, customerId, []));
  return applied;
}

async function applyReading(
  deps: BillingNoticeDeps,
  customerId: string,
  noticeIds: readonly string[],
): Promise<Applied> {
  const open = await unsettled(deps, noticeIds);
  if (noticeIds.length > 0 && open.length === 0) return { outcome: "duplicate", isChanged: false };
  const known = await deps.ledger.organizations.byBillingCustomer(customerId);
  const listed = await deps.billing.subscriptionsOf(customerId);
  const subscriptions = known === null ? listed : await withStored(deps, known, listed);
  const id = known?.id ?? (await unassigned(deps, customerId, listed));
  // Read again: an operator may have suspended the organization while the provider was asked.
  const organization = id === null ? null : await deps.ledger.organizations.byId(id);
  if (organization === null) {
    await write(deps, open, "unknown_customer", null);
    return { outcome: "unknown_customer", isChanged: false };
  }
  const newCustomer = known === null ? customerId : null;
  const patch = patchFor(organization, newCustomer, subscriptions, deps.clock.now());
  const change = patch === null ? null : { organizationId: organization.id, patch };
  // Another process settled the notices meanwhile.
  if (!(await write(deps, open, "applied", change))) return { outcome: "duplicate", isChanged: false };
  const isChanged = patch !== null && differs(organization, patch);
  if (isChanged) await renewKeys(deps, organization);
  return { outcome: "applied", isChanged };
}

/** Null where there is nothing for billing to change. */
function patchFor(
  organization: Organization,
  newCustomer: string | null,
  subscriptions: readonly SubscriptionState[],
  now: Instant,
): OrganizationPatch | null {
  if (newCustomer === null) return changeOf(organization, subscriptions, now);
  if (organization.billingCustomerId !== null) return null;
  return { ...changeOf(organization, subscriptions, now), billingCustomerId: newCustomer };
}

async function unsettled({ ledger }: BillingNoticeDeps, ids: readonly string[]): Promise<readonly string[]> {
  const events = await Promise.all(ids.map((id) => ledger.billingEvents.byId(id)));
  return events.flatMap((event) => (event === null || event.processedAt !== null ? [] : [event.id]));
}

/**
 * Adds the stored subscription: the provider lists nothing for a deleted customer, but still returns the subscription. BillingFault
 * if the provider never had it: it belongs to another provider account, and must not take a plan away.
 */
async function withStored(
  { billing, emit }: BillingNoticeDeps,
  { id: orgId, billingSubscriptionId: storedId }: Organization,
  listed: readonly SubscriptionState[],
): Promise<readonly SubscriptionState[]> {
  const isListed = storedId === null || listed.some(({ id }) => id === storedId);
  const stored = isListed ? null : await billing.subscription(storedId);
  if (!isListed && stored === null)
    throw new BillingFault(
      "unreadable",
      `the provider does not know ${storedId}, the subscription of ${orgId}; is the secret key another account's?`,
    );
  const all = stored === null ? listed : [...listed, stored];
  const running = all.filter((subscription) => isOurs(subscription) && isLive(subscription));
  if (running.length > 1) {
    const subscriptions = running.map(({ id }) => id);
    emit({ kind: "subscriptions_duplicated", organization: orgId, subscriptions });
  }
  return all;
}

/**
 * The id of the organization for a customer that no organization has yet, or null. The subscription's metadata, which only our
 * checkout and the operator write, names it. A running subscription without such an organization is reported.
 */
async function unassigned(
  { ledger, emit }: BillingNoticeDeps,
  customerId: string,
  subscriptions: readonly SubscriptionState[],
): Promise<string | null> {
  const ruling = rulingSubscription(subscriptions);
  if (ruling === null || ruling.orgId === null) return null;
  const organization = await ledger.organizations.byId(ruling.orgId);
  if (organization !== null && organization.billingCustomerId === null) return organization.id;
  if (isLive(ruling)) {
    const reason = organization === null ? "it does not exist any more" : "it has another customer";
    const { id, orgId } = ruling;
    emit({
      ...{ kind: "subscription_unassigned", subscription: id, customer: customerId },
      ...{ organization: orgId, reason },
    });
  }
  return null;
}

/** Whether it wrote: false when every notice had been settled before. */
async function write(
  { ledger, clock }: BillingNoticeDeps,
  noticeIds: readonly string[],
  outcome: string,
  change: { readonly organizationId: string; readonly patch: OrganizationPatch } | null,
): Promise<boolean> {
  const at = clock.now();
  let isSettled = false;
  for (const id of noticeIds)
    isSettled = (await ledger.billingEvents.settle(id, outcome, change, at)) || isSettled;
  if (noticeIds.length > 0) return isSettled;
  if (change !== null)
    await ledger.organizations.change(change.organizationId, change.patch, { at, actor: "billing" });
  return true;
}

/** Called once the ledger has the change. A process that misses the message looks the key up again within seconds. */
async function renewKeys({ ledger, keyNews }: BillingNoticeDeps, { id }: Organization): Promise<void> {
  try {
    const keys = await ledger.keys.list(id);
    keyNews.ended(keys.filter(({ revokedAt }) => revokedAt === null).map((key) => key.id));
  } catch {
    // The ledger has the change.
  }
}

function differs(organization: Organization, patch: OrganizationPatch): boolean {
  return (Object.keys(patch) as (keyof OrganizationPatch)[]).some(
    (name) => patch[name] !== organization[name],
  );
}
