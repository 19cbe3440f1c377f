/**
 * The simulated Stripe: one local server with the API, as far as the product asks it, and the hosted pages. It can be out of
 * order. Names of parameters are checked by the types of the SDK, not here.
 */

import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { Instant } from "#domain/time/day.ts";
import { endsWithFile } from "#test/support/at-end.ts";
import {
  type Account,
  cancel,
  catchUp,
  createCustomer,
  createPortal,
  createSession,
  deleteCustomer,
  expire,
  manage,
  newAccount,
  newId,
  openInvoices,
  pay,
  subscriptionsOf,
} from "./account.ts";
import { CATALOG } from "./catalog.ts";
import { newWebhooks } from "./webhooks.ts";

export interface Outage {
  /**
   * `error`: 500 with Stripe's envelope. `garbage`: 200 with a web page. `hang`: no answer.
   * `reset`: the connection is cut. `half`: it is cut in the middle of the answer.
   */
  readonly kind: "error" | "garbage" | "hang" | "reset" | "half";
  /** `after`: the request was carried out and only its answer is lost. `before` unless given. */
  readonly when?: "before" | "after";
  /** How many requests meet it; all of them unless given. */
  readonly times?: number;
  /** Only paths that begin so; all of the API unless given. */
  readonly path?: string;
}

interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const SECRET_KEY = "sk_test_simulated00000000000000";

