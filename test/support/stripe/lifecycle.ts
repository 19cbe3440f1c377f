/** What happens with time: renewals, collection attempts, ends of paid periods, expired checkouts; in order, each at its own second. */

import type { Account } from "./account.ts";
import { collect, newInvoice, openInvoices } from "./invoices.ts";
import type { Invoice, Subscription } from "./objects.ts";
import { expire } from "./sessions.ts";
import { cancelSubscription, changed, periodEnd } from "./subscriptions.ts";

interface Due {
  readonly at: number;
  readonly work: () => void;
}

/** A clock that jumped by years does all of them; one that did not move does nothing. */
export function catchUp(account: Account): void {
  const now = account.at();
  for (;;) {
    const next = dues(account).reduce<Due | null>((first, due) => {
      return due.at <= now && (first === null || due.at < first.at) ? due : first;
    }, null);
    if (next === null) return;
    account.asOf(next.at, next.work);
  }
}

/** The next period from now on, as if the last one were over. */
export function renewNow(account: Account, subscription: Subscription): void {
  changed(account, subscription, () => {
    subscription.billing_cycle_anchor = account.at();
    renew(account, subscription);
  });
}

/** Collects what is open with the card as it is now. */
export function payNow(account: Account, subscription: Subscription): void {
  for (const invoice of openInvoices(account, subscription.id)) attempt(account, subscription, invoice);
}

function dues(account: Account): Due[] {
  const sessions = [...account.sessions.values()].filter(({ status }) => status === "open");
  const running = [...account.subscriptions.values()].filter(({ status }) => {
    return status === "active" || status === "past_due";
  });
  return [
    ...sessions.map((session) => ({
      at: session.expires_at,
      work: () => void expire(account, session),
    })),
    ...running.flatMap((subscription) => duesOf(account, subscription)),
  ];
}

function duesOf(account: Account, subscription: Subscription): Due[] {
  const end = subscription.items.data[0]?.current_period_end ?? Number.POSITIVE_INFINITY;
  const atEnd = subscription.cancel_at_period_end
    ? () => void cancelSubscription(account, subscription.id)
    : () => void changed(account, subscription, () => renew(account, subscription));
  const attempts = openInvoices(account, subscription.id)
    .filter(({ next_payment_attempt }) => next_payment_attempt !== null)
    .map((invoice) => ({
      at: invoice.next_payment_attempt as number,
      work: () => attempt(account, subscription, invoice),
    }));
  return [{ at: end, work: atEnd }, ...attempts];
}

function renew(account: Account, subscription: Subscription): void {
  for (const item of subscription.items.data) {
    item.current_period_start = account.at();
    item.current_period_end = periodEnd(subscription.billing_cycle_anchor, account.at(), item.price);
  }
  const invoice = newInvoice(account, subscription);
  if (collect(account, invoice) !== "paid") subscription.status = "past_due";
}

function attempt(account: Account, subscription: Subscription, invoice: Invoice): void {
  const outcome = collect(account, invoice);
  const isSettled = openInvoices(account, subscription.id).length === 0;
  if (isSettled && subscription.status !== "canceled")
    changed(account, subscription, () => {
      subscription.status = "active";
    });
  if (outcome !== "given_up") return;
  if (account.whenUncollected === "canceled") cancelSubscription(account, subscription.id);
  if (account.whenUncollected === "unpaid")
    changed(account, subscription, () => {
      subscription.status = "unpaid";
    });
}
