/** The simulated Stripe: one local server with the API, the hosted pages, and controls for tests and the demo. */

import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Instant } from "#domain/time/day.ts";
import { type Account, newAccount } from "./account.ts";
import { type Api, answerApi, type Reply } from "./api.ts";
import { checkoutPage } from "./checkout-page.ts";
import { parseForm } from "./form.ts";
import { IdempotencyKeys } from "./idempotency.ts";
import { catchUp } from "./life.ts";
import { type Outage, outageAnswer } from "./outage.ts";
import { framed } from "./page.ts";
import { portalPage } from "./portal-page.ts";
import { restore, saved } from "./snapshot.ts";
import { newWebhooks, type WebhookEndpoint, type Webhooks } from "./webhooks.ts";

export interface StripeSimulatorOptions {
  /** The clock of renewals, events and signatures; the product should have the same one. */
  readonly now: () => Instant;
  /** The only key that is accepted; sk_test_… */
  readonly secretKey?: string;
  readonly webhook?: WebhookEndpoint;
  /** 0, the default, takes any free port. */
  readonly port?: number;
  /** What `snapshot()` gave in an earlier run. */
  readonly snapshot?: string;
  /** Pause before a failed delivery is tried again, times the number of attempts; null, the default, never tries again. */
  readonly retryMilliseconds?: number | null;
}

export interface StripeSimulator {
  /** `http://127.0.0.1:<port>`: what STRIPE_API_BASE is set to. Pages: `/c/pay/<session>`, `/p/session/<portal>`. */
  readonly base: string;
  readonly secretKey: string;
  readonly account: Account;
  readonly webhooks: Webhooks;
  /** Does what the clock has made due: renewals, retries, ends. Every request does so first. */
  catchUp(): void;
  outage(outage: Outage): void;
  recover(): void;
  /** The latest API requests, oldest first, at most a thousand; `line` is `METHOD /path`. */
  requests(): readonly { readonly line: string; readonly headers: Headers; readonly body: string }[];
  snapshot(): string;
  stop(): Promise<void>;
}

export const DEMO_SECRET_KEY = "sk_test_simulated00000000000000";
const MOST_BYTES = 1_000_000;
const REMEMBERED = 1000;

export async function startStripeSimulator(options: StripeSimulatorOptions): Promise<StripeSimulator> {
  const { now, secretKey = DEMO_SECRET_KEY, port = 0, retryMilliseconds = null } = options;
  const timers = new Set<ReturnType<typeof setTimeout>>();
  const { webhooks, heard } = newWebhooks(now, (retry, attempt) => {
    if (retryMilliseconds !== null) timers.add(setTimeout(retry, retryMilliseconds * attempt));
  });
  const account = newAccount(now, heard);
  const api: Api = { account, secretKey, keys: new IdempotencyKeys() };
  const seen: { line: string; headers: Headers; body: string }[] = [];
  let outage: { facts: Outage; left: number } | null = null;

  const server = createServer((request, response) => {
    void serve(request, response).catch((error) => {
      send(response, { status: 500, headers: { "content-type": "text/plain" }, body: String(error) });
    });
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  account.base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  if (options.snapshot !== undefined) restore(account, options.snapshot);
  webhooks.endpoint(options.webhook ?? null);

  return {
    base: account.base,
    secretKey,
    account,
    webhooks,
    catchUp: () => catchUp(account),
    outage(facts) {
      outage = { facts, left: facts.times ?? Number.POSITIVE_INFINITY };
    },
    recover() {
      outage = null;
    },
    requests: () => seen,
    snapshot: () => saved(account),
    async stop() {
      for (const timer of timers) clearTimeout(timer);
      server.closeAllConnections();
      server.close();
      await webhooks.settled();
    },
  };

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await bodyOf(request);
    const { pathname: path, search } = new URL(request.url ?? "/", account.base);
    const headers = new Headers(request.headers as Record<string, string>);
    const method = request.method ?? "GET";
    catchUp(account);
    if (!path.startsWith("/v1/")) return send(response, hosted(method, path, body));
    seen.push({ line: `${method} ${path}`, headers, body });
    if (seen.length > REMEMBERED) seen.shift();
    const met = meet(path);
    if (met !== null && met.when !== "after") return fail(response, met.kind);
    const reply = answerApi(api, { method, path, query: search.slice(1), headers, body });
    if (met !== null) return fail(response, met.kind);
    send(response, reply);
  }

  function hosted(method: string, path: string, body: string): Reply {
    const [, room, kind, id = ""] = path.split("/");
    const action = method === "POST" ? String(parseForm(body)["action"] ?? "") : null;
    const page =
      room === "c" && kind === "pay"
        ? checkoutPage(account, id, action)
        : room === "p" && kind === "session"
          ? portalPage(account, id, action)
          : framed("Not found", "<h1>There is no such page</h1>", 404);
    if (typeof page === "string") return { status: 303, headers: { location: page }, body: "" };
    return { status: page.status, headers: PAGE_HEADERS, body: page.html };
  }

  function meet(path: string): Outage | null {
    if (outage === null || outage.left <= 0 || !path.startsWith(outage.facts.path ?? "/")) return null;
    outage.left--;
    return outage.facts;
  }

  function fail(response: ServerResponse, kind: Outage["kind"]): void {
    if (kind === "hang") return;
    const cut = () => response.socket?.destroy();
    const { status, type, body } = outageAnswer(kind, account.newId("req", 14));
    if (kind === "reset") cut();
    else if (kind === "half") {
      response.writeHead(200, { "content-type": type, "content-length": String(body.length) });
      response.write(body.slice(0, 10), cut);
    } else send(response, { status, headers: { "content-type": type }, body });
  }
}

const PAGE_HEADERS = {
  "content-type": "text/html; charset=utf-8",
  "cache-control": "no-store",
  "content-security-policy":
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'",
} as const;

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > MOST_BYTES) throw new Error("the request is too large");
    parts.push(part);
  }
  return Buffer.concat(parts).toString();
}

function send(response: ServerResponse, { status, headers, body }: Reply): void {
  response.writeHead(status, headers);
  response.end(body);
}
