/** The daily side of the product: the lake and its damage, the dataset that requests see, and the collection that updates it. */

import { dirname, join } from "node:path";
import type { Config } from "#config.ts";
import type { Verdict } from "#domain/acceptance/judgement.ts";
import { NOTHING_UNSETTLED, type Unsettled, unsettledOf } from "#domain/acceptance/unsettled.ts";
import type { CacheBudget } from "#domain/cache/budget.ts";
import { currencyIndex } from "#domain/currency/currency.ts";
import { DAILY_SOURCES, type DailySource, PIVOT } from "#domain/currency/source.ts";
import type { Dataset } from "#domain/dataset/dataset.ts";
import type { DamagedFigures } from "#domain/history/damage.ts";
import { buildHistory } from "#domain/history/history.ts";
import {
  type CollectionState,
  type HeldFigure,
  isWholeReadDue,
  type PendingSource,
} from "#domain/intake/reading.ts";
import { type Day, formatDay } from "#domain/time/day.ts";
import { type BackfillProgress, backfill, beginWithSnapshots } from "#ingest/backfill.ts";
import { type Collector, createCollector } from "#ingest/collect.ts";
import { decideHeld, decideHeldDocument } from "#ingest/held.ts";
import type { DailyAdapter } from "#ports/upstream.ts";
import type { Clock, HeldKey, LakeRecord } from "#ports.ts";
import { dailyAdapters } from "#sources/catalogue.ts";
import { DEMO_SNAPSHOT, ECB_SNAPSHOT } from "#sources/ecb/snapshot.ts";
import { openUpstream } from "#sources/fetch/fetch.ts";
import type { Chain } from "#store/chain/chain.ts";
import { LakeDamaged, sentenceOf } from "#store/delta/damage.ts";
import type { LakeStorage } from "#store/delta/storage.ts";
import type { Table } from "#store/delta/table.ts";
import { noteWholeRead, readWholeReads } from "#store/disk/whole-reads.ts";
import { openLake } from "#store/lake/lake.ts";
import type { Emit } from "#telemetry.ts";
import { every, failedJob } from "./process.ts";

interface DatasetHolderOptions extends Pick<DailyOptions, "simulated" | "clock" | "emit" | "caches"> {
  readonly recall: (version: string) => Promise<LakeRecord | null>;
}

/** Older versions kept for cursors; each takes some 20 MB. */
const RECALLED = 1;

export function createDatasetHolder({ simulated, clock, emit, recall, caches }: DatasetHolderOptions) {
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
        if (!Bun.deepEquals(current.coveredThrough, coveredThrough))
          current = { ...current, coveredThrough, damaged: damagedIn(snapshot) };
        if (!isSettledSame) unsettled = unsettledOf(statements, held, current.history);
        return;
      }
      previous = current;
      const history = buildHistory(snapshot.version, snapshot.observations);
      current = datasetOf(snapshot, history);
      unsettled = unsettledOf(statements, held, history);
      emit({
        kind: "history_built",
        version: snapshot.version,
        observations: snapshot.observations.count,
        milliseconds: clock.now() - began,
      });
    },
    version: () => current?.history.version ?? null,
    dataset: () => current,
    held: () => held,
    statements: () => statements,
    unsettled: () => unsettled,
    pinned: (version: string) => find(version),
    /** Loads a version for `pinned` if the lake still has it. */
    recall: (version: string): Promise<void> => {
      // One at a time: reading a version takes memory.
      const turn = reading.then(async () => {
        if (find(version) !== null) return;
        const record = await recall(version);
        if (record === null) return;
        const dataset = datasetOf(record, buildHistory(version, record.observations));
        recalled = [dataset, ...recalled].slice(0, RECALLED);
      });
      reading = turn.catch(() => {});
      return turn;
    },
  };

  function datasetOf(record: LakeRecord, history: Dataset["history"]): Dataset {
    const { publishedAt, documents, superseded } = record;
    return {
      ...{ history, simulated, caches, coveredThrough: coverageOf(record) },
      ...(simulated ? { realThrough: realThroughOf(history) } : {}),
      revisions: { publishedAt, documents, superseded },
      damaged: damagedIn(record),
    };
  }

  function find(version: string): Dataset | null {
    return [current, previous, ...recalled].find((dataset) => dataset?.history.version === version) ?? null;
  }
}

