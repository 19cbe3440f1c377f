/** How a feed did when it was last asked: what /status and the metrics show of it. */

import type { Instant } from "#domain/time/day.ts";
import type { FeedOutcome } from "./feed-outcome.ts";
import type { FeedId } from "./live-quote.ts";

export interface FeedState {
  readonly feed: FeedId;
  readonly lastAttemptAt: Instant | null;
  readonly lastSuccessAt: Instant | null;
  readonly outcome: "never" | FeedOutcome["kind"];
  readonly detail: string | null;
  readonly pausedUntil: Instant | null;
}
