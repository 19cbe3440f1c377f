/** Steps of a run around the provider: pages opened, paid and left, its portal, and its notices late, doubled and in disorder. */

import { bearer, from } from "#test/metered/client.ts";
import { createPortal, deleteCustomer } from "#test/support/stripe/account.ts";
import { Disagreement, demand, expectBody, mayTry, pick, type RunContext, refused } from "./context.ts";
import {
  accountStatus,
  applyReading,
  instantText,
  isLive,
  type Key,
  type Org,
  type Person,
} from "./model.ts";
import { boughtBy, RELEVANT, runningOf } from "./subscriptions.ts";
import { MINUTE } from "./windows.ts";

/** By session, by a key current or not, of the person; while the provider is out of order, too. */
export async function checkout(
  context: RunContext,
  person: Person,
  isProviderAway: boolean,
): Promise<string> {
  const { now } = context;
  const { org } = person;
  if (!mayTry(context, `checkout ${person.email}`, 10, 15 * MINUTE)) return "skipped";
  const keys: readonly Key[] = org?.keys ?? [];
  const key =
    keys.length > 0 && context.random() < 0.6
      ? (keys.at(-1 - Math.floor(context.random() * 2)) ?? null)
      : null;
  const token = [...person.sessions.keys()].at(-1);
  if (key === null && token === undefined) return "no way";
  const headers = { ...bearer(key?.plaintext ?? token ?? ""), ...from(person.address) };
  const wrong = context.random() < 0.1;
  const [plan, interval] = [pick(context, ["basic", "pro"]), pick(context, ["monthly", "monthly", "yearly"])];
  const sent = wrong ? { plan, seats: 2 } : interval === "monthly" ? { plan } : { plan, interval };
  const answer = await context.world.ask("POST", "/v1/account/checkout", headers, sent);
  if (wrong) {
    refused(answer, 422, "validation_error");
    return "422";
  }
  if (key !== null && !isLive(key, now)) {
    refused(answer, 401, "invalid_api_key");
    return "401";
  }
  if (key === null && now >= (person.sessions.get(token ?? "") ?? 0)) {
    refused(answer, 401, "session_required");
    return "401";
  }
  if (org === null) {
    refused(answer, 409, "conflict");
    return "409";
  }
  if (org.suspended) {
    refused(answer, 403, "forbidden");
    return "403";
  }
  if (isProviderAway) {
    refused(answer, 503, "billing_unavailable");
    return "503";
  }
  return checkedPage(context, org, plan, interval, answer);
}

function checkedPage(
  context: RunContext,
  org: Org,
  plan: string,
  interval: string,
  answer: Parameters<typeof expectBody>[0],
): string {
  const { account } = context.world.stripe;
  const running = runningOf(account, org.customer);
  const { url } = answer.body;
  if (running.length > 0) {
    expectBody(answer, { action: "manage_subscription", url, expires_at: null });
    const portal = account.portals.get(new URL(url).pathname.split("/").at(-1) ?? "");
    demand("whose portal", portal?.customer, org.customer);
    return "manage";
  }
  const session = account.sessions.get(new URL(url).pathname.split("/").at(-1) ?? "");
  if (session === undefined) throw new Disagreement(`no such page: ${url}`);
  expectBody(answer, { action: "checkout", url, expires_at: instantText(session.expires_at * 1000) });
  // Between the end of a customer and the notice of it no record says that the page was this customer's.
  if (isGone(account, session.customer) && accountStatus(org, context.now).status !== "canceled")
    return "used up";
  demand("the page is open", session.status, "open");
  const price = session.line_items.data[0]?.price.id;
  demand("what is sold", price, `price_${plan}_${interval}`);
  if (org.customer !== null && !isGone(account, org.customer))
    demand("whose page", session.customer, org.customer);
  const others = context.people.flatMap(({ org: other }) =>
    other === null || other === org ? [] : [other.customer],
  );
  demand("another organization's customer", others.includes(session.customer), false);
  org.customer = session.customer;
  // What has been bought and has ended since needs a page of its own.
  const bought = [...account.subscriptions.values()].filter(({ customer }) => customer === org.customer);
  const after = `${bought.length} ${accountStatus(org, context.now).status}`;
  const isSame =
    org.page !== null && org.page.plan === plan && org.page.interval === interval && org.page.after === after;
  const before =
    isSame && org.page !== null ? account.sessions.get(org.page.url.split("/").at(-1) ?? "") : undefined;
  const isSameHour =
    org.page !== null && Math.floor(org.page.at / 3_600_000) === Math.floor(context.now / 3_600_000);
  if (before?.status === "open" && isSameHour) demand("the same page within the hour", url, org.page?.url);
  org.page = { url, plan, interval, after, at: context.now };
  return `${plan} ${interval}`;
}

function isGone(account: RunContext["world"]["stripe"]["account"], customer: string): boolean {
  return account.customers.get(customer)?.deleted === true;
}

export async function purchase(context: RunContext, person: Person): Promise<string> {
  const opened = await checkout(context, person, false);
  const { url } = person.org?.page ?? {};
  if (url === undefined || !/^(basic|pro) /.test(opened)) return opened;
  await context.world.press(url, "pay");
  return `${opened}, paid; ${await deliverAll(context)}`;
}

