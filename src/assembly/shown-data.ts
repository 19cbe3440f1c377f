/** The dataset that requests see, the one before it for cursors still under way, and the held figures. */

import type { HeldFigure } from "#domain/collection.ts";
import type { Dataset } from "#domain/dataset.ts";
import type { Day } from "#domain/day.ts";
import { buildHistory } from "#domain/history.ts";
import type { DailySource } from "#domain/source.ts";
import type { Clock, LakeRecord } from "#ports.ts";
import type { Tell } from "#telemetry.ts";

export function createShownData(simulated: boolean, clock: Clock, tell: Tell) {
  let current: Dataset | null = null;
  let previous: Dataset | null = null;
  let held: readonly HeldFigure[] = [];
  return {
    show(snapshot: LakeRecord): void {
      const began = clock.now();
      const coveredThrough: Partial<Record<DailySource, Day>> = {};
      for (const { source, coveredThrough: day } of snapshot.coverage) coveredThrough[source] = day;
      held = snapshot.held;
      if (current?.history.version === snapshot.version) {
        if (!Bun.deepEquals(current.coveredThrough, coveredThrough)) current = { ...current, coveredThrough };
        return;
      }
      previous = current;
      const { publishedAt, superseded } = snapshot;
      const history = buildHistory(snapshot.version, snapshot.observations);
      current = { history, coveredThrough, simulated, revisions: { publishedAt, superseded } };
      tell({
        kind: "history_built",
        version: snapshot.version,
        observations: snapshot.observations.count,
        milliseconds: clock.now() - began,
      });
    },
    version: () => current?.history.version ?? null,
    dataset: () => current,
    held: () => held,
    pinned: (version: string) =>
      [current, previous].find((dataset) => dataset?.history.version === version) ?? null,
  };
}
