/** What became of attempts to deliver events, and of the deliveries. */

import type { Registry } from "prom-client";
import { ATTEMPT_FAULTS, type AttemptOutcome } from "#domain/webhook/endpoint.ts";
import type { Outbox } from "#ports/webhooks.ts";
import { boundedCounter } from "./bounded-counter.ts";

/** By the status that came, or the fault before one did. */
export const ATTEMPT_OUTCOMES = ["1xx", "2xx", "3xx", "4xx", "5xx", "other", ...ATTEMPT_FAULTS] as const;
/** retried: another attempt is to come. lost: the claim had run out and was taken over, or the endpoint is gone. */
export const DELIVERY_OUTCOMES = ["delivered", "retried", "failed", "lost"] as const;

const MILLISECONDS = 1000;

export function watchOutbox(registry: Registry): (outbox: Outbox) => Outbox {
  const attempts = boundedCounter(
    registry,
    "crossrate_webhook_attempts_total",
    "Attempts to deliver an event that ended, by the receiver's status or the fault before one came.",
    ["outcome"],
  );
  const seconds = boundedCounter(
    registry,
    "crossrate_webhook_attempt_seconds_total",
    "Time that these attempts took, in seconds.",
  );
  const deliveries = boundedCounter(
    registry,
    "crossrate_webhook_deliveries_total",
    "What attempts made of their deliveries.",
    ["outcome"],
  );
  return (outbox) => {
    for (const outcome of ATTEMPT_OUTCOMES) attempts.add({ outcome }, 0);
    for (const outcome of DELIVERY_OUTCOMES) deliveries.add({ outcome }, 0);
    seconds.add({}, 0);
    return {
      ...outbox,
      complete: async (delivery, outcome, next, at) => {
        const isNoted = await outbox.complete(delivery, outcome, next, at);
        attempts.add({ outcome: wordOf(outcome) });
        seconds.add({}, outcome.milliseconds / MILLISECONDS);
        const state = next.state === "pending" ? "retried" : next.state;
        deliveries.add({ outcome: isNoted ? state : "lost" });
        return isNoted;
      },
    };
  };
}

function wordOf({ status, fault }: AttemptOutcome): (typeof ATTEMPT_OUTCOMES)[number] {
  if (status === null) return fault ?? "other";
  return ATTEMPT_OUTCOMES.find((word) => word === `${Math.floor(status / 100)}xx`) ?? "other";
}
