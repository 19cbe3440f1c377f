/** The simulated Stripe: one local server with the API, the hosted pages, and the events it sends. */

import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Instant } from "#domain/time/day.ts";
import { newAccount } from "./account.ts";
import { type Api, type ApiRequest, answerApi, IdempotencyKeys, type Reply } from "./api.ts";
import { catchUp } from "./lifecycle.ts";
import { checkoutPage, page, portalPage } from "./pages.ts";
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
  /** Answers an API request in place of the simulator, which sends the reply of `perform`. Tests simulate outages with it. */
  readonly respond?: (exchange: ApiExchange) => void;
  /** Decides when an event is sent; at once by default. */
  readonly dispatch?: Dispatch;
}

export type StripeSimulator = Awaited<ReturnType<typeof startStripeSimulator>>;

const SECRET_KEY = "sk_test_simulated00000000000000";
const MOST_BYTES = 1_000_000;

export async function startStripeSimulator(options: StripeSimulatorOptions) {
  const { now, secretKey = SECRET_KEY } = options;
  const { respond = ({ response, perform }) => send(response, perform()) } = options;
  const { webhooks, sendEvent } = newWebhooks(now, options.dispatch);
  const account = newAccount(now, sendEvent);
  const api: Api = { account, secretKey, keys: new IdempotencyKeys() };

  const server = createServer((request, response) => {
    void serve(request, response).catch((error) => {
      send(response, { status: 500, headers: { "content-type": "text/plain" }, body: String(error) });
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  account.base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  webhooks.endpoint(options.webhook ?? null);

  return {
    /** `http://127.0.0.1:<port>`: what STRIPE_API_BASE is set to. Pages: `/c/pay/<session>`, `/p/session/<portal>`. */
    base: account.base,
    secretKey,
    account,
    webhooks,
    /** Does what the clock has made due: renewals, retries, ends. Every request does so first. */
    catchUp: () => catchUp(account),
    async stop() {
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
    if (room === "c" && kind === "pay") return checkoutPage(account, id, action);
    if (room === "p" && kind === "session") return portalPage(account, id, action);
    return path === "/favicon.ico" ? page("", 204) : page("There is no such page", 404);
  }
}

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
