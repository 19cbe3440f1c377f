/** The port of attempts: how often something was tried, in this process's memory or in a store that replicas share. Types only. */

import type { ATTEMPT_LIMITS } from "#domain/attempts/attempts.ts";
import type { Instant } from "#domain/time/day.ts";

export interface Gate {
  readonly limit: keyof typeof ATTEMPT_LIMITS;
  /** A client address, a normalized e-mail, or the id of a person, an organization or a session. */
  readonly key: string;
}

export interface Attempts {
  /**
   * Counts one attempt at every gate, or at none: then the milliseconds until the same attempt would pass; 0 when it passed.
   * A store may go by its own clock in place of `now`. Never rejects: a store out of reach makes the limits narrower.
   */
  take(gates: readonly Gate[], now: Instant): number | Promise<number>;
  /** Forgets what was counted at a gate. Never rejects. */
  clear(gate: Gate): void | Promise<void>;
}
