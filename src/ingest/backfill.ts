/** Brings the lake up to date at a start: the whole history where it is missing or too old, else the last 90 days. */

import type { DailySource } from "#domain/currency/source.ts";
import type { Window } from "#domain/intake/reading.ts";
import type { WatchableCollector } from "./collect.ts";
import { neededReach, windowAt } from "./coverage.ts";
import type { IngestDeps } from "./deps.ts";

export interface BackfillProgress {
  /** What is being done, e.g. "ECB history". */
  readonly label: string;
  readonly done: number;
  readonly total: number;
}

/**
 * Collects every source once, one after the other in the adapters' order. Resolves whatever the upstreams do: their
 * faults are in the collector's states. Rejects when the lake cannot be read, and for errors of the program.
 */
export async function backfill(
  deps: IngestDeps & { readonly collector: WatchableCollector },
  { progress }: { readonly progress: (step: BackfillProgress) => void },
): Promise<void> {
  const { coverage } = await deps.lake.read();
  for (const { id } of deps.adapters) {
    const reach = neededReach(coverage, id, windowAt(deps.clock.now(), id, "latest").to);
    await deps.collector.collect(id, reach, (stage, done, total) =>
      progress({ label: labelOf(id, reach, stage), done, total }),
    );
  }
}

/** `ECB history` while documents come in, `ECB history to the lake` while partitions are written. */
function labelOf(source: DailySource, reach: Window["reach"], stage: "documents" | "partitions"): string {
  const name = source.replace("_daily", "").toUpperCase();
  return `${name} ${reach}${stage === "partitions" ? " to the lake" : ""}`;
}
