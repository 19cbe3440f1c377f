/** The operations of the API: method and path → accepted parameters and handler. */

import type { Account } from "./account.ts";
import { CUSTOMER_SHAPE, createCustomer, customerNamed, deleteCustomer } from "./customers.ts";
import { subscriptionOf } from "./invoices.ts";
import type { Session } from "./objects.ts";
import type { Parameters, Shape } from "./parameters.ts";
import { noSuch, StripeRefusal } from "./refusal.ts";
import {
  CHECKOUT_SHAPE,
  createPortal,
  createSession,
  expireSession,
  PORTAL_SHAPE,
  shownSession,
} from "./sessions.ts";
import { cancelSubscription, retrieveSubscription } from "./subscriptions.ts";

export interface Operation {
  readonly method: "GET" | "POST" | "DELETE";
  readonly path: RegExp;
  readonly shape: Shape;
  readonly run: (account: Account, parameters: Parameters, id: string) => object;
}

const PAGE_SHAPE = {
  limit: "integer",
  starting_after: "text",
  created: { gte: "integer" },
} as const;

const EVENTS_KEPT_SECONDS = 30 * 86_400;
const ENDED = ["canceled", "incomplete_expired"];

export const OPERATIONS: readonly Operation[] = [
  on("POST", "customers", CUSTOMER_SHAPE, (account, given) => createCustomer(account, given)),
  on("DELETE", "customers/:id", {}, (account, _, id) =>
    deleteCustomer(account, id, (customerId) => {
      for (const { id: subscription, customer, status } of account.subscriptions.values())
        if (customer === customerId && !ENDED.includes(status)) cancelSubscription(account, subscription);
    }),
  ),
  on("POST", "checkout/sessions", CHECKOUT_SHAPE, (account, given) =>
    shownSession(createSession(account, given)),
  ),
  on("GET", "checkout/sessions/:id", {}, (account, _, id) =>
    shownSession(held(account.sessions, "checkout.session", id)),
  ),
  on(
    "GET",
    "checkout/sessions",
    { ...PAGE_SHAPE, customer: "text", status: "text", subscription: "text" },
    (account, given) => {
      if (given.customer !== undefined) customerNamed(account, given.customer);
      const requested = [...account.sessions.values()].filter(({ customer, subscription, status }) =>
        agrees(given, { customer, subscription, status }),
      );
      const page = listOf("/v1/checkout/sessions", requested, given) as { data: Session[] };
      return { ...page, data: page.data.map(shownSession) };
    },
  ),
  on("POST", "checkout/sessions/:id/expire", {}, (account, _, id) =>
    shownSession(expireSession(account, held(account.sessions, "checkout.session", id))),
  ),
  on("POST", "billing_portal/sessions", PORTAL_SHAPE, (account, given) => createPortal(account, given)),
  on("GET", "subscriptions", { ...PAGE_SHAPE, customer: "text", status: "text" }, (account, given) => {
    if (given.customer !== undefined) customerNamed(account, given.customer);
    if (given.status !== "all")
      throw new StripeRefusal(400, "The simulation lists all statuses.", { param: "status" });
    const requested = [...account.subscriptions.values()].filter(({ customer }) =>
      agrees(given, { customer }),
    );
    return listOf("/v1/subscriptions", requested, given);
  }),
  on("GET", "subscriptions/:id", {}, (account, _, id) => retrieveSubscription(account, id)),
  on("DELETE", "subscriptions/:id", { invoice_now: "boolean", prorate: "boolean" }, (account, _, id) =>
    cancelSubscription(account, id),
  ),
  on(
    "GET",
    "invoices",
    { ...PAGE_SHAPE, customer: "text", subscription: "text", status: "text" },
    (account, given) => {
      const requested = [...account.invoices.values()].filter((invoice) => {
        const { customer, status } = invoice;
        return agrees(given, { customer, subscription: subscriptionOf(invoice), status });
      });
      return listOf("/v1/invoices", requested, given);
    },
  ),
  on("GET", "events", { ...PAGE_SHAPE, types: "texts" }, (account, given) => {
    const oldest = account.at() - EVENTS_KEPT_SECONDS;
    const requested = account.events.filter(
      ({ created, type }) => created >= oldest && given.types?.includes(type) !== false,
    );
    return listOf("/v1/events", requested, given);
  }),
];

function on(method: Operation["method"], path: string, shape: Shape, run: Operation["run"]): Operation {
  const pattern = path.replace(":id", "([A-Za-z0-9_]+)");
  return { method, path: new RegExp(`^/v1/${pattern}$`), shape, run };
}

/** Whether an object has the values that a list was limited to; a parameter that was not sent limits nothing. */
function agrees(given: Parameters, values: Readonly<Record<string, unknown>>): boolean {
  const wanted: Readonly<Record<string, unknown>> = given;
  return Object.entries(values).every(
    ([name, value]) => wanted[name] === undefined || wanted[name] === value,
  );
}

function held<T>(table: ReadonlyMap<string, T>, kind: string, id: string): T {
  const object = table.get(id);
  if (object === undefined) throw noSuch(kind, id, "id");
  return object;
}

interface Page {
  readonly limit?: number;
  readonly starting_after?: string;
  readonly created?: { readonly gte?: number };
}

interface Listed {
  readonly id: string;
  readonly created: number;
}

/** `oldestFirst` is in the order in which the objects came about. */
function listOf(url: string, oldestFirst: readonly Listed[], page: Page): object {
  const { gte = 0 } = page.created ?? {};
  const all = oldestFirst.filter(({ created }) => created >= gte).toReversed();
  const limit = Math.min(Math.max(page.limit ?? 10, 1), 100);
  const start =
    page.starting_after === undefined ? 0 : position(all, page.starting_after, "starting_after") + 1;
  const data = all.slice(start, start + limit);
  return { object: "list", data, has_more: start + limit < all.length, url };
}

function position(all: readonly Listed[], id: string, param: string): number {
  const found = all.findIndex((object) => object.id === id);
  if (found < 0) throw noSuch("object", id, param);
  return found;
}
