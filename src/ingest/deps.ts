/** What ingest works with: the stores and upstreams it joins, and how it reports while it works. */

import type { Clock, DailyAdapter, Lake, Upstream } from "#ports.ts";
import type { Tell } from "#telemetry.ts";

export interface IngestDeps {
  readonly lake: Lake;
  readonly upstream: Upstream;
  readonly adapters: readonly DailyAdapter[];
  readonly clock: Clock;
  readonly tell: Tell;
  /** Called after a commit that changed the dataset, with its new version, and awaited. */
  readonly onCommitted: (version: string) => Promise<void> | void;
}

/** Hears how far one stage of a collection is: documents fetched, or partitions made durable. */
export type StageProgress = (stage: "documents" | "partitions", done: number, total: number) => void;
