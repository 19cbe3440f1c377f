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
import type { Billing } from "#ports/billing.ts";
import type { ForgetKeys, Ledger } from "#ports/ledger.ts";
import type { Clock } from "#ports.ts";
import type { Count, Emit } from "#telemetry.ts";

export interface BillingNoticeDeps {
  readonly ledger: Pick<Ledger, "organizations" | "keys" | "billingEvents" | "installation">;
  readonly billing: Pick<Billing, "kind" | "verifyEvent" | "subscription" | "subscriptionsOf">;
  readonly forgetKeys: ForgetKeys;
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

/** Most readings of one customer in a row. If the fifth one still changes the plan, the hourly job goes on. */
const MOST_READINGS = 5;

/**
 * Safe to repeat, in any order, by several replicas at once. A reading is written only if the organization has not changed since
 * the reading began: another replica may have written a newer one. After a change the provider is read again. Rejects with
 * BillingFault and LedgerUnavailable; the notices that it did not settle stay open.
 */
export async function applyCustomer(
  deps: BillingNoticeDeps,
  customerId: string,
  noticeIds: readonly string[],
): Promise<Applied> {
  let applied: Applied | null = null;
  for (let readings = 0; readings < MOST_READINGS; readings++) {
    const reading = await applyReading(deps, customerId, applied === null ? noticeIds : []);
    applied ??= reading;
    if (reading?.isChanged === false) break;
  }
  if (applied !== null) return applied;
  throw new BillingFault("unavailable", `the organization of ${customerId} changed during each reading`);
}

/** Null, with nothing written, where the organization changed meanwhile, or another process settled the first notice. */
async function applyReading(
  deps: BillingNoticeDeps,
  customerId: string,
  noticeIds: readonly string[],
): Promise<Applied | null> {
  const open = await unsettled(deps, noticeIds);
  if (noticeIds.length > 0 && open.length === 0) return { outcome: "duplicate", isChanged: false };
  const assigned = await deps.ledger.organizations.byBillingCustomer(customerId);
  const listed = await deps.billing.subscriptionsOf(customerId);
  const subscriptions = assigned === null ? listed : await withStored(deps, assigned, listed);
  const from = assigned ?? (await unassigned(deps, customerId, listed));
  if (from === null) {
    await write(deps, open, "unknown_customer", null);
    return { outcome: "unknown_customer", isChanged: false };
  }
  const changed = changeOf(from, subscriptions, deps.clock.now());
  const patch = assigned === null ? { ...changed, billingCustomerId: customerId } : changed;
  if (!(await write(deps, open, "applied", patch && { from, patch }))) return null;
  const named = Object.keys(patch ?? {}) as (keyof OrganizationPatch)[];
  const isChanged = named.some((name) => patch?.[name] !== from[name]);
  if (isChanged) deps.forgetKeys(from.id);
  return { outcome: "applied", isChanged };
}

async function unsettled({ ledger }: BillingNoticeDeps, ids: readonly string[]): Promise<readonly string[]> {
  const events = await Promise.all(ids.map((id) => ledger.billingEvents.byId(id)));
  return events.flatMap((event) => (event === null || event.processedAt !== null ? [] : [event.id]));
}

/**
 * Adds the stored subscription: the provider lists nothing for a deleted customer, but still returns the subscription.
 * BillingFault if the provider does not know it: another provider account has it, and no plan may be taken away then.
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
      `the provider does not know ${storedId}, the subscription of ${orgId}; is the secret key another account's? After a move between accounts: crossrate accounts forget-billing ${orgId}`,
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
 * The organization for a customer that no organization has yet, or null. The subscription's metadata, which only our
 * checkout and the operator write, names it. A running subscription without such an organization is reported.
 */
async function unassigned(
  { ledger, emit }: BillingNoticeDeps,
  customerId: string,
  subscriptions: readonly SubscriptionState[],
): Promise<Organization | null> {
  const ruling = rulingSubscription(subscriptions);
  if (ruling === null || ruling.orgId === null) return null;
  const organization = await ledger.organizations.byId(ruling.orgId);
  if (organization !== null && organization.billingCustomerId === null) return organization;
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

/** Settles the first notice with the change. False, with nothing written, if it was settled or the organization changed. */
async function write(
  { ledger, clock }: BillingNoticeDeps,
  noticeIds: readonly string[],
  outcome: string,
  change: { readonly from: Organization; readonly patch: OrganizationPatch } | null,
): Promise<boolean> {
  const at = clock.now();
  const [first, ...others] = noticeIds;
  if (first !== undefined) {
    if (!(await ledger.billingEvents.settle(first, outcome, change, at))) return false;
    for (const id of others) await ledger.billingEvents.settle(id, outcome, null, at);
    return true;
  }
  if (change === null) return true;
  const { from, patch } = change;
  const by = { at, actor: "billing" } as const;
  return (await ledger.organizations.change(from.id, patch, by, from)) !== null;
}
