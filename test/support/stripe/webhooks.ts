/** Sends events to the endpoint, signed as Stripe signs them at each attempt; late, doubled or lost as the test says. */

import { createHmac } from "node:crypto";
import type { Instant } from "#domain/time/day.ts";
import type { Event } from "./account.ts";

interface WebhookEndpoint {
  readonly url: string;
  /** whsec_…; two while one is being replaced: every delivery then carries two signatures. */
  readonly secrets: readonly string[];
}

interface Release {
  /** How the held events are put in order; as they came about unless given. */
  readonly order?: (events: readonly Event[]) => readonly Event[];
  /** How often each is delivered; 0 drops it. One unless given. */
  readonly copies?: (event: Event) => number;
}

const DEADLINE_MILLISECONDS = 10_000;

export function newWebhooks(now: () => Instant) {
  let target: WebhookEndpoint | null = null;
  let held: Event[] | null = null;
  const inFlight = new Set<Promise<unknown>>();

  /** Delivers any event now, even if it was delivered before. */
  const deliver = async (event: Event): Promise<number | "failed"> => {
    if (target === null) return "failed";
    const body = JSON.stringify(event, null, 2);
    const signature = signatureOf(body, target.secrets, Math.floor(now() / 1000));
    try {
      const response = await fetch(target.url, {
        method: "POST",
        headers: { "content-type": "application/json; charset=utf-8", "stripe-signature": signature },
        body,
        redirect: "manual",
        signal: AbortSignal.timeout(DEADLINE_MILLISECONDS),
      });
      await response.body?.cancel();
      return response.status;
    } catch {
      return "failed";
    }
  };
  return {
    sendEvent: (event: Event): void => {
      if (held !== null) return void held.push(event);
      const sending: Promise<unknown> = deliver(event).then(() => inFlight.delete(sending));
      inFlight.add(sending);
    },
    webhooks: {
      /** From now on; null delivers nothing. */
      endpoint(endpoint: WebhookEndpoint | null): void {
        target = endpoint;
      },
      /** Resolves once every delivery has ended. A failed one is not tried again. */
      async settled(): Promise<void> {
        while (inFlight.size > 0) await Promise.all(inFlight);
      },
      deliver,
      /** Events wait until they are released. */
      hold(): void {
        held ??= [];
      },
      /** Delivers what was held, one after the other, and later events at once; resolves with the statuses. */
      async release({ order = (events) => events, copies = () => 1 }: Release = {}) {
        const events = order(held ?? []);
        held = null;
        const statuses: (number | "failed")[] = [];
        for (const event of events)
          for (let copy = copies(event); copy > 0; copy--) statuses.push(await deliver(event));
        return statuses;
      },
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