/** Files with damage, and years whose figures are not back after a repair. */
function damagedIn({ damaged, repaired = [] }: LakeRecord): readonly DamagedFigures[] {
  return [...damaged, ...repaired];
}

function coverageOf({ coverage }: LakeRecord): Dataset["coveredThrough"] {
  return Object.fromEntries(coverage.map(({ source, coveredThrough }) => [source, coveredThrough]));
}

/**
 * In the demo the last day of the ECB's figures that were retrieved with the packaged snapshot. Null without any, or if the ECB has
 * another figure on or before that day: then no figure counts as real.
 */
function realThroughOf({ observations }: Dataset["history"]): Day | null {
  const { count, source, date, retrievedAt } = observations;
  let last = Number.NEGATIVE_INFINITY;
  let firstOther = Number.POSITIVE_INFINITY;
  for (let row = 0; row < count; row++) {
    if (source[row] !== DAILY_SOURCES.indexOf("ecb_daily")) continue;
    if (retrievedAt[row] === DEMO_SNAPSHOT.retrievedAt) last = Math.max(last, date[row] as Day);
    else firstOther = Math.min(firstOther, date[row] as Day);
  }
  return last > Number.NEGATIVE_INFINITY && firstOther > last ? last : null;
}

/** How long after the start an answer may still call a first collection running. */
const LONGEST_PENDING_MILLISECONDS = 60_000;

/** Adds to a dataset the sources that were never collected. Equal arguments give the same object: it is a key of caches. */
function watchPending(
  clock: Clock,
  adapters: readonly Pick<DailyAdapter, "id" | "currencies">[],
  states: () => readonly CollectionState[],
  isStarting: boolean,
  isElsewhere: boolean,
) {
  const pendingUntil = isStarting ? clock.now() + LONGEST_PENDING_MILLISECONDS : Number.NEGATIVE_INFINITY;
  const currencies = new Map(
    adapters.map(({ id, currencies: codes }) => [id, new Set([PIVOT[id], ...codes].map(currencyIndex))]),
  );
  const currenciesOf = (source: DailySource) => currencies.get(source) ?? new Set();
  const pendingIn = (dataset: Dataset, lacking: readonly DailySource[]): PendingSource[] => {
    const present = DAILY_SOURCES.filter((source) => !lacking.includes(source));
    const covered = new Set(present.flatMap((source) => [...currenciesOf(source)]));
    const collected = present.length === 0 ? null : { currencies: covered, newest: dataset.history.lastDay };
    return lacking.flatMap((source) => {
      const state = states().find((candidate) => candidate.source === source);
      if (state === undefined || state.lastSuccessAt !== null) return [];
      const left = pendingUntil - clock.now();
      // More time than that is left only if the clock was set back.
      const isCollecting = state.outcome === "never" && left > 0 && left <= LONGEST_PENDING_MILLISECONDS;
      const own = { source, currencies: currenciesOf(source), isCollecting, collected };
      return [isElsewhere ? { ...own, isElsewhere } : own];
    });
  };
  let last: { readonly of: Dataset; readonly key: string; readonly made: Dataset } | null = null;
  /** The newest dataset with every source, remembered because every request asks. */
  let whole: Dataset | null = null;

  return (dataset: Dataset | null): Dataset | null => {
    if (dataset === null || dataset === whole) return dataset;
    const lacking = DAILY_SOURCES.filter((source) => !hasAny(dataset, source));
    if (lacking.length === 0) whole = dataset;
    const pending = pendingIn(dataset, lacking);
    if (pending.length === 0) return dataset;
    const key = pending.map(({ source, isCollecting }) => `${source} ${isCollecting}`).join(" ");
    if (last?.of !== dataset || last.key !== key) last = { of: dataset, key, made: { ...dataset, pending } };
    return last.made;
  };
}

