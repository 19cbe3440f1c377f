/** The result of charging a call. HTTP turns it into headers, and into a refusal where the call is refused. */

import type { Instant } from "#domain/time/day.ts";
import type { Window } from "./caller.ts";

/** One window as the X-RateLimit headers show it: every figure is its own. */
export interface QuotaStatus {
  readonly window: Window;
  readonly limit: number;
  /** Calls that are left in this window. After a granted call no other window has fewer, so that they pass right now. */
  readonly remaining: number;
  /**
   * Unix seconds, of this window. After a granted call: from then on it has room for a call of the same cost even when all of
   * `remaining` are used now. After a refused one: from then on this very call passes, if no other call is made meanwhile.
   */
  readonly resetAt: number;
}

export interface Granted {
  readonly outcome: "granted";
  readonly quota: QuotaStatus;
  readonly cost: number;
  /** When it was charged, by the clock that counted it; needed to refund it. */
  readonly at: Instant;
  /** What counted it: this process alone, or the store that replicas share. */
  readonly by: "process" | "shared";
}

export interface Refused {
  readonly outcome: "refused";
  /** The window that refuses longest. */
  readonly quota: QuotaStatus;
  readonly cost: number;
  /** At least 1; after that long no window of the caller refuses this call, if no other call is made meanwhile. */
  readonly retryAfterSeconds: number;
  /** Whose window it is, where it is not that of the caller alone: an IPv6 network. */
  readonly network?: string;
}

/** The cost is above a limit: waiting does not help. */
export interface Never {
  readonly outcome: "never";
  readonly window: Window;
  readonly limit: number;
  readonly cost: number;
}

/** It is not known what the caller has used. */
export interface Unavailable {
  readonly outcome: "unavailable";
  readonly reason: string;
  readonly retryAfterSeconds: number;
}

export type Taken = Granted | Refused | Never | Unavailable;