/** On any page that was ever shown, of organizations that are gone, too. */
export async function pay(context: RunContext): Promise<string> {
  const { account } = context.world.stripe;
  const open = [...account.sessions.values()].filter(
    ({ status, customer }) => status === "open" && !isGone(account, customer),
  );
  const session = open.length > 0 ? pick(context, open) : undefined;
  if (typeof session?.url !== "string") return "no page";
  const action = pick(context, ["pay", "pay", "pay", "pay", "decline", "cancel"]);
  const status = await context.world.press(session.url, action);
  return `${action} ${status} of ${session.customer}`;
}

/** What customers do on the provider's portal, and their cards by themselves. */
export async function manage(context: RunContext): Promise<string> {
  const { stripe, press, clock } = context.world;
  const { account } = stripe;
  const running = [...account.subscriptions.values()].filter(({ status }) => status !== "canceled");
  const one = running.length > 0 ? pick(context, running) : undefined;
  if (one === undefined) return "nothing runs";
  const price = pick(context, ["basic_monthly", "basic_yearly", "plus_monthly", "pro_monthly", "pro_yearly"]);
  const ends = ["card-bad", "card-bad", "card-bad", `card-good:${one.id}`, `cancel-now:${one.id}`];
  const changes = [`switch:${one.id}:price_${price}`, `renew:${one.id}`, `cancel-later:${one.id}`];
  // The simulation does not move the day of a cancellation with the period.
  const goesOn = one.cancel_at_period_end ? [`keep:${one.id}`] : [...changes, ...changes];
  const action = pick(context, [...ends, ...goesOn]);
  const customer = account.customers.get(one.customer);
  if (customer !== undefined && context.random() < 0.04) {
    deleteCustomer(account, customer);
    return `${one.customer} is deleted`;
  }
  await press(createPortal(account, one.customer).url, action);
  return `${action} at ${new Date(clock.at).toISOString()}`;
}

/** Any notice at all: the newest, one that waits, one that was delivered before. */
export async function deliver(context: RunContext, isProviderAway: boolean): Promise<string> {
  const { events } = context.world.stripe.account;
  if (events.length === 0) return "no notice";
  const waiting = events.filter(({ id }) => !context.dealtWith.has(id));
  const from = context.random() < 0.8 && waiting.length > 0 ? waiting : events;
  return await dealWith(context, pick(context, from), isProviderAway);
}

export async function deliverAll(context: RunContext): Promise<string> {
  const waiting = context.world.stripe.account.events.filter(({ id }) => !context.dealtWith.has(id));
  const shuffled = waiting.map((event) => [context.random(), event] as const).toSorted(([a], [b]) => a - b);
  for (const [, event] of shuffled) await dealWith(context, event, false);
  return `${shuffled.length} notices`;
}

type Event = RunContext["world"]["stripe"]["account"]["events"][number];

async function dealWith(context: RunContext, event: Event, isProviderAway: boolean): Promise<string> {
  const { world, people } = context;
  const object = event.data.object as unknown as Record<string, unknown>;
  const customer = String(object["object"] === "customer" ? object["id"] : object["customer"]);
  const org =
    people.map((person) => person.org).find((one) => one !== null && one.customer === customer) ?? null;
  const isRelevant = RELEVANT.test(event.type);
  const isKnown = context.dealtWith.has(event.id);
  const answer = await world.notify(event);
  const outcome = `${event.type} of ${customer}: ${answer.status} ${answer.body?.outcome ?? ""}`;
  if (isProviderAway && isRelevant && !isKnown && (org !== null || answer.status === 503)) {
    refused(answer, 503, "billing_unavailable");
    return outcome;
  }
  demand(`${event.type}: status`, answer.status, 200);
  demand(`${outcome}: known before`, answer.body.outcome === "duplicate", isKnown);
  if (!isRelevant && !isKnown) demand(`${outcome}: not ours`, answer.body.outcome, "ignored");
  context.dealtWith.add(event.id);
  if (org !== null && isRelevant && !isKnown) applyReading(org, readNow(context, org, customer));
  return outcome;
}

/** Of a customer that was deleted the provider lists nothing: what was known to run has ended. */
function readNow({ world }: RunContext, { bought }: Org, customer: string) {
  const read = boughtBy(world.stripe.account, customer);
  return isGone(world.stripe.account, customer) && bought === null ? null : read;
}

/** Not signed, signed with another secret, or signed too long ago. */
export async function forge(context: RunContext): Promise<string> {
  const { world, now } = context;
  const event = world.stripe.account.events.at(-1) ?? { id: "evt_1", type: "invoice.paid" };
  const stale = `t=${Math.floor(now / 1000) - 301},v1=${"0".repeat(64)}`;
  const headers: Record<string, string> = context.random() < 0.5 ? { "stripe-signature": stale } : {};
  const answer = await world.ask("POST", "/v1/billing/stripe/events", headers, event);
  refused(answer, 400, "invalid_request");
  return "400";
}
