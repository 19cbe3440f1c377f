/** One more attempt at something that is limited by what is tried and by whom: counted, or refused with the time to wait. */

import type { Instant } from "#domain/day.ts";
import { Failure } from "#domain/errors.ts";
import type { Attempts, Gate } from "#ports/attempts.ts";

/** Failure `rate_limited` where a gate is closed; otherwise the attempt is counted at each of them. */
export async function attempt(attempts: Attempts, now: Instant, gates: readonly Gate[]): Promise<void> {
  const wait = await attempts.take(gates, now);
  if (wait === 0) return;
  const retryAfterSeconds = Math.ceil(wait / 1000);
  const reason = `too many attempts from this address or for this account; wait ${retryAfterSeconds} s`;
  throw new Failure("rate_limited", { reason, retryAfterSeconds });
}
