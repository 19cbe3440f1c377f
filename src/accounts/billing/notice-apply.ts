/** A customer's subscriptions as they are now → the organization's plan, and the notices that asked for it are settled with it. */

import type { Organization, OrganizationPatch } from "#domain/account/organization.ts";
import { BillingFault } from "#domain/billing/fault.ts";
import { isLive, isOurs, rulingSubscription, type SubscriptionState } from "#domain/billing/subscription.ts";
import { changeOf, isFelt } from "./notice-change.ts";
import type { BillingNoticeDeps } from "./notice-deps.ts";
import { inTurn } from "./notice-turn.ts";

export interface Applied {
  /** "duplicate": every notice was settled before, and nothing was asked. */
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
    if (isFelt(organization, patch)) await tellKeys(deps, organization);
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
 * A deleted customer has none any more, but what has become of ours can still be asked: the provider forgets none. One
 * that it has never had is in another account than the one we ask, and no reason to take anybody's plan away.
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
 * write, it may be an organization's that has none yet; whose accounts are closed nobody can use what is paid for.
 */
async function readStranger(
  { ledger, clock, tell }: BillingNoticeDeps,
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
    const why = organization === null ? "does not exist any more" : "has another customer";
    tell({
      kind: "notice",
      text: `the subscription ${ruling.id} of ${customerId} is paid for ${ruling.orgId}, which ${why}; look at it in the provider's dashboard`,
    });
  }
  return null;
}

function tellDoubles(
  { tell }: BillingNoticeDeps,
  { id }: Organization,
  subscriptions: readonly SubscriptionState[],
): void {
  const running = subscriptions.filter((subscription) => isOurs(subscription) && isLive(subscription));
  if (running.length < 2) return;
  const ids = running.map((subscription) => subscription.id).join(", ");
  tell({ kind: "notice", text: `${id} pays for more than one subscription: ${ids}; the best one counts` });
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

/** After the ledger has it. What is not told is noticed within seconds, when the key is looked up again. */
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