/** An interrupted collection leaves figures without coverage; a damaged file leaves coverage without figures. */
function hasAny({ history, coveredThrough }: Dataset, source: DailySource): boolean {
  if (coveredThrough[source] !== undefined) return true;
  const { source: sources, count } = history.observations;
  const first = sources.indexOf(DAILY_SOURCES.indexOf(source));
  return first >= 0 && first < count;
}

export interface DailyOptions {
  readonly config: Pick<Config, "fredApiKey" | "lakeRetentionDays"> & Partial<Pick<Config, "role">>;
  readonly lakeDirectory: string;
  readonly chain?: Chain;
  readonly upstream: Parameters<typeof openUpstream>[0];
  readonly simulated: boolean;
  readonly realHistory?: boolean;
  readonly clock: Clock;
  readonly emit: Emit;
  readonly caches: CacheBudget;
  readonly storage?: LakeStorage | null;
  /** True for a server: first collections may be running, here or in another process. */
  readonly serves?: boolean;
}

/** How often the lake is looked at for commits of other processes. */
const LAKE_WATCH_MILLISECONDS = 2_000;
/** A look costs a request for each table: every fifth tick looks, or every tick while the bucket does not answer. */
const STORAGE_WATCH_MILLISECONDS = 1_000;
const STORAGE_WATCH_TIMES = 5;

export type Daily = Awaited<ReturnType<typeof openDaily>>;

