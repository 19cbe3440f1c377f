/** Applies a customer's current subscriptions to the organization's plan, and marks the notices as processed in the same transaction. */

import type { Organization, OrganizationPatch } from "#domain/account/organization.ts";
import { BillingFault } from "#domain/billing/fault.ts";
import {
  isLive,
  isOurs,
  patchOf,
  rulingSubscription,
  type SubscriptionState,
} from "#domain/billing/subscription.ts";
import type { Instant } from "#domain/time/day.ts";
import type { BillingNoticeDeps } from "./notice-deps.ts";
import { inTurn } from "./notice-turn.ts";

export interface Applied {
  /** "duplicate": every notice was settled before, and nothing was queried. */
  readonly outcome: "applied" | "unknown_customer" | "duplicate";
  /** Whether the organization is another than before. */
  readonly isChanged: boolean;
}

/**
 * Safe to repeat, in any order, by several replicas at once. With notices the change and the first of them are one
 * transaction. Rejects with BillingFault, LedgerUnavailable, and the Failure of `inTurn`; notices then stay unsettled.
 */
export async function applyCustomer(
  deps: BillingNoticeDeps,
  customerId: string,
  noticeIds: readonly string[],
): Promise<Applied> {
  return await inTurn(deps, customerId, async (keep) => {
    const open = await unsettled(deps, noticeIds);
    if (noticeIds.length > 0 && open.length === 0) return { outcome: "duplicate", isChanged: false };
    const reading = await read(deps, customerId);
    await keep();
    // Once more: the provider takes its time, and an operator may have suspended the organization meanwhile.
    const organization =
      reading === null ? null : await deps.ledger.organizations.byId(reading.organizationId);
    const patch = organization === null ? null : (reading?.patchFor(organization) ?? null);
    const outcome = organization === null ? "unknown_customer" : "applied";
    const change =
      organization === null || patch === null ? null : { organizationId: organization.id, patch };
    await write(deps, open, outcome, change);
    if (organization === null || patch === null) return { outcome, isChanged: false };
    if (isEffective(organization, patch)) await tellKeys(deps, organization);
    return { outcome, isChanged: differs(organization, patch) };
  });
}

async function unsettled({ ledger }: BillingNoticeDeps, ids: readonly string[]): Promise<readonly string[]> {
  const events = await Promise.all(ids.map((id) => ledger.billingEvents.byId(id)));
  return events.flatMap((event) => (event === null || event.processedAt !== null ? [] : [event.id]));
}

interface Reading {
  readonly organizationId: string;
  /** null: nothing that billing has a say in. */
  readonly patchFor: (present: Organization) => OrganizationPatch | null;
}

/** null: the customer of no organization here. */
async function read(deps: BillingNoticeDeps, customerId: string): Promise<Reading | null> {
  const { ledger, billing, clock } = deps;
  const known = await ledger.organizations.byBillingCustomer(customerId);
  const subscriptions = await billing.subscriptionsOf(customerId);
  if (known === null) return await readStranger(deps, customerId, subscriptions);
  const all = await withHeld(deps, known, subscriptions);
  tellDoubles(deps, known, all);
  return { organizationId: known.id, patchFor: (present) => changeOf(present, all, clock.now()) };
}

/**
 * A deleted customer has none any more, but ours can still be queried: the provider forgets none. A customer that it has
 * never had belongs to another provider account, and is no reason to take a plan away.
 */
async function withHeld(
  { billing }: BillingNoticeDeps,
  { id: orgId, billingSubscriptionId: held }: Organization,
  listed: readonly SubscriptionState[],
): Promise<readonly SubscriptionState[]> {
  if (held === null || listed.some(({ id }) => id === held)) return listed;
  const found = await billing.subscription(held);
  if (found !== null) return [...listed, found];
  throw new BillingFault(
    "unreadable",
    `the provider does not know ${held}, the subscription of ${orgId}; is the secret key another account's?`,
  );
}

/**
 * A customer whom no organization has. By the subscription's own metadata, which only our checkout and the operator
 * write, it may be an organization's that has none yet; where accounts are closed the subscription cannot be used.
 */
async function readStranger(
  { ledger, clock, emit }: BillingNoticeDeps,
  customerId: string,
  subscriptions: readonly SubscriptionState[],
): Promise<Reading | null> {
  const ruling = rulingSubscription(subscriptions);
  if (ruling === null || ruling.orgId === null) return null;
  const organization = await ledger.organizations.byId(ruling.orgId);
  if (organization !== null && organization.billingCustomerId === null) {
    return {
      organizationId: organization.id,
      patchFor: (present) => {
        if (present.billingCustomerId !== null) return null;
        return { ...changeOf(present, subscriptions, clock.now()), billingCustomerId: customerId };
      },
    };
  }
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

function tellDoubles(
  { emit }: BillingNoticeDeps,
  { id }: Organization,
  subscriptions: readonly SubscriptionState[],
): void {
  const running = subscriptions.filter((subscription) => isOurs(subscription) && isLive(subscription));
  if (running.length < 2) return;
  const ids = running.map((subscription) => subscription.id);
  emit({ kind: "subscriptions_duplicated", organization: id, subscriptions: ids });
}

async function write(
  { ledger, clock }: BillingNoticeDeps,
  noticeIds: readonly string[],
  outcome: string,
  change: { readonly organizationId: string; readonly patch: OrganizationPatch } | null,
): Promise<void> {
  const at = clock.now();
  for (const id of noticeIds) await ledger.billingEvents.settle(id, outcome, change, at);
  if (noticeIds.length > 0 || change === null) return;
  await ledger.organizations.change(change.organizationId, change.patch, { at, actor: "billing" });
}

/** After the ledger has it. A process that was not notified finds out within seconds, when the key is looked up again. */
async function tellKeys({ ledger, keyNews }: BillingNoticeDeps, { id }: Organization): Promise<void> {
  try {
    const keys = await ledger.keys.list(id);
    keyNews.ended(keys.filter(({ revokedAt }) => revokedAt === null).map((key) => key.id));
  } catch {
    // The change itself is made.
  }
}

function differs(organization: Organization, patch: OrganizationPatch): boolean {
  return (Object.keys(patch) as (keyof OrganizationPatch)[]).some(
    (name) => patch[name] !== organization[name],
  );
}

/**
 * The ledger stores the id of a running subscription only. One that is over, or was never paid, therefore takes a plan from
 * an organization that had it through a subscription, and not one that the operator has given since: then there is no
 * change (null). A suspension stays. BillingFault `unknown_price`.
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
  const paid = ruling === null ? "canceled" : patch.status;
  return {
    tier: patch.tier,
    pastDueSince: patch.pastDueSince,
    billingSubscriptionId: isRunning ? ruling.id : null,
    ...(status === "suspended" ? {} : { status: paid }),
  };
}

/** Whether other limits may hold after the change. */
export function isEffective(organization: Organization, patch: OrganizationPatch): boolean {
  const { tier, status, pastDueSince } = { ...organization, ...patch };
  return (
    tier !== organization.tier || status !== organization.status || pastDueSince !== organization.pastDueSince
  );
}
