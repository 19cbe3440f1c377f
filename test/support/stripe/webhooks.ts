/** Sends events to the endpoint, signed as Stripe signs them at each attempt, in no guaranteed order. */

import { createHmac } from "node:crypto";
import type { Instant } from "#domain/time/day.ts";
import type { Event } from "./objects.ts";

export interface WebhookEndpoint {
  readonly url: string;
  /** whsec_…; two while one is being replaced: every delivery then carries two signatures. */
  readonly secrets: readonly string[];
}

/** Sends an event, or has it sent later by `send`. */
export type Dispatch = (event: Event, send: (event: Event) => void) => void;

export interface Webhooks {
  /** From now on; null delivers nothing. Events that happened without an endpoint are in `GET /v1/events` only. */
  endpoint(endpoint: WebhookEndpoint | null): void;
  /** Resolves once every delivery has ended. A failed one is not tried again. */
  settled(): Promise<void>;
  /** Delivers any event now, even if it was delivered before. */
  deliver(event: Event): Promise<number | "failed">;
}

const DEADLINE_MILLISECONDS = 10_000;

export function newWebhooks(
  now: () => Instant,
  dispatch: Dispatch = (event, sendNow) => sendNow(event),
): { readonly webhooks: Webhooks; readonly sendEvent: (event: Event) => void } {
  let target: WebhookEndpoint | null = null;
  const inFlight = new Set<Promise<unknown>>();

  return {
    sendEvent: (event) =>
      dispatch(event, (due) => {
        if (target !== null) send(due);
      }),
    webhooks: {
      endpoint(endpoint) {
        target = endpoint;
      },
      async settled() {
        while (inFlight.size > 0) await Promise.all(inFlight);
      },
      deliver: attemptOf,
    },
  };

  function send(event: Event): void {
    const sending = attemptOf(event).then((status) => {
      inFlight.delete(sending);
      if (typeof status === "number" && status < 300) event.pending_webhooks = 0;
    });
    inFlight.add(sending);
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
