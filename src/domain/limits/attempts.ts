/** Limits of actions that are not calls of a plan: sign-ins, mails, checkouts, new keys. */

import type { Instant } from "#domain/time/day.ts";
import { type Cell, occupied, waitFor } from "./counts.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

export interface AttemptLimit {
  readonly most: number;
  /** The sliding window. */
  readonly milliseconds: number;
}

/**
 * By what is tried and whose it is. An account that is signed in to is an e-mail address as sent, known here or not, so
 * that being refused says nothing about it. An address may be an office's: it gets more than a person needs. A network is an
 * IPv4 /24 or an IPv6 /56, all of which one customer can have: together it gets what five addresses get.
 */
export const ATTEMPT_LIMITS = {
  "sign-in from": { most: 60, milliseconds: 15 * MINUTE },
  "sign-in from network": { most: 300, milliseconds: 15 * MINUTE },
  "sign-in to": { most: 10, milliseconds: 15 * MINUTE },
  // Of a browser that signed in before: few, because its cookie may be stolen.
  "sign-in by device": { most: 5, milliseconds: 15 * MINUTE },
  "sign-up from": { most: 20, milliseconds: HOUR },
  "sign-up from network": { most: 100, milliseconds: HOUR },
  "mail from": { most: 20, milliseconds: HOUR },
  "mail from network": { most: 100, milliseconds: HOUR },
  "mail to": { most: 5, milliseconds: HOUR },
  "link from": { most: 60, milliseconds: 15 * MINUTE },
  "link from network": { most: 300, milliseconds: 15 * MINUTE },
  // Each asks the payment provider, whose own limits are for all customers together.
  "checkout from": { most: 30, milliseconds: 15 * MINUTE },
  "checkout from network": { most: 150, milliseconds: 15 * MINUTE },
  "checkout of": { most: 10, milliseconds: 15 * MINUTE },
  // Clients are documented to repeat it; after a revocation it makes a key.
  "provision of": { most: 100, milliseconds: HOUR },
  // Each adds a permanent row and ends a key: a stolen session must not do that often.
  "rotation of": { most: 30, milliseconds: HOUR },
  // Each version leaves a row that outlives the account.
  "consent of": { most: 30, milliseconds: HOUR },
  // Each writes an audit entry that outlives the endpoint.
  "webhook change of": { most: 60, milliseconds: HOUR },
  // Each sends a request, and its retries, to an address that the owner chose.
  "webhook test of": { most: 30, milliseconds: HOUR },
  "webhook replay of": { most: 120, milliseconds: HOUR },
} as const satisfies Readonly<Record<string, AttemptLimit>>;

/** Milliseconds until one more attempt passes, 0 when it does now. `cell` must be rolled to `now`. */
export function attemptWait(cell: Cell, { most, milliseconds }: AttemptLimit, now: Instant): number {
  const fits = occupied(cell, milliseconds, now) + 1 <= most;
  return fits ? 0 : Math.max(1, waitFor(cell, milliseconds, most, 1, now));
}
