/** Which daily sources were never collected: in this lake, and as far as this process knows since its start. */

import { currencyIndex } from "#domain/currency/currency.ts";
import { DAILY_SOURCES, type DailySource, PIVOT } from "#domain/currency/source.ts";
import type { Dataset } from "#domain/dataset/dataset.ts";
import type { PendingSource } from "#domain/intake/pending-sources.ts";
import type { CollectionState } from "#domain/intake/reading.ts";
import type { DailyAdapter } from "#ports/upstream.ts";
import type { Clock } from "#ports.ts";

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
 * Adds to a dataset what it lacks. The same object for the same dataset and the same sources, so that what is worked out
 * of it is kept; another one at once when a source was collected, or is waited for no longer.
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