/** `now` is the clock of renewals, events and signatures; the product should have the same one. */
export async function startStripe({ now }: { readonly now: () => Instant }) {
  const { webhooks, sendEvent } = newWebhooks(now);
  const account = newAccount(now, sendEvent);
  /** By idempotency key the request and its answer, for ever. */
  const answered = new Map<string, { readonly request: string; readonly body: string | Refusal }>();
  const seen: { line: string; headers: Headers }[] = [];
  let outage: { readonly facts: Outage; left: number } | null = null;
  let before: (line: string, parameters: URLSearchParams) => Promise<void> = async () => {};

  const meet = (path: string): Outage | null => {
    if (outage === null || outage.left <= 0 || !path.startsWith(outage.facts.path ?? "/")) return null;
    outage.left--;
    return outage.facts;
  };
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await text(request);
    const { pathname: path, searchParams } = new URL(request.url ?? "/", account.base);
    const headers = new Headers(request.headers as Record<string, string>);
    const method = request.method ?? "GET";
    catchUp(account);
    if (!path.startsWith("/v1/")) return send(response, page(account, path, method, body));
    seen.push({ line: `${method} ${path}`, headers });
    const met = meet(path);
    if (met !== null && met.when !== "after") return fail(response, met.kind);
    const parameters = method === "GET" ? searchParams : new URLSearchParams(body);
    const reply = await answer(`${method} ${path}`, parameters, headers);
    if (met !== null) fail(response, met.kind);
    else send(response, reply);
  };
  const answer = async (line: string, parameters: URLSearchParams, headers: Headers): Promise<Reply> => {
    const common = { "content-type": "application/json", "request-id": newId("req", 14) };
    try {
      if (headers.get("authorization") !== `Bearer ${SECRET_KEY}`)
        throw new Refusal(401, "Invalid API Key provided: sk_test_************1234");
      await before(line, parameters);
      return { status: 200, headers: common, body: performedOnce(line, parameters, headers) };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const key = headers.get("idempotency-key");
      // Stripe repeats its own failures too.
      if (key !== null && error.status >= 500)
        answered.set(key, { request: `${line}\n${parameters}`, body: error });
      return { status: error.status, headers: common, body: JSON.stringify(error.envelope()) };
    }
  };
  /** The first answer is repeated for the same request, another request under the same key is refused. */
  const performedOnce = (line: string, parameters: URLSearchParams, headers: Headers): string => {
    const key = headers.get("idempotency-key");
    const request = `${line}\n${parameters}`;
    const stored = answered.get(key ?? "");
    if (stored !== undefined && stored.request !== request)
      throw new Refusal(
        400,
        `Keys for idempotent requests can only be used with the same parameters: ${key}`,
        {
          type: "idempotency_error",
        },
      );
    if (stored?.body instanceof Refusal) throw stored.body;
    const body = stored?.body ?? JSON.stringify(perform(account, line, parameters));
    if (key !== null && line.startsWith("POST")) answered.set(key, { request, body });
    return body;
  };

  const server = createServer((request, response) => {
    void serve(request, response).catch((error) => {
      send(response, { status: 500, headers: { "content-type": "text/plain" }, body: String(error) });
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  account.base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    /** `http://127.0.0.1:<port>`: what STRIPE_API_BASE is set to. */
    base: account.base,
    secretKey: SECRET_KEY,
    account,
    webhooks,
    /** Does what the clock has made due: renewals, retries, ends. Every request does so first. */
    catchUp: () => catchUp(account),
    outage(facts: Outage) {
      outage = { facts, left: facts.times ?? Number.POSITIVE_INFINITY };
    },
    recover() {
      outage = null;
    },
    /** Does something first at each request; the Refusal that it throws is the answer. */
    before(work: typeof before) {
      before = work;
    },
    /** The API requests so far, oldest first; `line` is `METHOD /path`. */
    requests: () => seen,
    stop: endsWithFile(async () => {
      server.closeAllConnections();
      server.close();
      await webhooks.settled();
    }),
  };
}

function send(response: ServerResponse, { status, headers, body }: Reply): void {
  response.writeHead(status, headers);
  response.end(body);
}

function fail(response: ServerResponse, kind: Outage["kind"]): void {
  const cut = () => response.socket?.destroy();
  if (kind === "hang") return;
  if (kind === "reset") return void cut();
  const error = new Refusal(500, "An unknown error occurred.", { type: "api_error" });
  const body = JSON.stringify(error.envelope());
  const headers = { "content-type": "application/json", "content-length": String(body.length) };
  if (kind === "error") send(response, { status: error.status, headers, body });
  else if (kind === "half") response.writeHead(200, headers).write(body.slice(0, 10), cut);
  else
    send(response, { status: 200, headers: { "content-type": "text/html" }, body: "<h1>Unavailable</h1>" });
}

interface RefusalFacts {
  readonly type?: "invalid_request_error" | "idempotency_error" | "api_error";
  readonly code?: string;
  readonly param?: string;
}

export class Refusal extends Error {
  readonly status: number;
  readonly facts: RefusalFacts;

  constructor(status: number, message: string, facts: RefusalFacts = {}) {
    super(message);
    this.status = status;
    this.facts = facts;
  }

  envelope(): object {
    return { error: { type: "invalid_request_error", ...this.facts, message: this.message } };
  }
}

/** 404 for the address itself, 400 for something named in the parameters. */
function noSuch(kind: string, id: string, param: string, more = ""): Refusal {
  const facts = { code: "resource_missing", param };
  return new Refusal(param === "id" ? 404 : 400, `No such ${kind}: '${id}'${more}`, facts);
}

type Operation = (account: Account, given: URLSearchParams, id: string) => object;

const OPERATIONS: Readonly<Record<string, Operation>> = {
  "POST customers": (account, given) => createCustomer(account, given.get("email"), metadataIn(given, "")),
  "DELETE customers/:id": (account, _, id) => deleteCustomer(account, customerNamed(account, id, "id")),
  "POST checkout/sessions": (account, given) =>
    createSession(account, {
      price: priceNamed(given.get("line_items[0][price]") ?? ""),
      customer: customerIn(account, given),
      metadata: metadataIn(given, "subscription_data"),
      client_reference_id: given.get("client_reference_id"),
      success_url: given.get("success_url") ?? "",
      cancel_url: given.get("cancel_url"),
    }),
  "GET checkout/sessions": (account, given) => {
    const [customer, status] = [customerIn(account, given), given.get("status")];
    const sessions = [...account.sessions.values()];
    return listOf(
      sessions.filter((session) => session.customer === customer && session.status === status),
      given,
    );
  },
  "GET checkout/sessions/:id": (account, _, id) => named(account.sessions, "checkout.session", id),
  "POST checkout/sessions/:id/expire": (account, _, id) => {
    const session = named(account.sessions, "checkout.session", id);
    if (session.status !== "open")
      throw new Refusal(400, `Only open Checkout Sessions can be expired, and this is ${session.status}.`);
    return expire(account, session);
  },
  "POST billing_portal/sessions": (account, given) =>
    createPortal(account, customerIn(account, given), given.get("return_url")),
  "GET subscriptions": (account, given) =>
    listOf(
      // Ended ones come only where all are wanted.
      subscriptionsOf(account, customerIn(account, given)).filter(
        ({ status }) => status !== "canceled" || given.get("status") === "all",
      ),
      given,
    ),
  "GET subscriptions/:id": (account, _, id) => subscriptionNamed(account, id),
  "DELETE subscriptions/:id": (account, _, id) => {
    const subscription = subscriptionNamed(account, id);
    // A canceled one is not there for a second cancellation.
    if (subscription.status === "canceled") throw noSuch("subscription", id, "id");
    return cancel(account, subscription);
  },
  "GET prices/:id": (_, __, id) => priceNamed(id, "id"),
  "GET invoices": (account, given) =>
    listOf(openInvoices(account, { id: given.get("subscription") ?? "" }), given),
};

/** `line` is `METHOD /v1/…`. */
function perform(account: Account, line: string, given: URLSearchParams): object {
  const [, id = ""] = /\/((?:cus|cs|sub|price)_\w+)/.exec(line) ?? [];
  const operation = OPERATIONS[line.replace("/v1/", "").replace(`/${id}`, id === "" ? "/" : "/:id")];
  if (operation === undefined) throw new Refusal(404, `Unrecognized request URL (${line}).`);
  return operation(account, given, id);
}

function metadataIn(given: URLSearchParams, part: string): Record<string, string> {
  const orgId = given.get(part === "" ? "metadata[org_id]" : `${part}[metadata][org_id]`);
  return orgId === null ? {} : { org_id: orgId };
}

function customerIn(account: Account, given: URLSearchParams): string {
  return customerNamed(account, given.get("customer") ?? "", "customer").id;
}

function customerNamed(account: Account, id: string, param: "customer" | "id") {
  const customer = account.customers.get(id);
  if (customer === undefined || customer.deleted) throw noSuch("customer", id, param);
  return customer;
}

function subscriptionNamed(account: Account, id: string) {
  const more = "; a similar object exists in live mode, but a test mode key was used to make this request.";
  if (account.liveOnly.has(id)) throw noSuch("subscription", id, "id", more);
  return named(account.subscriptions, "subscription", id);
}

function priceNamed(id: string, param = "line_items[0][price]") {
  const price = CATALOG.find((one) => one.id === id);
  if (price === undefined) throw noSuch("price", id, param);
  return price;
}

function named<T>(table: ReadonlyMap<string, T>, kind: string, id: string): T {
  const object = table.get(id);
  if (object === undefined) throw noSuch(kind, id, "id");
  return object;
}

/** A page of the newest first; `oldestFirst` is in the order in which the objects came about. */
function listOf(oldestFirst: readonly { readonly id: string }[], given: URLSearchParams): object {
  const all = oldestFirst.toReversed();
  const start = all.findIndex(({ id }) => id === given.get("starting_after")) + 1;
  const end = start + Number(given.get("limit"));
  return { object: "list", data: all.slice(start, end), has_more: end < all.length };
}

const PAY =
  '<!DOCTYPE html><form method="post"><button name="action" value="pay">Pay and subscribe</button></form>';

/** The hosted pages, checkout and portal, and what their buttons do: a POST with an `action`. */
function page(account: Account, path: string, method: string, body: string): Reply {
  const action = method === "POST" ? new URLSearchParams(body).get("action") : null;
  const id = path.split("/").at(-1) ?? "";
  const session = account.sessions.get(id);
  const portal = account.portals.get(id);
  const html = (status: number, content: string): Reply => {
    return { status, headers: { "content-type": "text/html; charset=utf-8" }, body: content };
  };
  if (portal !== undefined) {
    if (action !== null) manage(account, portal.customer, action);
    return html(200, "Your subscription");
  }
  if (session === undefined) return html(path === "/favicon.ico" ? 204 : 404, "");
  if (session.status === "complete") return html(200, "This is paid");
  if (session.status === "expired") return html(410, "This checkout has expired");
  if (action !== "pay") return html(200, PAY);
  pay(account, session);
  const location = session.success_url.replaceAll("{CHECKOUT_SESSION_ID}", session.id);
  return { status: 303, headers: { location }, body: "" };
}
