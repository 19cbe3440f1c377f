/** POST /v1/account/checkout: returns the provider's page for buying a plan, or for managing a running subscription. */

import { attempt, gatesFrom } from "#accounts/identity/deps.ts";
import { type SessionCaller, suspendedFailure } from "#accounts/identity/sessions.ts";
import type { AccountDeps } from "#accounts/keys/keys.ts";
import type { KeyHolder } from "#domain/account/key.ts";
import { withLedger } from "#domain/account/ledger.ts";
import type { Organization } from "#domain/account/organization.ts";
import { BillingFault, failureOf } from "#domain/billing/notice.ts";
import type { BillingInterval, SoldPlan } from "#domain/billing/plan.ts";
import { isLive, isOurs } from "#domain/billing/subscription.ts";
import { Failure } from "#domain/faults/errors.ts";
import type { Billing, CheckoutPage, PortalPage } from "#ports/billing.ts";
import type { Ledger } from "#ports/ledger.ts";

export interface CheckoutDeps extends Pick<AccountDeps, "plans" | "attempts" | "clock" | "emit"> {
  readonly ledger: Pick<Ledger, "organizations" | "identities">;
  readonly billing: Pick<Billing, "checkout" | "portal" | "subscriptionsOf">;
  readonly publicUrl: string;
}

/** The organization of the presented key, or of the person who signed in. */
export type Buyer = ({ readonly holder: KeyHolder } | { readonly caller: SessionCaller }) & {
  readonly address: string;
};

export interface Purchase {
  readonly plan: SoldPlan;
  readonly interval: BillingInterval;
}

const HOUR = 3_600_000;

/**
 * The provider's portal for a customer with a running subscription (no customer must pay twice), else a checkout page; the same
 * order within an hour gets the same page. Null wants the portal alone. Failures `conflict` before provisioning, and where null finds no
 * running subscription, `invalid_api_key` or `session_required` when the caller is gone, `forbidden` for a suspended organization,
 * `rate_limited`, those of `failureOf`, `service_unavailable`.
 */
export async function checkout(
  deps: CheckoutDeps,
  buyer: Buyer,
  purchase: Purchase | null,
): Promise<CheckoutPage | PortalPage> {
  const organization = await withLedger(() => organizationOf(deps, buyer));
  if (organization.status === "suspended") throw suspendedFailure();
  // Counted before the provider is called: its limits apply to all of our customers together.
  attempt(deps.attempts, deps.clock.now(), [
    ...gatesFrom("checkout from", buyer.address),
    // Counted by person: a new organization after a deletion gets no further attempts.
    { limit: "checkout of", key: organization.ownerId },
  ]);
  const identity =
    "caller" in buyer
      ? buyer.caller.identity
      : await withLedger(() => deps.ledger.identities.byId(organization.ownerId));
  const page = await pageFor(deps, organization, identity?.email ?? null, purchase);
  if (page.action === "checkout" && page.customerId !== organization.billingCustomerId) {
    // Stored before the page is sent: notices of a purchase name this customer.
    const patch = { billingCustomerId: page.customerId };
    const at = deps.clock.now();
    const by =
      "holder" in buyer ? ({ at, actor: `key:${buyer.holder.key.id}` } as const) : buyer.caller.by(at);
    const changed = await withLedger(() => deps.ledger.organizations.change(organization.id, patch, by));
    if (changed === null) throw gone(buyer);
  }
  return page;
}

async function organizationOf({ ledger }: CheckoutDeps, buyer: Buyer): Promise<Organization> {
  // Read again: the cached holder of a key may be seconds old.
  const organization =
    "holder" in buyer
      ? await ledger.organizations.byId(buyer.holder.organization.id)
      : await ledger.organizations.byOwner(buyer.caller.identity.id);
  if (organization === null) throw gone(buyer);
  return organization;
}

function gone(buyer: Buyer): Failure {
  if ("holder" in buyer) return new Failure("invalid_api_key");
  const reason =
    "there is no organization yet; POST /v1/account/provision makes one, and then a plan can be bought";
  return new Failure("conflict", { reason });
}

async function pageFor(
  { billing, plans, publicUrl, clock, emit }: CheckoutDeps,
  { id: orgId, status, billingCustomerId: customerId }: Organization,
  email: string | null,
  purchase: Purchase | null,
): Promise<CheckoutPage | PortalPage> {
  try {
    // Read from the provider: the notice of a recent purchase may still be on its way.
    const bought = customerId === null ? [] : await billing.subscriptionsOf(customerId);
    const ours = bought.filter(isOurs);
    if (customerId !== null && ours.some(isLive)) {
      return await billing.portal({ customerId, returnUrl: `${publicUrl}/account` });
    }
    if (purchase === null) {
      const reason = "there is no subscription any more: nothing can be changed, paid or cancelled";
      throw new Failure("conflict", { reason });
    }
    const { plan, interval } = purchase;
    // A price that the table of plans does not state is not sold.
    const { sold_by_checkout: isSold, offers } = plans[plan];
    if (!isSold || !offers.some((offer) => offer.interval === interval))
      throw new BillingFault("not_offered", `the plan ${plan} is not offered ${interval}`);
    const successUrl = `${publicUrl}/account?checkout=success`;
    const cancelUrl = `${publicUrl}/account?checkout=cancelled`;
    // Ended subscriptions are part of the key: a buyer who comes back within the hour needs a page that is not used up.
    const ended = ours.length;
    const hour = Math.floor(clock.now() / HOUR);
    // So is the status in the ledger: for a deleted customer the provider lists no ended subscriptions.
    const facts = [orgId, plan, interval, successUrl, cancelUrl, ended, status, hour];
    const idempotencyKey = JSON.stringify(facts);
    const order = { orgId, email, customerId, plan, interval, hour };
    return await billing.checkout({ ...order, idempotencyKey, successUrl, cancelUrl });
  } catch (fault) {
    if (!(fault instanceof BillingFault)) throw fault;
    const failure = failureOf(fault);
    if (failure.code === "billing_unavailable") {
      emit({ kind: "checkout_failed", organization: orgId, fault: fault.kind, detail: fault.message });
    }
    throw failure;
  }
}
