/**
 * One simulated Stripe account: its objects in their wire format, as far as the product reads them, what changes them, and the
 * events that come of it. Times are Unix seconds.
 */

import { randomInt } from "node:crypto";
import type { Instant } from "#domain/time/day.ts";
import { CATALOG, type Price } from "./catalog.ts";

const SIMULATED_API_VERSION = "2026-10-28.endive";
const DAY = 86_400;
/** Waits after the first, second and third failed attempt to collect; the fourth is the last. */
const RETRY_AFTER_DAYS = [3, 5, 7];
/** A subscription whose first payment failed waits so long for it. */
const INCOMPLETE_SECONDS = 23 * 3600;

export type Account = ReturnType<typeof newAccount>;
type Customer = ReturnType<typeof customerOf>;
type Session = ReturnType<typeof sessionOf>;
type Portal = ReturnType<typeof portalOf>;
export type Subscription = ReturnType<typeof subscriptionOf>;
type Invoice = ReturnType<typeof invoiceOf>;
export type Event = ReturnType<typeof eventOf>;

export function newAccount(now: () => Instant, sendEvent: (event: Event) => void) {
  let step: number | null = null;
  return {
    /** `http://127.0.0.1:<port>`, where its pages are. */
    base: "",
    customers: new Map<string, Customer>(),
    sessions: new Map<string, Session>(),
    subscriptions: new Map<string, Subscription>(),
    invoices: new Map<string, Invoice>(),
    portals: new Map<string, Portal>(),
    /** In the order in which they came about. */
    events: [] as Event[],
    declining: new Set<string>(),
    /** Customers without any means of payment. */
    cardless: new Set<string>(),
    /** Identifiers of subscriptions that exist in live mode only. */
    liveOnly: new Set<string>(),
    /** What becomes of a subscription when the last attempt to collect fails. */
    whenUncollected: "canceled" as "canceled" | "unpaid" | "past_due",
    /** Inside a past step of the catching-up the time of that step. */
    at: (): number => step ?? Math.floor(now() / 1000),
    /** Does something as of an earlier second. */
    asOf(second: number, work: () => void): void {
      step = second;
      work();
      step = null;
    },
    emit(type: string, object: object): void {
      const event = eventOf(type, structuredClone(object), this.at());
      this.events.push(event);
      sendEvent(event);
    },
  };
}

function eventOf(type: string, object: object, created: number) {
  const about = { api_version: SIMULATED_API_VERSION, created, livemode: false, type };
  return { id: newId("evt"), object: "event", data: { object }, ...about };
}

const CHARACTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** Not seeded: two simulators of a test may share a ledger. */
export function newId(prefix: string, length = 24): string {
  const characters = Array.from({ length }, () => CHARACTERS.charAt(randomInt(CHARACTERS.length)));
  return `${prefix}_${characters.join("")}`;
}

type Metadata = Readonly<Record<string, string>>;

function customerOf(created: number, email: string | null, metadata: Metadata) {
  return { id: newId("cus", 14), object: "customer", created, email, metadata, deleted: false };
}

interface Ordered {
  readonly customer: string;
  readonly price: Price;
  readonly metadata: Metadata;
  readonly client_reference_id: string | null;
  readonly success_url: string;
  readonly cancel_url: string | null;
}

function sessionOf(created: number, base: string, { price, ...ordered }: Ordered) {
  const id = newId("cs_test", 58);
  return {
    ...{ id, object: "checkout.session", created, expires_at: created + DAY, ...ordered },
    line_items: { data: [{ price, quantity: 1 }] },
    status: "open" as "open" | "complete" | "expired",
    subscription: null as string | null,
    url: `${base}/c/pay/${id}` as string | null,
  };
}

function portalOf(base: string, customer: string, returnUrl: string | null) {
  const id = newId("bps");
  const url = `${base}/p/session/${id}`;
  return { id, object: "billing_portal.session", customer, return_url: returnUrl, url };
}

