/** `/v1/subscriptions`: create, read, change, cancel, and billing periods. lifecycle.ts has the changes with time. */

import type { Account } from "./account.ts";
import { collect, newInvoice, openInvoices } from "./invoices.ts";
import type { Price, Subscription, SubscriptionItem } from "./objects.ts";
import { noSuch, onlyInLiveMode, StripeRefusal } from "./refusal.ts";

interface Update {
  readonly cancel_at_period_end?: boolean;
  readonly items?: readonly { readonly id?: string; readonly price?: string }[];
  readonly metadata?: Record<string, string>;
}

/** A paid one: the first bill is collected with it. */
export function begin(
  account: Account,
  customer: string,
  price: Price,
  metadata: Record<string, string>,
): Subscription {
  const second = account.at();
  const id = account.newId("sub");
  const subscription: Subscription = {
    id,
    object: "subscription",
    billing_cycle_anchor: second,
    cancel_at: null,
    cancel_at_period_end: false,
    created: second,
    customer,
    ended_at: null,
    items: { object: "list", data: [newItem(account, id, price, second)], has_more: false },
    livemode: false,
    metadata,
    status: "active",
  };
  account.subscriptions.set(id, subscription);
  const invoice = newInvoice(account, subscription);
  account.emit("customer.subscription.created", subscription);
  collect(account, invoice);
  return subscription;
}

export function retrieveSubscription(account: Account, id: string): Subscription {
  const subscription = account.subscriptions.get(id);
  if (account.liveOnly.has(id)) throw onlyInLiveMode(404, "subscription", id, "id");
  if (subscription === undefined) throw noSuch("subscription", id, "id");
  return subscription;
}

export function updateSubscription(account: Account, id: string, update: Update): Subscription {
  const subscription = retrieveSubscription(account, id);
  if (subscription.status === "canceled")
    throw new StripeRefusal(
      400,
      "A canceled subscription can only update its cancellation_details and metadata.",
    );
  return changed(account, subscription, () => {
    for (const { id: itemId, price } of update.items ?? []) {
      const item = subscription.items.data.find((candidate) => candidate.id === itemId);
      if (item === undefined) throw noSuch("subscription item", itemId ?? "", "items[0][id]");
      if (price !== undefined) switchPrice(account, item, price);
    }
    if (update.cancel_at_period_end !== undefined) {
      subscription.cancel_at_period_end = update.cancel_at_period_end;
      const end = subscription.items.data[0]?.current_period_end ?? null;
      subscription.cancel_at = update.cancel_at_period_end ? end : null;
    }
    Object.assign(subscription.metadata, update.metadata);
  });
}

/** At once. A canceled one can be read for ever, and is not there for a second cancellation. */
export function cancelSubscription(account: Account, id: string): Subscription {
  const subscription = retrieveSubscription(account, id);
  if (subscription.status === "canceled") throw noSuch("subscription", id, "id");
  subscription.status = "canceled";
  subscription.ended_at = account.at();
  for (const invoice of openInvoices(account, id)) invoice.next_payment_attempt = null;
  account.emit("customer.subscription.deleted", subscription);
  return subscription;
}

/** Makes a change and emits it, with the previous values, as `customer.subscription.updated`. */
export function changed(account: Account, subscription: Subscription, change: () => void): Subscription {
  const before = structuredClone(subscription) as Record<string, unknown>;
  change();
  const names = Object.keys(subscription).filter((name) => !Bun.deepEquals(before[name], subscription[name]));
  if (names.length > 0) {
    const previous = Object.fromEntries(names.map((name) => [name, before[name]]));
    account.emit("customer.subscription.updated", subscription, previous);
  }
  return subscription;
}

function switchPrice(account: Account, item: SubscriptionItem, priceId: string): void {
  const price = account.prices.get(priceId);
  if (price === undefined) throw noSuch("price", priceId, "items[0][price]");
  const sameLength = price.recurring.interval === item.price.recurring.interval;
  item.price = price;
  if (sameLength) return;
  item.current_period_start = account.at();
  item.current_period_end = periodEnd(account.at(), account.at(), price);
}

function newItem(account: Account, subscription: string, price: Price, second: number): SubscriptionItem {
  return {
    id: account.newId("si", 14),
    object: "subscription_item",
    created: second,
    current_period_end: periodEnd(second, second, price),
    current_period_start: second,
    price,
    subscription,
  };
}

/** The end, in Unix seconds, of the period that contains or begins at `start`. */
export function periodEnd(anchor: number, start: number, price: Price): number {
  const months = price.recurring.interval_count * (price.recurring.interval === "year" ? 12 : 1);
  for (let count = 1; ; count++) {
    const end = monthsLater(anchor, count * months);
    if (end > start) return end;
  }
}

function monthsLater(second: number, months: number): number {
  const from = new Date(second * 1000);
  const to = new Date(from);
  to.setUTCDate(1);
  to.setUTCMonth(to.getUTCMonth() + months);
  const last = new Date(Date.UTC(to.getUTCFullYear(), to.getUTCMonth() + 1, 0)).getUTCDate();
  to.setUTCDate(Math.min(from.getUTCDate(), last));
  return to.getTime() / 1000;
}
