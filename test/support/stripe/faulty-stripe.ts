/** The simulated Stripe with the ways in which it can be out of order: failing requests, and events late, doubled or lost. */

import type { ServerResponse } from "node:http";
import type { Event } from "./objects.ts";
import { StripeRefusal } from "./refusal.ts";
import { type StripeSimulator, type StripeSimulatorOptions, startStripeSimulator } from "./server.ts";
import type { Webhooks } from "./webhooks.ts";

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

export interface Release {
  /** How the held events are put in order; as they came about unless given. */
  readonly order?: (events: readonly Event[]) => readonly Event[];
  /** How often each is delivered; 0 drops it. One unless given. */
  readonly copies?: (event: Event) => number;
}

export interface FaultyStripe extends StripeSimulator {
  readonly webhooks: Webhooks & {
    /** Events wait until they are released. */
    hold(): void;
    held(): readonly Event[];
    /** Delivers what was held, one after the other, and later events at once; resolves with the statuses. */
    release(how?: Release): Promise<readonly (number | "failed")[]>;
  };
  outage(outage: Outage): void;
  recover(): void;
  /** The API requests so far, oldest first; `line` is `METHOD /path`. */
  requests(): readonly { readonly line: string; readonly headers: Headers; readonly body: string }[];
}

export async function startFaultyStripe(options: StripeSimulatorOptions): Promise<FaultyStripe> {
  const seen: { line: string; headers: Headers; body: string }[] = [];
  let outage: { facts: Outage; left: number } | null = null;
  let waiting: Event[] | null = null;

  const meet = (path: string): Outage | null => {
    if (outage === null || outage.left <= 0 || !path.startsWith(outage.facts.path ?? "/")) return null;
    outage.left--;
    return outage.facts;
  };
  const stripe = await startStripeSimulator({
    ...options,
    respond({ request: { method, path, headers, body }, response, perform }) {
      seen.push({ line: `${method} ${path}`, headers, body });
      const met = meet(path);
      if (met !== null && met.when !== "after") return fail(response, met.kind);
      const reply = perform();
      if (met !== null) return fail(response, met.kind);
      response.writeHead(reply.status, reply.headers);
      response.end(reply.body);
    },
    dispatch(event, send) {
      if (waiting === null) send(event);
      else waiting.push(event);
    },
  });
  const { webhooks } = stripe;
  return {
    ...stripe,
    webhooks: {
      ...webhooks,
      hold() {
        waiting ??= [];
      },
      held: () => waiting ?? [],
      async release({ order = (events: readonly Event[]) => events, copies = () => 1 } = {}) {
        const events = order(waiting ?? []);
        waiting = null;
        const statuses: (number | "failed")[] = [];
        for (const event of events)
          for (let copy = copies(event); copy > 0; copy--) statuses.push(await webhooks.deliver(event));
        return statuses;
      },
    },
    outage(facts) {
      outage = { facts, left: facts.times ?? Number.POSITIVE_INFINITY };
    },
    recover() {
      outage = null;
    },
    requests: () => seen,
  };
}

function fail(response: ServerResponse, kind: Outage["kind"]): void {
  if (kind === "hang") return;
  const cut = () => response.socket?.destroy();
  if (kind === "reset") return void cut();
  const { status, type, body } = failureOf(kind);
  if (kind === "half") {
    response.writeHead(200, { "content-type": type, "content-length": String(body.length) });
    response.write(body.slice(0, 10), cut);
    return;
  }
  response.writeHead(status, { "content-type": type });
  response.end(body);
}

function failureOf(kind: Outage["kind"]): { status: number; type: string; body: string } {
  if (kind === "garbage") {
    const body = "<!DOCTYPE html><h1>Service temporarily unavailable</h1>";
    return { status: 200, type: "text/html", body };
  }
  const refusal = new StripeRefusal(500, "An unknown error occurred.", { type: "api_error" });
  const body = JSON.stringify(refusal.body("req_00000000000000"));
  return { status: refusal.status, type: "application/json", body };
}