function subscriptionOf(created: number, customer: string, price: Price, metadata: Metadata) {
  const period = { current_period_start: created, current_period_end: periodEnd(created, created, price) };
  return {
    ...{ id: newId("sub"), object: "subscription", customer, metadata, created },
    billing_cycle_anchor: created,
    cancel_at: null as number | null,
    cancel_at_period_end: false,
    items: { data: [{ id: newId("si", 14), object: "subscription_item", price, ...period }] },
    status: "active" as Status,
    trial_end: null as number | null,
    trial_settings: { end_behavior: { missing_payment_method: "create_invoice" as AfterTrial } },
  };
}

type Status =
  | "incomplete"
  | "incomplete_expired"
  | "trialing"
  | "active"
  | "past_due"
  | "unpaid"
  | "paused"
  | "canceled";
/** What a trial ends in where there is no means of payment. */
export type AfterTrial = "cancel" | "pause" | "create_invoice";

/** Finalized and open at once: the hour of draft is left out. */
function invoiceOf(created: number, { id: subscription, customer }: Subscription) {
  return {
    ...{ id: newId("in"), object: "invoice", created, customer, attempt_count: 0 },
    next_payment_attempt: null as number | null,
    parent: { subscription_details: { subscription }, type: "subscription_details" },
    status: "open" as "open" | "paid" | "void",
    status_transitions: { finalized_at: created },
  };
}

export function createCustomer(account: Account, email: string | null, metadata: Metadata): Customer {
  const customer = customerOf(account.at(), email, metadata);
  account.customers.set(customer.id, customer);
  account.emit("customer.created", customer);
  return customer;
}

export function deleteCustomer(account: Account, customer: Customer): Customer {
  for (const subscription of subscriptionsOf(account, customer.id))
    if (subscription.status !== "canceled") cancel(account, subscription);
  customer.deleted = true;
  account.emit("customer.deleted", customer);
  return customer;
}

export function subscriptionsOf(account: Account, customer: string): Subscription[] {
  return [...account.subscriptions.values()].filter((subscription) => subscription.customer === customer);
}

export function createSession(account: Account, ordered: Ordered): Session {
  const session = sessionOf(account.at(), account.base, ordered);
  account.sessions.set(session.id, session);
  return session;
}

/** The customer pays with a card that works: the first bill of the subscription is collected with it. */
export function pay(account: Account, session: Session): void {
  account.declining.delete(session.customer);
  const [line] = session.line_items.data;
  if (line === undefined) return;
  const subscription = subscriptionOf(account.at(), session.customer, line.price, session.metadata);
  account.subscriptions.set(subscription.id, subscription);
  account.emit("customer.subscription.created", subscription);
  bill(account, subscription);
  Object.assign(session, { status: "complete", subscription: subscription.id, url: null });
  account.emit("checkout.session.completed", session);
}

/** A subscription that the operator makes in Stripe's dashboard, with a trial or without. */
export function subscribe(
  account: Account,
  customer: string,
  priceId: string,
  trial: { readonly days: number; readonly end: AfterTrial } | null,
  metadata: Metadata = {},
): Subscription {
  const price = CATALOG.find((one) => one.id === priceId);
  if (price === undefined) throw new Error(`no price ${priceId}`);
  const subscription = subscriptionOf(account.at(), customer, price, metadata);
  account.subscriptions.set(subscription.id, subscription);
  if (trial !== null) {
    const end = account.at() + trial.days * DAY;
    const trial_settings = { end_behavior: { missing_payment_method: trial.end } };
    Object.assign(subscription, {
      status: "trialing",
      trial_end: end,
      billing_cycle_anchor: end,
      trial_settings,
    });
    for (const item of subscription.items.data) item.current_period_end = end;
  } else if (bill(account, subscription) !== "paid") subscription.status = "incomplete";
  account.emit("customer.subscription.created", subscription);
  return subscription;
}

/** In the dashboard, after a pause: it is billed at once. */
export function resume(account: Account, subscription: Subscription): void {
  subscription.status = "active";
  account.emit("customer.subscription.resumed", subscription);
  subscription.billing_cycle_anchor = account.at();
  renew(account, subscription);
}

