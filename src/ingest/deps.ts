/** The dependencies of ingest: stores, upstreams, and how progress is reported. */

import type { DailyAdapter, Upstream } from "#ports/upstream.ts";
import type { Clock, Lake } from "#ports.ts";
import type { Emit } from "#telemetry.ts";

export interface IngestDeps {
  readonly lake: Pick<Lake, "read" | "commit">;
  readonly upstream: Upstream;
  readonly adapters: readonly DailyAdapter[];
  readonly clock: Clock;
  readonly emit: Emit;
  /** Called after a commit that changed the dataset, with its new version; the collection waits for it. */
  readonly onCommitted: (version: string) => Promise<void> | void;
}

/** Receives how many documents of a collection were read. */
export type Progress = (done: number, total: number) => void;
