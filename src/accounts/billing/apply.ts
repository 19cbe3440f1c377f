/**
 * Applies a customer's subscriptions, as the provider has them now, to the organization's plan. Replicas work on one customer at a
 * time; the change and the notice are one transaction.
 */

import type { Lease } from "#domain/account/ledger.ts";
import type { Organization, OrganizationPatch } from "#domain/account/organization.ts";
import { BillingFault } from "#domain/billing/notice.ts";
import {
  isLive,
  isOurs,
  patchOf,
  rulingSubscription,
  type SubscriptionState,
} from "#domain/billing/subscription.ts";
import { Failure } from "#domain/faults/errors.ts";
import type { Instant } from "#domain/time/day.ts";
import type { Billing } from "#ports/billing.ts";
import type { KeyNews, Ledger } from "#ports/ledger.ts";
import type { Clock } from "#ports.ts";
import type { Count, Emit } from "#telemetry.ts";

export interface BillingNoticeDeps {
  readonly ledger: Pick<Ledger, "organizations" | "keys" | "billingEvents" | "leases" | "installation">;
  readonly billing: Pick<Billing, "kind" | "verifyEvent" | "subscription" | "subscriptionsOf">;
  readonly keyNews: KeyNews;
  readonly clock: Clock;
  readonly emit: Emit;
  readonly count?: Count;
  readonly replica: string;
  readonly pause: (milliseconds: number) => Promise<void>;
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

/**
 * Safe to repeat, in any order, by several replicas at once. Rejects with BillingFault, LedgerUnavailable, and the Failure of
 * `inTurn`; notices then stay unsettled.
 */
export async function applyCustomer(
  deps: BillingNoticeDeps,
  customerId: string,
  noticeIds: readonly string[],
): Promise<Applied> {
  return await inTurn(deps, customerId, async (keep) => {
    const open = await unsettled(deps, noticeIds);
    if (noticeIds.length > 0 && open.length === 0) return { outcome: "duplicate", isChanged: false };
    const known = await deps.ledger.organizations.byBillingCustomer(customerId);
    const listed = await deps.billing.subscriptionsOf(customerId);
    const subscriptions = known === null ? listed : await withStored(deps, known, listed);
    const id = known?.id ?? (await unassigned(deps, customerId, listed));
    await keep();
    // Read again: an operator may have suspended the organization while the provider was asked.
    const organization = id === null ? null : await deps.ledger.organizations.byId(id);
    if (organization === null) {
      await write(deps, open, "unknown_customer", null);
      return { outcome: "unknown_customer", isChanged: false };
    }
    const newCustomer = known === null ? customerId : null;
    const patch = patchFor(organization, newCustomer, subscriptions, deps.clock.now());
    await write(deps, open, "applied", patch === null ? null : { organizationId: organization.id, patch });
    const isChanged = patch !== null && differs(organization, patch);
    if (isChanged) await renewKeys(deps, organization);
    return { outcome: "applied", isChanged };
  });
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

/**
 * The change that a customer's subscriptions make to an organization, or null. A subscription that ended or was never paid does not
 * take away a plan that the operator gave. A suspension stays. BillingFault `unknown_price`.
 */
export function changeOf(
  organization: Organization,
  subscriptions: readonly SubscriptionState[],
  now: Instant,
): OrganizationPatch | null {
  const { tier, status, billingSubscriptionId: storedId, pastDueSince } = organization;
  const ruling = rulingSubscription(subscriptions);
  const isRunning = ruling !== null && isLive(ruling);
  if (!isRunning && storedId === null && (tier !== "free" || ruling === null)) return null;
  // A subscription does not inherit the grace of another.
  const patch = patchOf(ruling, now, ruling?.id === storedId ? pastDueSince : null);
  const paid = ruling === null ? "canceled" : patch.status;
  return {
    tier: patch.tier,
    pastDueSince: patch.pastDueSince,
    billingSubscriptionId: isRunning ? ruling.id : null,
    ...(status === "suspended" ? {} : { status: paid }),
  };
}

/** Longer than reading a customer takes. After it the turn is lost, and nothing is written. */
const TURN_MILLISECONDS = 30_000;
/** Shorter than the provider waits for an answer to its notice. */
const LONGEST_WAIT_MILLISECONDS = 8_000;
const FIRST_PAUSE_MILLISECONDS = 20;
const LONGEST_PAUSE_MILLISECONDS = 250;
const LANES = 64;

type TurnDeps = Pick<BillingNoticeDeps, "replica" | "pause"> & {
  readonly ledger: Pick<BillingNoticeDeps["ledger"], "leases">;
};

/**
 * Runs `work` while no other process works on that customer: an older reading could overwrite a newer one. `keep` renews the turn
 * right before the write. Failure `service_unavailable` when the turn was lost, or does not come within 8 seconds.
 */
async function inTurn<T>(
  deps: TurnDeps,
  customerId: string,
  work: (keep: () => Promise<void>) => Promise<T>,
): Promise<T> {
  const { leases } = deps.ledger;
  const lease = await turnOf(deps, `billing-${laneOf(customerId)}`);
  try {
    return await work(async () => {
      if ((await leases.renew(lease, TURN_MILLISECONDS)) === null) throw busy();
    });
  } finally {
    // An unreleased lease expires.
    await leases.release(lease).catch(() => {});
  }
}

async function turnOf({ ledger, replica, pause }: TurnDeps, name: string): Promise<Lease> {
  let wait = FIRST_PAUSE_MILLISECONDS;
  for (let waited = 0; ; waited += wait, wait = Math.min(2 * wait, LONGEST_PAUSE_MILLISECONDS)) {
    const lease = await ledger.leases.acquire(name, replica, TURN_MILLISECONDS);
    if (lease !== null) return lease;
    if (waited >= LONGEST_WAIT_MILLISECONDS) throw busy();
    await pause(wait);
  }
}

function busy(): Failure {
  return new Failure("service_unavailable", {
    reason: "the subscription is being read already; send it again",
  });
}

function laneOf(customerId: string): number {
  let sum = 0;
  for (const character of customerId) sum = (31 * sum + (character.codePointAt(0) ?? 0)) % 1_000_003;
  return sum % LANES;
}
