/** At a start: records the packaged history if the lake has no other, then collects every source once. */

import { kindOfRoute } from "#domain/acceptance/statements.ts";
import { formatDay } from "#domain/time/day.ts";
import type { Snapshot } from "#ports/upstream.ts";
import type { Collector } from "./collect.ts";
import { neededReach, windowAt } from "./coverage.ts";
import type { IngestDeps } from "./gather.ts";
import { record } from "./record.ts";
import { voiceOf } from "./routes.ts";

export interface BackfillProgress {
  /** The current work, e.g. "ECB history". */
  readonly label: string;
  readonly done: number;
  readonly total: number;
}

const OLD_SNAPSHOT_MILLISECONDS = 45 * 24 * 3_600_000;

/**
 * Collects every source once, one after the other in the adapters' order. Resolves whatever the upstreams do: their
 * faults are in the collector's states. Rejects when the lake cannot be read.
 */
export async function backfill(
  deps: IngestDeps & { readonly collector: Collector; readonly snapshots?: readonly Snapshot[] },
  { progress }: { readonly progress: (step: BackfillProgress) => void },
): Promise<void> {
  await beginWithSnapshots(deps);
  const { coverage } = await deps.lake.read();
  for (const { id } of deps.adapters) {
    const reach = neededReach(coverage, id, windowAt(deps.clock.now(), id, "latest").to);
    const label = `${id.replace("_daily", "").toUpperCase()} ${reach}`;
    await deps.collector.collect(id, reach, (done, total) => progress({ label, done, total }));
  }
}

/** Records the packaged histories that the lake lacks. Rejects as the lake, or when a packaged file is damaged. */
export async function beginWithSnapshots(
  deps: Pick<IngestDeps, "lake" | "upstream" | "clock" | "emit" | "onCommitted"> & {
    readonly snapshots?: readonly Snapshot[];
  },
): Promise<void> {
  for (const snapshot of deps.snapshots ?? []) {
    const version = await recordSnapshot(deps, snapshot);
    if (version === null) continue;
    await deps.onCommitted(version);
    if (deps.clock.now() - snapshot.retrievedAt > OLD_SNAPSHOT_MILLISECONDS)
      deps.emit({ kind: "snapshot_old", source: snapshot.source, newestDay: formatDay(snapshot.newestDay) });
  }
}

/**
 * Records the snapshot if its source has no coverage yet. Resolves with the lake's new version, or null if nothing was recorded.
 * Documents that are collected later are compared with it. A clock before the snapshot's own date leaves it out, because it would show
 * figures of the future. Rejects as the lake, or when the file is damaged.
 */
export async function recordSnapshot(
  { lake, upstream, clock }: Pick<IngestDeps, "lake" | "upstream" | "clock">,
  snapshot: Snapshot,
): Promise<string | null> {
  const { source, route, retrievedAt } = snapshot;
  if (clock.now() < retrievedAt) return null;
  const { coverage } = await lake.read();
  if (coverage.some((entry) => entry.source === source)) return null;
  const document = await snapshot.read();
  const window = windowAt(clock.now(), source, "history");
  const voice = voiceOf(route);
  const read = [{ document, content: route.parse(document, window), route: voice }];
  const kinds = [kindOfRoute(voice)];
  const gathered = { voice, read, complete: true };
  const { newVersion } = await record({ lake, upstream }, source, gathered, window, kinds);
  return newVersion;
}
