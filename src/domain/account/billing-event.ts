/** Notices of the billing provider, each taken once by its id. Never deleted, not even with the account. */

import type { Instant } from "#domain/time/day.ts";

export interface BillingEvent {
  /** The provider's id of the event. */
  readonly id: string;
  readonly type: string;
  /** What it is about, such as a subscription's id. */
  readonly objectId: string | null;
  readonly receivedAt: Instant;
  readonly processedAt: Instant | null;
  /** In a word or two: "applied", "ignored", "unknown_customer". */
  readonly outcome: string | null;
}

export type NewBillingEvent = Pick<BillingEvent, "id" | "type" | "objectId">;
