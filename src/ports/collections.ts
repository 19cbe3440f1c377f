/** Collections of sources and official tables, as operators see and start them. Types only. */

import type { Instant } from "#domain/time/day.ts";

export interface CollectionReport {
  /** Of the daily source or the official table. */
  readonly id: string;
  readonly title: string;
  readonly outcome: string;
  readonly detail: string | null;
  readonly lastAttemptAt: Instant | null;
  readonly lastSuccessAt: Instant | null;
}

export interface CollectionReview {
  /** Rejects with LedgerUnavailable. */
  list(): Promise<readonly CollectionReport[]>;
  /** Starts a collection and does not wait for it. False where this process does not collect the source. */
  start(id: string): boolean;
}
