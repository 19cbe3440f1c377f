/** `/v1/invoices`: the invoices of subscriptions, and the attempts to collect them. */

import type { Account } from "./account.ts";
import type { Invoice, Subscription } from "./objects.ts";

const DAY = 86_400;
/** Waits after the first, second and third failed attempt; the fourth is the last. */
const RETRY_AFTER_DAYS = [3, 5, 7];

/** Finalized and open at once: the hour of draft is left out. */
export function newInvoice(account: Account, subscription: Subscription): Invoice {
  const second = account.at();
  const id = account.newId("in");
  const details = { metadata: subscription.metadata, subscription: subscription.id };
  const invoice: Invoice = {
    id,
    object: "invoice",
    attempt_count: 0,
    created: second,
    customer: subscription.customer,
    livemode: false,
    metadata: {},
    next_payment_attempt: null,
    parent: { quote_details: null, subscription_details: details, type: "subscription_details" },
    status: "open",
    status_transitions: { finalized_at: second, paid_at: null },
  };
  account.invoices.set(id, invoice);
  return invoice;
}

/** One attempt with the customer's card. "failed": it will be tried again; "given_up": that was the last time. */
export function collect(account: Account, invoice: Invoice): "paid" | "failed" | "given_up" {
  const second = account.at();
  invoice.attempt_count++;
  if (account.declining.has(invoice.customer)) {
    const wait = RETRY_AFTER_DAYS[invoice.attempt_count - 1];
    invoice.next_payment_attempt = wait === undefined ? null : second + wait * DAY;
    account.emit("invoice.payment_failed", invoice);
    return wait === undefined ? "given_up" : "failed";
  }
  invoice.status = "paid";
  invoice.next_payment_attempt = null;
  invoice.status_transitions.paid_at = second;
  account.emit("invoice.paid", invoice);
  account.emit("invoice.payment_succeeded", invoice);
  return "paid";
}

/** Open bills of a subscription, oldest first. */
export function openInvoices(account: Account, subscriptionId: string): Invoice[] {
  return [...account.invoices.values()].filter(
    (invoice) => invoice.status === "open" && subscriptionOf(invoice) === subscriptionId,
  );
}

export function subscriptionOf(invoice: Invoice): string {
  const parent = invoice["parent"] as { readonly subscription_details: { readonly subscription: string } };
  return parent.subscription_details.subscription;
}
