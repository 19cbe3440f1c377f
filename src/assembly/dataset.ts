/** The dataset that requests see, the one before it for cursors that point there, the held figures, and sources that were never collected. */

import { NOTHING_UNSETTLED, type Unsettled, unsettledOf } from "#domain/acceptance/unsettled.ts";
import type { CacheBudget } from "#domain/cache/budget.ts";
import { currencyIndex } from "#domain/currency/currency.ts";
import { DAILY_SOURCES, type DailySource, PIVOT } from "#domain/currency/source.ts";
import type { Dataset } from "#domain/dataset/dataset.ts";
import { buildHistory } from "#domain/history/history.ts";
import type { PendingSource } from "#domain/intake/pending-sources.ts";
import type { CollectionState, HeldFigure } from "#domain/intake/reading.ts";
import type { Day, Instant } from "#domain/time/day.ts";
import type { DailyAdapter } from "#ports/upstream.ts";
import type { Clock, LakeRecord } from "#ports.ts";
import type { Emit } from "#telemetry.ts";

export interface DatasetHolderOptions {
  readonly simulated: boolean;
  /** In the demo: when the ECB's own history was retrieved, by which its figures are recognized. */
  readonly realRetrievedAt?: Instant | null;
  readonly clock: Clock;
  readonly emit: Emit;
  /** The record of an older version; null when it is older than the retention. */
  readonly recall: (version: string) => Promise<LakeRecord | null>;
  readonly caches: CacheBudget;
  /** Adds which sources were never collected; see watchPending. */
  readonly complete?: (dataset: Dataset | null) => Dataset | null;
}

/** Versions before the newest two that are read again for cursors: each takes some 20 MB. */
const RECALLED = 1;

export function createDatasetHolder({
  simulated,
  realRetrievedAt = null,
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
      current = { ...datasetOf(snapshot, history, coveredThrough), caches };
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
          ...datasetOf(record, history, coverageOf(record)),
          caches,
        };
        recalled = [dataset, ...recalled].slice(0, RECALLED);
      });
      reading = turn.catch(() => {});
      return turn;
    },
  };

  function datasetOf(
    { publishedAt, superseded, damaged }: LakeRecord,
    history: Dataset["history"],
    coveredThrough: Dataset["coveredThrough"],
  ): Dataset {
    return {
      history,
      coveredThrough,
      simulated,
      ...(realRetrievedAt === null ? {} : { realThrough: realThroughOf(history, realRetrievedAt) }),
      revisions: { publishedAt, superseded },
      ...(damaged.length === 0 ? {} : { damaged }),
    };
  }

  function find(version: string): Dataset | null {
    return [current, previous, ...recalled].find((dataset) => dataset?.history.version === version) ?? null;
  }
}

function coverageOf({ coverage }: LakeRecord): Dataset["coveredThrough"] {
  return Object.fromEntries(coverage.map(({ source, coveredThrough }) => [source, coveredThrough]));
}

/**
 * The last day of the figures that were retrieved at that instant. Null where there are none, and where another figure of the
 * ECB is among them: then none counts as real.
 */
function realThroughOf({ observations }: Dataset["history"], realRetrievedAt: Instant): Day | null {
  const { count, source, date, retrievedAt } = observations;
  let last = Number.NEGATIVE_INFINITY;
  let firstOther = Number.POSITIVE_INFINITY;
  for (let row = 0; row < count; row++) {
    if (source[row] !== DAILY_SOURCES.indexOf("ecb_daily")) continue;
    if (retrievedAt[row] === realRetrievedAt) last = Math.max(last, date[row] as Day);
    else firstOther = Math.min(firstOther, date[row] as Day);
  }
  return last > Number.NEGATIVE_INFINITY && firstOther > last ? last : null;
}

export interface PendingParts {
  readonly clock: Clock;
  readonly adapters: readonly Pick<DailyAdapter, "id" | "currencies">[];
  readonly states: () => readonly CollectionState[];
  /** False for a process that collects nothing at its start, as the commands: then nothing is under way. */
  readonly isStarting: boolean;
}

/** Longest that answers wait for a first collection, from the start of the process. */
const LONGEST_PENDING_MILLISECONDS = 60_000;

/**
 * Adds to a dataset which sources were never collected: in this lake, and as far as this process can tell since its start. The
 * same object for the same dataset and sources, because caches are kept by it.
 */
export function watchPending({ clock, adapters, states, isStarting }: PendingParts) {
  const pendingUntil = isStarting ? clock.now() + LONGEST_PENDING_MILLISECONDS : Number.NEGATIVE_INFINITY;
  const currencies = new Map(
    adapters.map((adapter) => [
      adapter.id,
      new Set([PIVOT[adapter.id], ...adapter.currencies].map(currencyIndex)),
    ]),
  );
  let last: { readonly of: Dataset; readonly key: string; readonly made: Dataset } | null = null;

  /** Lacks no source, and never will: every request asks, so it is looked at once. */
  let whole: Dataset | null = null;

  const pendingIn = (dataset: Dataset): PendingSource[] => {
    const lacking = DAILY_SOURCES.filter((source) => !hasAny(dataset, source));
    if (lacking.length === 0) whole = dataset;
    const present = DAILY_SOURCES.filter((source) => !lacking.includes(source));
    const collected =
      present.length === 0
        ? null
        : {
            currencies: new Set(present.flatMap((source) => [...(currencies.get(source) ?? [])])),
            newest: dataset.history.lastDay,
          };
    return lacking.flatMap((source) => {
      const state = states().find((candidate) => candidate.source === source);
      if (state === undefined || state.lastSuccessAt !== null) return [];
      const isCollecting = state.outcome === "never" && clock.now() < pendingUntil;
      return [{ source, currencies: currencies.get(source) ?? new Set(), isCollecting, collected }];
    });
  };

  return (dataset: Dataset | null): Dataset | null => {
    if (dataset === null || dataset === whole) return dataset;
    const pending = pendingIn(dataset);
    if (pending.length === 0) return dataset;
    const key = pending.map(({ source, isCollecting }) => `${source} ${isCollecting}`).join(" ");
    if (last?.of !== dataset || last.key !== key)
      last = { of: dataset, key, made: { ...dataset, pending: pending } };
    return last.made;
  };
}

/** An interrupted collection leaves figures without a coverage, a damaged file a coverage without figures. */
function hasAny({ history, coveredThrough }: Dataset, source: DailySource): boolean {
  if (coveredThrough[source] !== undefined) return true;
  const { source: sources, count } = history.observations;
  const found = sources.indexOf(DAILY_SOURCES.indexOf(source));
  return found >= 0 && found < count;
}
