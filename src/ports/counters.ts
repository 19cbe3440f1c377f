/** The port of limits and quotas: who may call how often, counted in this process or shared by all replicas. */

import type { Caller } from "#domain/limits/caller.ts";
import type { Granted, Taken } from "#domain/limits/taken.ts";
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
