/** `/v1/invoices`: the invoices of subscriptions, and the attempts to collect them. */

import type { Account } from "./account.ts";
import { emailOf } from "./customers.ts";
import type { Invoice, Subscription } from "./objects.ts";

const DAY = 86_400;
/** Waits after the first, second and third failed attempt; the fourth is the last. */
const RETRY_AFTER_DAYS = [3, 5, 7];

type BillingReason = "subscription_create" | "subscription_cycle" | "subscription_update";

/** Finalized and open at once: the hour of draft is left out. */
export function newInvoice(account: Account, subscription: Subscription, reason: BillingReason): Invoice {
  const [item] = subscription.items.data;
  const amount = item?.price.unit_amount ?? 0;
  const second = account.at();
  const id = account.newId("in");
  const details = { metadata: subscription.metadata, subscription: subscription.id };
  const invoice: Invoice = {
    id,
    object: "invoice",
    account_country: "US",
    account_name: "Simulation",
    amount_due: amount,
    amount_overpaid: 0,
    amount_paid: 0,
    amount_remaining: amount,
    amount_shipping: 0,
    attempt_count: 0,
    attempted: false,
    auto_advance: true,
    billing_reason: reason,
    collection_method: "charge_automatically",
    created: second,
    currency: "usd",
    customer: subscription.customer,
    customer_email: emailOf(account, subscription.customer),
    discounts: [],
    due_date: null,
    hosted_invoice_url: `${account.base}/i/${id}`,
    lines: { object: "list", data: [], has_more: false, url: `/v1/invoices/${id}/lines` },
    livemode: false,
    metadata: {},
    next_payment_attempt: null,
    number: `SIM-${String(account.invoices.size + 1).padStart(4, "0")}`,
    parent: { quote_details: null, subscription_details: details, type: "subscription_details" },
    period_end: item?.current_period_end ?? second,
    period_start: item?.current_period_start ?? second,
    status: "open",
    status_transitions: {
      finalized_at: second,
      marked_uncollectible_at: null,
      paid_at: null,
      voided_at: null,
    },
    subtotal: amount,
    test_clock: null,
    total: amount,
  };
  account.invoices.set(id, invoice);
  subscription.latest_invoice = id;
  return invoice;
}

/** One attempt with the customer's card. "failed": it will be tried again; "given_up": that was the last time. */
export function collect(account: Account, invoice: Invoice): "paid" | "failed" | "given_up" {
  const second = account.at();
  invoice.attempt_count++;
  invoice["attempted"] = true;
  if (account.declining.has(invoice.customer)) {
    const wait = RETRY_AFTER_DAYS[invoice.attempt_count - 1];
    invoice.next_payment_attempt = wait === undefined ? null : second + wait * DAY;
    account.emit("invoice.payment_failed", invoice);
    return wait === undefined ? "given_up" : "failed";
  }
  invoice.status = "paid";
  invoice.next_payment_attempt = null;
  invoice.status_transitions.paid_at = second;
  Object.assign(invoice, { amount_paid: invoice.amount_due, amount_remaining: 0, auto_advance: false });
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
