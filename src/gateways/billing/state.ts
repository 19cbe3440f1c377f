/** Converts Stripe's subscription object. The shapes are those of the pinned API version. */

import type { Stripe } from "stripe";
import { BillingFault } from "#domain/billing/fault.ts";
import { type PriceEntry, type PriceList, planAt, planRank } from "#domain/billing/plan.ts";
import {
  SUBSCRIPTION_STATUSES,
  type SubscriptionState,
  type SubscriptionStatus,
} from "#domain/billing/subscription.ts";
import type { Instant } from "#domain/time/day.ts";

/** `pastDueSince` comes from the invoices. BillingFault `unreadable` for a status that this version does not have. */
export function stateOf(
  subscription: Stripe.Subscription,
  prices: PriceList,
  pastDueSince: Instant | null,
): SubscriptionState {
  const items = subscription.items.data;
  const bought = highest(items.map((item) => planAt(prices, item.price.id)));
  const periodEnd = instant(latest(items.map((item) => item.current_period_end)));
  const cancelsThen = subscription.cancel_at_period_end ? periodEnd : null;
  return {
    id: subscription.id,
    customerId: idOf(subscription.customer),
    orgId: subscription.metadata["org_id"] ?? null,
    status: statusOf(subscription),
    plan: bought?.plan ?? null,
    interval: bought?.interval ?? null,
    priceIds: items.map((item) => item.price.id),
    createdAt: subscription.created * 1000,
    periodEnd,
    cancelAt: instant(subscription.cancel_at) ?? cancelsThen,
    endedAt: instant(subscription.ended_at),
    pastDueSince,
  };
}

/** Whether the invoices must be queried for the time since when a payment is missing. */
export function owes({ status }: Stripe.Subscription): boolean {
  return status === "past_due" || status === "unpaid";
}

/** When the oldest of the open invoices fell due; null when none is open. */
export function oldestDue(invoices: readonly Stripe.Invoice[]): Instant | null {
  const dues = invoices.map((invoice) => invoice.status_transitions.finalized_at ?? invoice.created);
  return dues.length === 0 ? null : Math.min(...dues) * 1000;
}

function statusOf({ id, status }: Stripe.Subscription): SubscriptionStatus {
  const known = SUBSCRIPTION_STATUSES.find((candidate) => candidate === status);
  if (known === undefined) throw new BillingFault("unreadable", `subscription ${id} has an unknown status`);
  return known;
}

function highest(entries: readonly (PriceEntry | null)[]): PriceEntry | null {
  return entries.reduce((best, entry) => {
    return planRank(entry?.plan ?? null) > planRank(best?.plan ?? null) ? entry : best;
  }, null);
}

function latest(times: readonly number[]): number | null {
  const known = times.filter((time) => Number.isFinite(time));
  return known.length === 0 ? null : Math.max(...known);
}

function idOf(reference: string | { readonly id: string }): string {
  return typeof reference === "string" ? reference : reference.id;
}

function instant(seconds: number | null | undefined): Instant | null {
  return seconds === null || seconds === undefined ? null : seconds * 1000;
}
