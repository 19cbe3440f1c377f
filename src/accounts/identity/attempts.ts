/** Counts one attempt at a limited action, such as signing in, or refuses it with the time to wait. */

import { Failure } from "#domain/faults/errors.ts";
import { networksOf } from "#domain/net/address.ts";
import type { Instant } from "#domain/time/day.ts";
import type { Attempts, Gate } from "#ports/counters.ts";

/** The gates for attempts from an address: its own, and that of the network around it. */
export function gatesFrom(
  limit: "sign-in from" | "sign-up from" | "mail from" | "link from" | "checkout from",
  address: string,
): readonly [Gate, Gate] {
  const { narrow, wide } = networksOf(address);
  return [
    { limit, key: narrow },
    { limit: `${limit} network`, key: wide },
  ];
}

/** Failure `rate_limited` where a gate is closed; otherwise the attempt is counted at each of them. */
export async function attempt(attempts: Attempts, now: Instant, gates: readonly Gate[]): Promise<void> {
  const wait = await attempts.take(gates, now);
  if (wait === 0) return;
  const retryAfterSeconds = Math.ceil(wait / 1000);
  const reason = `too many attempts from this address, its network, or for this account; wait ${retryAfterSeconds} s`;
  throw new Failure("rate_limited", { reason, retryAfterSeconds });
}
