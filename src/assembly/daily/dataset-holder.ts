/** The dataset that requests see, the one before it for cursors still under way, and the held figures. */

import { NOTHING_UNSETTLED, type Unsettled, unsettledOf } from "#domain/acceptance/unsettled.ts";
import type { CacheBudget } from "#domain/cache/budget.ts";
import type { DailySource } from "#domain/currency/source.ts";
import type { Dataset } from "#domain/dataset/dataset.ts";
import { buildHistory } from "#domain/history/history.ts";
import type { HeldFigure } from "#domain/intake/reading.ts";
import type { Clock, LakeRecord } from "#ports.ts";
import type { Emit } from "#telemetry.ts";

export interface DatasetHolderOptions {
  readonly simulated: boolean;
  readonly clock: Clock;
  readonly emit: Emit;
  /** The record of an older version; null when it is older than the retention. */
  readonly recall: (version: string) => Promise<LakeRecord | null>;
  readonly caches: CacheBudget;
  /** Adds which sources were never collected; see pending-sources.ts. */
  readonly complete?: (dataset: Dataset | null) => Dataset | null;
}

/** Versions before the newest two that are read again for cursors: each takes some 20 MB. */
const RECALLED = 1;

export function createDatasetHolder({
  simulated,
  clock,
  emit,
  recall,
  caches,
  complete = (dataset) => dataset,
}: DatasetHolderOptions) {
  let recalled: readonly Dataset[] = [];
  let reading: Promise<void> = Promise.resolve();
  let current: Dataset | null = null;
  let previous: Dataset | null = null;
  let held: readonly HeldFigure[] = [];
  let statements: LakeRecord["statements"] = [];
  let unsettled: Readonly<Record<DailySource, Unsettled>> = {
    ecb_daily: NOTHING_UNSETTLED,
    fred_daily: NOTHING_UNSETTLED,
  };
  return {
    show(snapshot: LakeRecord): void {
      const began = clock.now();
      const coveredThrough = coverageOf(snapshot);
      const isSame = current?.history.version === snapshot.version;
      const isSettledSame = isSame && held === snapshot.held && statements === snapshot.statements;
      held = snapshot.held;
      statements = snapshot.statements;
      if (isSame && current !== null) {
        if (!Bun.deepEquals(current.coveredThrough, coveredThrough)) current = { ...current, coveredThrough };
        if (!isSettledSame) unsettled = unsettledOf(statements, held, current.history);
        return;
      }
      previous = current;
      const history = buildHistory(snapshot.version, snapshot.observations);
      current = { ...datasetOf(snapshot, history, coveredThrough, simulated), caches };
      unsettled = unsettledOf(statements, held, history);
      emit({
        kind: "history_built",
        version: snapshot.version,
        observations: snapshot.observations.count,
        milliseconds: clock.now() - began,
      });
    },
    version: () => current?.history.version ?? null,
    dataset: () => complete(current),
    held: () => held,
    statements: () => statements,
    unsettled: () => unsettled,
    pinned: (version: string) => find(version),
    /** Makes sure that `pinned` has a version, where the lake still does. */
    recall: (version: string): Promise<void> => {
      // One after the other: reading a version takes memory and a part of a second.
      const turn = reading.then(async () => {
        if (find(version) !== null) return;
        const record = await recall(version);
        if (record === null) return;
        const history = buildHistory(version, record.observations);
        const dataset = {
          ...datasetOf(record, history, coverageOf(record), simulated),
          caches,
        };
        recalled = [dataset, ...recalled].slice(0, RECALLED);
      });
      reading = turn.catch(() => {});
      return turn;
    },
  };

  function find(version: string): Dataset | null {
    return [current, previous, ...recalled].find((dataset) => dataset?.history.version === version) ?? null;
  }
}

function coverageOf({ coverage }: LakeRecord): Dataset["coveredThrough"] {
  return Object.fromEntries(coverage.map(({ source, coveredThrough }) => [source, coveredThrough]));
}

function datasetOf(
  { publishedAt, superseded, damaged }: LakeRecord,
  history: Dataset["history"],
  coveredThrough: Dataset["coveredThrough"],
  simulated: boolean,
): Dataset {
  return {
    history,
    coveredThrough,
    simulated,
    revisions: { publishedAt, superseded },
    ...(damaged.length === 0 ? {} : { damaged }),
  };
}