/** All of the last paid bill, by the operator or after a lost dispute: neither bill nor subscription changes. */
export function giveBack(account: Account, { id }: Subscription, type: "refund" | "dispute"): void {
  const paid = [...account.invoices.values()].filter(
    ({ status, parent }) => status === "paid" && parent.subscription_details.subscription === id,
  );
  const customer = paid.at(-1)?.customer ?? null;
  const charge = { id: newId("ch"), object: "charge", customer, amount: 3000, payment_intent: newId("pi") };
  if (type === "refund") {
    account.emit("charge.refunded", { ...charge, amount_refunded: 3000, refunded: true });
    return;
  }
  // It names its charge, and no customer.
  const dispute = { id: newId("du"), object: "dispute", amount: 3000, charge: charge.id };
  for (const step of ["created", "funds_withdrawn", "closed"])
    account.emit(`charge.dispute.${step}`, {
      ...dispute,
      status: step === "closed" ? "lost" : "needs_response",
    });
}

export function expire(account: Account, session: Session): Session {
  Object.assign(session, { status: "expired", url: null });
  account.emit("checkout.session.expired", session);
  return session;
}

export function createPortal(account: Account, customer: string, returnUrl: string | null = null): Portal {
  const portal = portalOf(account.base, customer, returnUrl);
  account.portals.set(portal.id, portal);
  return portal;
}

/** At once. A canceled one can be read for ever. */
export function cancel(account: Account, subscription: Subscription): Subscription {
  subscription.status = "canceled";
  for (const invoice of openInvoices(account, subscription)) invoice.next_payment_attempt = null;
  account.emit("customer.subscription.deleted", subscription);
  return subscription;
}

function update(account: Account, subscription: Subscription, change: Partial<Subscription>): void {
  Object.assign(subscription, change);
  account.emit("customer.subscription.updated", subscription);
}

/** What a button of the portal does: `<verb>` or `<verb>:<subscription>[:<price>]`. */
export function manage(account: Account, customer: string, action: string): void {
  const [verb, id, priceId] = action.split(":");
  if (verb === "card-bad") account.declining.add(customer);
  if (verb === "card-good") for (const set of [account.declining, account.cardless]) set.delete(customer);
  const subscription = subscriptionsOf(account, customer).find((one) => one.id === id);
  const [item] = subscription?.items.data ?? [];
  if (subscription === undefined || item === undefined || subscription.status === "canceled") return;
  if (verb === "card-good")
    for (const invoice of openInvoices(account, subscription)) attempt(account, subscription, invoice);
  if (verb === "switch") {
    const price = CATALOG.find((one) => one.id === priceId) ?? item.price;
    const isSameLength = price.recurring.interval === item.price.recurring.interval;
    item.price = price;
    if (!isSameLength) {
      item.current_period_start = account.at();
      item.current_period_end = periodEnd(account.at(), account.at(), price);
    }
    update(account, subscription, {});
  }
  if (verb === "cancel-later")
    update(account, subscription, { cancel_at_period_end: true, cancel_at: item.current_period_end });
  if (verb === "keep") update(account, subscription, { cancel_at_period_end: false, cancel_at: null });
  if (verb === "cancel-now") cancel(account, subscription);
  if (verb === "renew" && subscription.status !== "unpaid") {
    subscription.billing_cycle_anchor = account.at();
    renew(account, subscription);
  }
}

function bill(account: Account, subscription: Subscription): ReturnType<typeof collect> {
  const invoice = invoiceOf(account.at(), subscription);
  account.invoices.set(invoice.id, invoice);
  return collect(account, invoice);
}

/** One attempt with the customer's card. "failed": it will be tried again; "given_up": that was the last time. */
function collect(account: Account, invoice: Invoice): "paid" | "failed" | "given_up" {
  invoice.attempt_count++;
  if (account.declining.has(invoice.customer) || account.cardless.has(invoice.customer)) {
    const wait = RETRY_AFTER_DAYS[invoice.attempt_count - 1];
    invoice.next_payment_attempt = wait === undefined ? null : account.at() + wait * DAY;
    account.emit("invoice.payment_failed", invoice);
    return wait === undefined ? "given_up" : "failed";
  }
  Object.assign(invoice, { status: "paid", next_payment_attempt: null });
  account.emit("invoice.paid", invoice);
  account.emit("invoice.payment_succeeded", invoice);
  return "paid";
}

