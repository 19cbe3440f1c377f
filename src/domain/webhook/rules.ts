/** The constants of webhooks that owners and receivers rely on. */

import type { Random } from "#domain/account/key-format.ts";
import type { Instant } from "#domain/time/day.ts";
import type { AttemptOutcome } from "./endpoint.ts";

/** Characters, of the address as given and of its normal form. */
export const LONGEST_URL = 2048;
/** Characters. */
export const LONGEST_DESCRIPTION = 200;

/** Seconds from one failure to the next attempt: after the first failure, the second, and so on. */
export const RETRY_SECONDS = [60, 300, 1800, 7200, 21_600] as const;
/** A wait may be longer by up to this part of it, never shorter, so that what failed together does not come back together. */
export const MOST_JITTER = 0.1;

/** From the look-up of the name to the end of the response's headers. */
export const ATTEMPT_MILLISECONDS = 10_000;
/** How often a worker that holds claims sends a heartbeat. */
export const BEAT_MILLISECONDS = 1_000;
/** A worker that has been silent for so long loses its claims, by the ledger's clock. */
export const DEAD_MILLISECONDS = 4_000;
/** Attempts at one endpoint at a time: a slow receiver delays no other one. */
export const MOST_AT_ONCE = 2;

/** By how much a signature's time may differ from the receiver's clock, either way. */
export const TOLERANCE_SECONDS = 300;

/** Deliveries in a list: without a question for more, and at most. */
export const DEFAULT_DELIVERIES = 25;
export const MOST_DELIVERIES = 100;

export const CONTENT_TYPE = "application/json";
export const USER_AGENT = "webhook-delivery/1";
export const SIGNATURE_HEADER = "Webhook-Signature";

/** Any 2xx; every other status is a failure like any other, 410 and redirects among them. */
export function outcomeIsSuccess({ status }: Pick<AttemptOutcome, "status">): boolean {
  return status !== null && status >= 200 && status <= 299;
}

/**
 * When to try again after a failure; null after the last. `attempts` counts those that ended, this failure among them.
 * The wait of the schedule, lengthened by chance up to a tenth, counted from `failedAt`.
 */
export function nextAttempt(attempts: number, failedAt: Instant, random: Random): Instant | null {
  const seconds = RETRY_SECONDS[attempts - 1];
  if (seconds === undefined) return null;
  const milliseconds = seconds * 1000;
  return failedAt + milliseconds + Math.floor(milliseconds * MOST_JITTER * fraction(random));
}

/** In [0, 1). */
function fraction(random: Random): number {
  return random(4).reduce((sum, byte) => sum * 256 + byte, 0) / 2 ** 32;
}
