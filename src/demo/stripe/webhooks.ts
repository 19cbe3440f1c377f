/** Events on their way to the endpoint: signed at each attempt as Stripe signs them, delivered in no promised order. */

import { createHmac } from "node:crypto";
import type { Instant } from "#domain/time/day.ts";
import type { Event } from "./objects.ts";

export interface WebhookEndpoint {
  readonly url: string;
  /** whsec_…; two while one is being replaced: every delivery then carries two signatures. */
  readonly secrets: readonly string[];
}

export interface Release {
  /** How the held events are put in order; as they came about unless given. */
  readonly order?: (events: readonly Event[]) => readonly Event[];
  /** How often each is delivered; 0 drops it. One unless given. */
  readonly copies?: (event: Event) => number;
}

export interface Webhooks {
  /** From now on; null delivers nothing. Events that happened without an endpoint are in `GET /v1/events` only. */
  endpoint(endpoint: WebhookEndpoint | null): void;
  /** Events wait until they are released. */
  hold(): void;
  held(): readonly Event[];
  /** Delivers what was held, one after the other, and from then on everything at once again; resolves with the statuses. */
  release(how?: Release): Promise<readonly (number | "failed")[]>;
  /** Resolves once no delivery is under way; those that failed wait for their next attempt. */
  settled(): Promise<void>;
  /** One delivery now, of any event, whatever happened to it before. */
  deliver(event: Event): Promise<number | "failed">;
}

const DEADLINE_MILLISECONDS = 10_000;
const MOST_ATTEMPTS = 8;

/** `again` asks for a next attempt after a failed one: a demo takes a timer, a test nothing. */
export function newWebhooks(
  now: () => Instant,
  again: (retry: () => void, attempt: number) => void,
): { readonly webhooks: Webhooks; readonly heard: (event: Event) => void } {
  let target: WebhookEndpoint | null = null;
  let waiting: Event[] | null = null;
  const underWay = new Set<Promise<unknown>>();

  return {
    heard(event) {
      if (waiting !== null) waiting.push(event);
      else if (target !== null) send(event, 1);
    },
    webhooks: {
      endpoint(endpoint) {
        target = endpoint;
      },
      hold() {
        waiting ??= [];
      },
      held: () => waiting ?? [],
      async release({ order = (events: readonly Event[]) => events, copies = () => 1 } = {}) {
        const events = order(waiting ?? []);
        waiting = null;
        const statuses: (number | "failed")[] = [];
        for (const event of events)
          for (let copy = copies(event); copy > 0; copy--) statuses.push(await attemptOf(event));
        return statuses;
      },
      async settled() {
        while (underWay.size > 0) await Promise.all(underWay);
      },
      deliver: attemptOf,
    },
  };

  function send(event: Event, attempt: number): void {
    const sending = attemptOf(event).then((status) => {
      underWay.delete(sending);
      if (typeof status === "number" && status < 300) event.pending_webhooks = 0;
      else if (attempt < MOST_ATTEMPTS) again(() => send(event, attempt + 1), attempt);
    });
    underWay.add(sending);
  }

  async function attemptOf(event: Event): Promise<number | "failed"> {
    if (target === null) return "failed";
    const body = JSON.stringify(event, null, 2);
    try {
      const response = await fetch(target.url, {
        method: "POST",
        headers: {
          "content-type": "application/json; charset=utf-8",
          "stripe-signature": signatureOf(body, target.secrets, Math.floor(now() / 1000)),
          "user-agent": "Stripe/1.0 (+https://stripe.com/docs/webhooks)",
        },
        body,
        redirect: "manual",
        signal: AbortSignal.timeout(DEADLINE_MILLISECONDS),
      });
      await response.body?.cancel();
      return response.status;
    } catch {
      return "failed";
    }
  }
}

/** `t=<unix seconds>,v1=<hex>[,v1=<hex>]`: HMAC-SHA256 of `<t>.<body>`, keyed with the secret as it is written. */
export function signatureOf(body: string, secrets: readonly string[], second: number): string {
  const signed = secrets.map((secret) => {
    return `v1=${createHmac("sha256", secret).update(`${second}.${body}`).digest("hex")}`;
  });
  return [`t=${second}`, ...signed].join(",");
}
