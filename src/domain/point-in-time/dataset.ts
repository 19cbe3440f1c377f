/** Builds the dataset as it was known at an instant. */

import { type Cache, CacheBudget } from "#domain/cache/budget.ts";
import type { Dataset } from "#domain/dataset/dataset.ts";
import { buildHistory, FILL_DAYS, type History, NO_OBSERVATIONS, type Row } from "#domain/history/history.ts";
import type { AsOfBasis } from "#domain/history/observation.ts";
import { COVERAGE_START, type Day, type Instant } from "#domain/time/day.ts";
import { type EveryRevision, everyRevision, type LostRevision, lostRevisions, pickRows } from "./columns.ts";
import { buildTimeline, rowsKnownAt, stateAt, type Timeline } from "./timeline.ts";

/** The days that will be requested; the days before them that can fill them are added. */
export interface Window {
  readonly first: Day;
  readonly last: Day;
}

/** Share of the cache budget: one or two states of all years, or some hundred of short windows. */
const SHARE = 0.5;
/** Cache budget where the dataset has none. */
const OWN_BYTES = 64_000_000;
/** Approximate bytes of a history's columns and index: per row, and without rows. */
const ROW_BYTES = 60;
const EMPTY_BYTES = 60_000;

interface Past {
  readonly every: EveryRevision;
  readonly lost: readonly LostRevision[];
  readonly timelines: Map<AsOfBasis, Timeline>;
  readonly cache: Cache<string, History>;
}

/** An entry is released with its history. */
const pasts = new WeakMap<History, Past>();

/**
 * The dataset as it was known at `asOf`, inclusive. A window, which is much cheaper than all years, limits the days that can be
 * requested. `history.version` names the state, by basis and window; it is the dataset's own for the present state. Empty where
 * nothing was known yet.
 */
export function datasetAsOf(
  dataset: Dataset,
  asOf: Instant,
  basis: AsOfBasis,
  window: Window | null = null,
): Dataset {
  const timeline = timelineOf(dataset, basis);
  const state = stateAt(timeline, asOf);
  const { coveredThrough, simulated, realThrough = null, caches } = dataset;
  const about = {
    coveredThrough,
    simulated,
    realThrough,
    asOf: { instant: asOf, basis },
    ...(caches === undefined ? {} : { caches }),
  };
  if (state === timeline.instants.length) {
    const { history, revisions } = dataset;
    return { ...about, history, ...(revisions === undefined ? {} : { revisions }) };
  }
  return { ...about, history: historyAt(dataset, timeline, { state, asOf, basis, window }) };
}

/** The first instant at which anything was known, or null for a dataset without observations. */
export function earliestKnown(dataset: Dataset, basis: AsOfBasis): Instant | null {
  return timelineOf(dataset, basis).instants[0] ?? null;
}

/** The latest instant at which anything of the dataset was retrieved or ended; -Infinity without any. */
export function newestInstant(dataset: Dataset): Instant {
  return pastOf(dataset).every.newestInstant;
}

/** Whether something of the dataset was retrieved or ended at that very instant. Every version's own instant is such a change. */
export function isChange(dataset: Dataset, instant: Instant): boolean {
  const timeline = timelineOf(dataset, "retrieved");
  return timeline.instants[stateAt(timeline, instant) - 1] === instant;
}

/** Whether a repair has lost a value that, at the instant, may have been in force on one of the days, by forward fill too. */
export function isPastLost(dataset: Dataset, asOf: Instant, { first, last }: Window): boolean {
  const mayShow = ({ date, until }: LostRevision) =>
    asOf < until && date <= last && date + FILL_DAYS >= first;
  return pastOf(dataset).lost.some(mayShow);
}

/** True when this server got a figure only after the instant: the authority may have replaced another value in between, unseen. */
export function isReconstructed({ history, asOf }: Dataset, row: Row): boolean {
  return asOf !== undefined && (history.observations.retrievedAt[row] as Instant) > asOf.instant;
}

/** False when no row can be reconstructed, which saves looking at each. */
export function mayBeReconstructed({ history, asOf }: Dataset): boolean {
  if (asOf === undefined || asOf.basis === "retrieved") return false;
  return history.observations.retrievedAt.some((retrieved) => retrieved > asOf.instant);
}

/** When each revision was known; made on first use. */
export function timelineOf(dataset: Dataset, basis: AsOfBasis): Timeline {
  const { every, timelines } = pastOf(dataset);
  let timeline = timelines.get(basis);
  if (timeline === undefined) {
    timeline = buildTimeline(every, basis);
    timelines.set(basis, timeline);
  }
  return timeline;
}

function pastOf(dataset: Dataset): Past {
  let past = pasts.get(dataset.history);
  if (past === undefined) {
    const caches = dataset.caches ?? new CacheBudget(OWN_BYTES);
    const cache = caches.cache<string, History>("past_states", { share: SHARE });
    const every = everyRevision(dataset);
    past = { every, lost: lostRevisions(every), timelines: new Map(), cache };
    pasts.set(dataset.history, past);
  }
  return past;
}

interface State {
  readonly state: number;
  readonly asOf: Instant;
  readonly basis: AsOfBasis;
  readonly window: Window | null;
}

function historyAt(present: Dataset, timeline: Timeline, { state, asOf, basis, window }: State): History {
  const past = pastOf(present);
  const span = window === null ? "" : `w${window.first}-${window.last}`;
  const version = `${present.history.version}~${basis[0]}${state}${span}`;
  const firstDay = window === null ? COVERAGE_START : Math.max(COVERAGE_START, window.first - FILL_DAYS);
  let history = past.cache.get(version);
  if (history === undefined) {
    const reach = window === null ? null : { first: firstDay, last: window.last };
    const rows = state === 0 ? new Int32Array(0) : rowsKnownAt(timeline, asOf, reach);
    const columns = rows.length === 0 ? NO_OBSERVATIONS : pickRows(timeline.columns, rows);
    history = buildHistory(version, columns, firstDay);
    past.cache.set(version, history, EMPTY_BYTES + history.observations.count * ROW_BYTES);
  }
  return history;
}