/** Open bills of a subscription, oldest first. */
export function openInvoices(account: Account, { id }: Pick<Subscription, "id">): Invoice[] {
  return [...account.invoices.values()].filter(
    ({ status, parent }) => status === "open" && parent.subscription_details.subscription === id,
  );
}

interface Due {
  readonly at: number;
  readonly work: () => unknown;
}

/**
 * What happens with time, in order, each at its own second: renewals, collection attempts, ends of paid periods, expired
 * checkouts. A clock that jumped by years does all of them; one that did not move does nothing.
 */
export function catchUp(account: Account): void {
  for (const now = account.at(); ; ) {
    const [next] = dues(account).sort((a, b) => a.at - b.at);
    if (next === undefined || next.at > now) return;
    account.asOf(next.at, next.work);
  }
}

function dues(account: Account): Due[] {
  const open = [...account.sessions.values()].filter(({ status }) => status === "open");
  const running = [...account.subscriptions.values()].filter(
    ({ status }) => !["unpaid", "paused", "canceled", "incomplete_expired"].includes(status),
  );
  return [
    ...open.map((session) => ({ at: session.expires_at, work: () => expire(account, session) })),
    ...running.flatMap((subscription) => duesOf(account, subscription)),
  ];
}

function duesOf(account: Account, subscription: Subscription): Due[] {
  const { status, created, trial_end: end } = subscription;
  if (status === "incomplete")
    return [{ at: created + INCOMPLETE_SECONDS, work: () => expireIncomplete(account, subscription) }];
  if (status === "trialing" && end !== null)
    return [{ at: end, work: () => endTrial(account, subscription) }];
  const ends = subscription.items.data.map(({ current_period_end: at }) => ({
    at,
    work: () =>
      subscription.cancel_at_period_end ? cancel(account, subscription) : renew(account, subscription),
  }));
  const attempts = openInvoices(account, subscription).flatMap((invoice) => {
    const at = invoice.next_payment_attempt;
    return at === null ? [] : [{ at, work: () => attempt(account, subscription, invoice) }];
  });
  return [...ends, ...attempts];
}

function expireIncomplete(account: Account, subscription: Subscription): void {
  for (const invoice of openInvoices(account, subscription)) invoice.status = "void";
  update(account, subscription, { status: "incomplete_expired" });
}

function endTrial(account: Account, subscription: Subscription): void {
  const { cancel_at_period_end, trial_settings, customer } = subscription;
  const missing = account.cardless.has(customer) ? trial_settings.end_behavior.missing_payment_method : null;
  if (cancel_at_period_end || missing === "cancel") cancel(account, subscription);
  else if (missing === "pause") {
    update(account, subscription, { status: "paused" });
    account.emit("customer.subscription.paused", subscription);
  } else {
    subscription.status = "active";
    renew(account, subscription);
  }
}

function renew(account: Account, subscription: Subscription): void {
  for (const item of subscription.items.data) {
    item.current_period_start = account.at();
    item.current_period_end = periodEnd(subscription.billing_cycle_anchor, account.at(), item.price);
  }
  const isPaid = bill(account, subscription) === "paid";
  update(account, subscription, isPaid ? {} : { status: "past_due" });
}

function attempt(account: Account, subscription: Subscription, invoice: Invoice): void {
  const outcome = collect(account, invoice);
  if (openInvoices(account, subscription).length === 0) update(account, subscription, { status: "active" });
  if (outcome !== "given_up") return;
  if (account.whenUncollected === "canceled") cancel(account, subscription);
  if (account.whenUncollected === "unpaid") update(account, subscription, { status: "unpaid" });
}

/** The end of the period that contains or begins at `start`. */
function periodEnd(anchor: number, start: number, { recurring }: Price): number {
  const months = recurring.interval_count * (recurring.interval === "year" ? 12 : 1);
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
