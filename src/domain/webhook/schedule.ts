/** What becomes of a delivery after an attempt: done, tried again later, or given up. */

import type { Random } from "#domain/account/key-format.ts";
import type { Instant } from "#domain/time/day.ts";
import type { AttemptOutcome } from "./endpoint.ts";
import { MOST_JITTER, RETRY_SECONDS } from "./rules.ts";

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
