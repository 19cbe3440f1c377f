/** What is counted and passed on about callers, in this process or shared by all replicas: limits and quotas, attempts, ended keys. Types only. */

import type { ATTEMPT_LIMITS } from "#domain/limits/attempts.ts";
import type { Caller } from "#domain/limits/caller.ts";
import type { Granted, Taken } from "#domain/limits/quota-status.ts";
import type { Day, Instant } from "#domain/time/day.ts";

export interface Counters {
  /**
   * Charges `cost` calls to every window of the caller at once, or to none of them. A whole number; 0 charges nothing and
   * only returns the quota status. Answers without a promise whenever it can: check before awaiting. Never rejects for a
   * store that is out of reach: what that means for the caller is in the outcome.
   */
  take(caller: Caller, cost: number): Taken | Promise<Taken>;
  /** Gives the calls of a granted outcome back; at most once for each. Never fails; at worst the caller has paid for them. */
  refund(caller: Caller, granted: Granted): void;
  state(): CountersState;
  /** Gives unspent leases back; after this everything is unavailable. */
  close(): Promise<void>;
}

export interface CountersState {
  readonly kind: "memory" | "redis";
  /** degraded: replicas do not see each other's calls, each grants its share. */
  readonly status: "ok" | "degraded";
  /** One sentence for an operator; null when there is nothing to say. */
  readonly detail: string | null;
  /** When the shared store last answered; null when it never has, or when there is none. */
  readonly lastSeenAt: Instant | null;
  /** Callers with a record in this process, and calls that had to share one because the table was full. */
  readonly callers: number;
  readonly crowded: number;
}

/**
 * Calls of an identity in the month whose first day is given, those of organizations that it has deleted too: what the
 * ledger has, and what this process has served and not flushed yet. May reject; is called rarely: when the identity's
 * month is not counted yet, when Redis is away, or for the account's own page.
 */
export type MonthUsed = (ownerId: string, month: Day) => Promise<number>;

export interface Gate {
  readonly limit: keyof typeof ATTEMPT_LIMITS;
  /** A client address, a normalized e-mail, or the id of a person, an organization or a session. */
  readonly key: string;
}

/** How often something was tried. */
export interface Attempts {
  /**
   * Counts one attempt at every gate, or at none: then the milliseconds until the same attempt would pass; 0 when it passed.
   * A store may go by its own clock instead of `now`. Never rejects: a store out of reach makes the limits narrower.
   */
  take(gates: readonly Gate[], now: Instant): number | Promise<number>;
  /** Forgets what was counted at a gate. Never rejects. */
  clear(gate: Gate): void | Promise<void>;
}

/** News that API keys have changed: for the cache of this process and those of other replicas. */
export interface KeyNews {
  /**
   * Ids of keys that no longer work, that have begun their grace, or whose organization or owner has changed: another plan,
   * suspended, admitted again. Called after the ledger has it. Never fails and is not waited for: a process that misses it
   * reads the key again within seconds.
   */
  ended(keyIds: readonly string[]): void;
}
