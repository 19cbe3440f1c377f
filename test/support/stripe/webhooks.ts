/** Sends events to the endpoint, signed as Stripe signs them at each attempt. */

import { createHmac } from "node:crypto";
import type { Instant } from "#domain/time/day.ts";
import type { Event } from "./account.ts";

interface WebhookEndpoint {
  readonly url: string;
  /** whsec_…; two while one is being replaced: every delivery then carries two signatures. */
  readonly secrets: readonly string[];
}

const DEADLINE_MILLISECONDS = 10_000;

export function newWebhooks(now: () => Instant) {
  let target: WebhookEndpoint | null = null;
  const inFlight = new Set<Promise<unknown>>();

  /** Delivers any event now, even if it was delivered before. One that fails is not tried again. */
  const deliver = async (event: Event): Promise<void> => {
    if (target === null) return;
    const body = JSON.stringify(event, null, 2);
    const signature = signatureOf(body, target.secrets, Math.floor(now() / 1000));
    await fetch(target.url, {
      method: "POST",
      headers: { "content-type": "application/json; charset=utf-8", "stripe-signature": signature },
      body,
      redirect: "manual",
      signal: AbortSignal.timeout(DEADLINE_MILLISECONDS),
    }).then(
      (answer) => answer.body?.cancel(),
      () => {},
    );
  };
  return {
    sendEvent: (event: Event): void => {
      const sending: Promise<unknown> = deliver(event).then(() => inFlight.delete(sending));
      inFlight.add(sending);
    },
    webhooks: {
      /** From now on. */
      endpoint(endpoint: WebhookEndpoint): void {
        target = endpoint;
      },
      /** Resolves once every delivery has ended. */
      async settled(): Promise<void> {
        while (inFlight.size > 0) await Promise.all(inFlight);
      },
      deliver,
    },
  };
}

/** `t=<unix seconds>,v1=<hex>[,v1=<hex>]`: HMAC-SHA256 of `<t>.<body>`, keyed with the secret as it is written. */
export function signatureOf(body: string, secrets: readonly string[], second: number): string {
  const signed = secrets.map((secret) => {
    return `v1=${createHmac("sha256", secret).update(`${second}.${body}`).digest("hex")}`;
  });
  return [`t=${second}`, ...signed].join(",");
}
