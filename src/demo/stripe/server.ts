/** The simulated Stripe: one local server with the API, the hosted pages, and the events it sends. */

import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Instant } from "#domain/time/day.ts";
import { newAccount, restore, saved } from "./account.ts";
import { type Api, type ApiRequest, answerApi, IdempotencyKeys, type Reply } from "./api.ts";
import { catchUp } from "./lifecycle.ts";
import { checkoutPage, framed, portalPage } from "./pages.ts";
import { parseForm } from "./parameters.ts";
import { type Dispatch, newWebhooks, type WebhookEndpoint } from "./webhooks.ts";

/** One request to the API, before anything is done about it. */
interface ApiExchange {
  readonly request: ApiRequest;
  readonly response: ServerResponse;
  /** Carries the request out and gives the reply, unsent. */
  readonly perform: () => Reply;
}

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
  /** Answers an API request in place of the simulator, which sends the reply of `perform`. Tests simulate outages with it. */
  readonly respond?: (exchange: ApiExchange) => void;
  /** Decides when an event is sent; at once by default. */
  readonly dispatch?: Dispatch;
}

export type StripeSimulator = Awaited<ReturnType<typeof startStripeSimulator>>;

const DEMO_SECRET_KEY = "sk_test_simulated00000000000000";
const MOST_BYTES = 1_000_000;

export async function startStripeSimulator(options: StripeSimulatorOptions) {
  const { now, secretKey = DEMO_SECRET_KEY, port = 0, retryMilliseconds = null } = options;
  const { respond = ({ response, perform }) => send(response, perform()) } = options;
  const timers = new Set<ReturnType<typeof setTimeout>>();
  const retryLater = (retry: () => void, attempt: number) => {
    if (retryMilliseconds !== null) timers.add(setTimeout(retry, retryMilliseconds * attempt));
  };
  const { webhooks, sendEvent } = newWebhooks(now, retryLater, options.dispatch);
  const account = newAccount(now, sendEvent);
  const api: Api = { account, secretKey, keys: new IdempotencyKeys() };

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
    /** `http://127.0.0.1:<port>`: what STRIPE_API_BASE is set to. Pages: `/c/pay/<session>`, `/p/session/<portal>`. */
    base: account.base,
    secretKey,
    account,
    webhooks,
    /** Does what the clock has made due: renewals, retries, ends. Every request does so first. */
    catchUp: () => catchUp(account),
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
    const query = search.slice(1);
    const received: ApiRequest = { method, path, query, headers, body };
    respond({ request: received, response, perform: () => answerApi(api, received) });
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