export async function openDaily(options: DailyOptions) {
  const { config, lakeDirectory, simulated, realHistory = false, clock, emit, storage = null } = options;
  const lake = await openLake({
    directory: lakeDirectory,
    simulated,
    emit,
    now: clock.now,
    retentionDays: config.lakeRetentionDays,
    storage,
    ...(options.chain === undefined ? {} : { chain: options.chain }),
  });
  const adapters = dailyAdapters({ fredApiKey: config.fredApiKey });
  const { caches, serves = false } = options;
  const states = () => collecting.states();
  const complete = watchPending(clock, adapters, states, serves, serves && config.role === "api");
  let repaired: readonly DamagedFigures[] = [];
  const collected = createDatasetHolder({ simulated, clock, emit, recall: lake.at, caches });
  const holder = { ...collected, dataset: () => complete(collected.dataset()) };
  /** The commit, not the version of the dataset: statements and coverage change without a new version. */
  const commitAt = () => lake.tables.daily.latest()?.version ?? null;
  let shownCommit: number | null = null;
  const refresh = async () => {
    // Read first: a commit made meanwhile is shown by the next look.
    const commit = commitAt();
    const record = await lake.read();
    holder.show(record);
    repaired = record.repaired ?? [];
    shownCommit = commit;
  };
  await refresh();

  const upstream = openUpstream(options.upstream);
  // Upstreams on another host may have another history, which would contradict the snapshot.
  const isOwn = !simulated && options.upstream.base === null;
  const snapshots = isOwn ? [ECB_SNAPSHOT] : realHistory ? [DEMO_SNAPSHOT] : [];
  const ingest = { lake, upstream, adapters, clock, emit, onCommitted: refresh };
  const collecting = createCollector(ingest);
  const wholeReadsPath = join(lakeDirectory, "whole-reads.json");
  const wholeReads = () => readWholeReads(wholeReadsPath);
  const collector: Collector = {
    ...collecting,
    collect: async (...what) => {
      const state = await collecting.collect(...what);
      // A document without news still moves the coverage.
      await refresh();
      if (what[1] === "history" && state.outcome !== "failed")
        await noteWholeRead(wholeReadsPath, state.source, clock.now()).catch(failedJob(emit, "whole-read"));
      return state;
    },
  };
  /** With known damage it also reads without a commit: a file may have been restored. */
  const watched = async () => {
    const before = damage.list().length;
    if (commitAt() !== shownCommit || before > 0) await refresh();
    damage.report();
  };
  const { daily, revisions, held, statements } = lake.tables;
  const damage = watchLakeDamage([daily, revisions, held, statements], emit);
  damage.report();

  return {
    lake,
    holder,
    damage,
    /** For /status: one sentence for each damaged file, and each year whose figures are not back after a repair. */
    lacking: () => [...damage.list(), ...repaired.map(({ sentence }) => sentence)],
    verify: async () => {
      await lake.audit();
      await refresh();
      damage.report();
    },
    adapters,
    collector,
    /** For /status: how the last collections went, and when whole histories were read. */
    reports: { collection: () => collecting.states(), wholeReads },
    readWholeIfDue: async (source: DailySource) => {
      if (isWholeReadDue(wholeReads()[source], clock.now())) await collector.collect(source, "history");
    },
    /** Tries again what was never collected. */
    collectPending: async () => {
      for (const { source } of holder.dataset()?.pending ?? []) await collector.collect(source, "history");
    },
    /** Begins an empty lake with the packaged history; resolves with its newest day, or "". */
    beginWithSnapshot: async (): Promise<string> => {
      await beginWithSnapshots({ ...ingest, snapshots });
      const days = holder.dataset()?.coveredThrough.ecb_daily;
      return days === undefined ? "" : formatDay(days);
    },
    /** Brings the lake up to date: the whole history where it is missing, else the last 90 days. */
    backfill: (progress: (step: BackfillProgress) => void) =>
      backfill({ ...ingest, collector, snapshots }, { progress }),
    /** True if the figure was held. */
    decide: (key: HeldKey, verdict: Verdict) => decideHeld(ingest, key, verdict),
    /** Null if the document has no held figure. */
    decideDocument: (document: string, verdict: Verdict) => decideHeldDocument(ingest, document, verdict),
    /** Shows what other processes commit; the returned function ends it. */
    watch: () => {
      const failed = failedJob(emit, "lake-watch");
      const stopLooking = every(LAKE_WATCH_MILLISECONDS, () => void watched().catch(failed));
      let passed = 0;
      const ask = () => {
        passed += 1;
        const isDue = storage?.state().fault !== null || passed % STORAGE_WATCH_TIMES === 0;
        if (isDue) void lake.keepUp().catch(failed);
      };
      const stopAsking = storage === null ? null : every(STORAGE_WATCH_MILLISECONDS, ask);
      return () => {
        stopLooking();
        stopAsking?.();
      };
    },
  };
}

export type LakeDamage = ReturnType<typeof watchLakeDamage>;

/** Damage in the lake: for /status, and logged once. */
export function watchLakeDamage(tables: readonly Table[], emit: Emit) {
  const reported = new Set<string>();
  /** One sentence for each damaged file of the newest versions, or for a log that cannot be read. */
  const list = (): readonly string[] =>
    tables.flatMap((table) => {
      const damaged = table.verifier.damagedFiles();
      let files: ReadonlyMap<string, unknown> | undefined;
      try {
        files = table.latest()?.files;
      } catch (fault) {
        if (fault instanceof LakeDamaged) return [fault.what.replace(`${dirname(table.directory)}/`, "")];
        throw fault;
      }
      return damaged.filter(({ path }) => files?.has(path) === true).map(sentenceOf);
    });
  return {
    list,
    report: (): void => {
      for (const sentence of list()) {
        if (reported.has(sentence)) continue;
        reported.add(sentence);
        emit({
          kind: "lake_damaged",
          detail: `${sentence}; answers that depend on it are refused. crossrate repair says how to go on`,
        });
      }
    },
  };
}
