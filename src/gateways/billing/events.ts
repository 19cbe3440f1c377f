/** Reads Stripe's objects, by the pinned API version: events (verified with every signing secret) and subscriptions. */

import type { Stripe } from "stripe";
import { BillingFault, type BillingNotice, readNotice } from "#domain/billing/notice.ts";
import { type PriceEntry, type PriceList, planAt, planRank } from "#domain/billing/plan.ts";
import type { SoldPrice } from "#domain/billing/price-check.ts";
import {
  SUBSCRIPTION_STATUSES,
  type SubscriptionState,
  type SubscriptionStatus,
} from "#domain/billing/subscription.ts";
import type { Instant } from "#domain/time/day.ts";

const TOLERANCE_SECONDS = 300;

/**
 * BillingFault `bad_signature` unless a secret signed these bytes within the tolerance, `wrong_mode` for a live notice under a
 * test key or the reverse, `unreadable` when it is not an event.
 */
export async function verifiedNotice(
  stripe: Stripe,
  { webhookSecrets, live }: { readonly webhookSecrets: readonly string[]; readonly live: boolean },
  rawBody: string | Uint8Array,
  signatureHeader: string | null,
  now: Instant,
): Promise<BillingNotice> {
  if (webhookSecrets.length === 0)
    throw new BillingFault("not_configured", "STRIPE_WEBHOOK_SECRETS is not set: no event can be verified");
  const header = signatureHeader ?? "";
  // The SDK accepts times in the future.
  if (timeOf(header) * 1000 > now + TOLERANCE_SECONDS * 1000) throw refused();
  for (const secret of webhookSecrets) {
    const event = await verifiedBy(stripe, secret, rawBody, header, now);
    if (event === null) continue;
    const notice = readNotice(event);
    if (notice.live !== live)
      throw new BillingFault("wrong_mode", `the event ${notice.id} is of the other mode`);
    return notice;
  }
  throw refused();
}

async function verifiedBy(
  stripe: Stripe,
  secret: string,
  rawBody: string | Uint8Array,
  header: string,
  now: Instant,
): Promise<unknown> {
  try {
    // Only the asynchronous form works here: the runtime gives the SDK WebCrypto.
    return await stripe.webhooks.constructEventAsync(
      rawBody as string,
      header,
      secret,
      TOLERANCE_SECONDS,
      undefined,
      now,
    );
  } catch (error) {
    if ((error as Partial<Stripe.errors.StripeError>).type === "StripeSignatureVerificationError")
      return null;
    throw new BillingFault("unreadable", "the signed body is not a Stripe event");
  }
}

function timeOf(header: string): number {
  return Number(/(?:^|,)\s*t=(\d{1,12})(?:,|$)/.exec(header)?.[1] ?? 0);
}

function refused(): BillingFault {
  return new BillingFault("bad_signature", "no signing secret fits the event, or its time is too far off");
}

/** `pastDueSince` comes from the invoices. BillingFault `unreadable` for a status that this version does not have. */
export function stateOf(
  subscription: Stripe.Subscription,
  prices: PriceList,
  pastDueSince: Instant | null,
): SubscriptionState {
  const items = subscription.items.data;
  const bought = highest(items.map((item) => planAt(prices, item.price.id)));
  return {
    id: subscription.id,
    customerId: typeof subscription.customer === "string" ? subscription.customer : subscription.customer.id,
    orgId: subscription.metadata["org_id"] ?? null,
    status: statusOf(subscription),
    plan: bought?.plan ?? null,
    priceIds: items.map((item) => item.price.id),
    createdAt: subscription.created * 1000,
    pastDueSince,
  };
}

export function chargeOf({
  currency,
  unit_amount,
  recurring,
}: Stripe.Price): NonNullable<SoldPrice["charge"]> {
  const isFlat = recurring?.usage_type !== "metered";
  const period = recurring === null ? null : periodOf(recurring);
  return { currency, smallestUnits: isFlat ? unit_amount : null, period };
}

function periodOf({ interval, interval_count }: Stripe.Price.Recurring): string {
  return interval_count === 1 ? interval : `${interval_count} ${interval}s`;
}

/** Whether a payment is missing: the invoices say since when. */
export function owes({ status }: Stripe.Subscription): boolean {
  return status === "past_due" || status === "unpaid";
}

/** When the oldest open invoice fell due; null without an open invoice. A mailed invoice has its own due date. */
export function oldestDue(invoices: readonly Stripe.Invoice[]): Instant | null {
  const dues = invoices.map(
    ({ due_date, status_transitions, created }) => due_date ?? status_transitions.finalized_at ?? created,
  );
  return dues.length === 0 ? null : Math.min(...dues) * 1000;
}

function statusOf({ id, status }: Stripe.Subscription): SubscriptionStatus {
  const ours = SUBSCRIPTION_STATUSES.find((candidate) => candidate === status);
  if (ours === undefined) throw new BillingFault("unreadable", `subscription ${id} has an unknown status`);
  return ours;
}

function highest(entries: readonly (PriceEntry | null)[]): PriceEntry | null {
  return entries.reduce((best, entry) => {
    return planRank(entry?.plan ?? null) > planRank(best?.plan ?? null) ? entry : best;
  }, null);
}
