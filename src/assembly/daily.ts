/** The daily side of the product: the lake, its damage, the dataset served from it, and the collection that updates it. */

import { dirname, join } from "node:path";
import type { Config } from "#config.ts";
import type { Verdict } from "#domain/acceptance/judgement.ts";
import type { CacheBudget } from "#domain/cache/budget.ts";
import type { DailySource } from "#domain/currency/source.ts";
import {
  afterWholeRead,
  type CollectionState,
  firstWholeRead,
  isWholeReadDue,
  type WholeRead,
} from "#domain/intake/reading.ts";
import { formatDay } from "#domain/time/day.ts";
import { type BackfillProgress, backfill, beginWithSnapshots } from "#ingest/backfill.ts";
import { createCollector } from "#ingest/collect.ts";
import type { WatchableCollector } from "#ingest/deps.ts";
import { decideHeld, decideHeldDocument, type HeldKey } from "#ingest/held.ts";
import type { Clock } from "#ports.ts";
import { dailyAdapters } from "#sources/catalogue.ts";
import { DEMO_SNAPSHOT, ECB_SNAPSHOT } from "#sources/ecb/snapshot.ts";
import { openUpstream } from "#sources/fetch/fetch.ts";
import type { Chain } from "#store/chain/chain.ts";
import { LakeDamaged, sentenceOf } from "#store/delta/damage.ts";
import type { LakeStorage } from "#store/delta/storage.ts";
import type { Table } from "#store/delta/table.ts";
import { readWholeReads, type WholeReads, writeWholeReads } from "#store/disk/whole-reads.ts";
import { openLake } from "#store/lake/lake.ts";
import type { Emit } from "#telemetry.ts";
import { createDatasetHolder, watchPending } from "./dataset.ts";
import { every, failedJob } from "./process.ts";

export interface DailyOptions {
  readonly config: Pick<Config, "fredApiKey" | "lakeRetentionDays">;
  readonly lakeDirectory: string;
  /** The signed history of the lake. */
  readonly chain?: Chain;
  readonly upstream: Parameters<typeof openUpstream>[0];
  readonly simulated: boolean;
  /** A demo that begins with the ECB's own history; else one of which every figure is simulated. */
  readonly realHistory?: boolean;
  readonly clock: Clock;
  readonly emit: Emit;
  readonly caches: CacheBudget;
  /** Where several machines share the lake. */
  readonly storage?: LakeStorage | null;
  /** A server, whose first collections may be under way, here or in another process. */
  readonly serves?: boolean;
}

/** How often the lake is looked at for commits of another process (the command line, another replica). */
const LAKE_WATCH_MILLISECONDS = 2_000;
/** The same for a lake in a bucket, where a look is a request for each table. */
const STORAGE_WATCH_MILLISECONDS = 5_000;

export type Daily = Awaited<ReturnType<typeof openDaily>>;

/** Opens the lake and serves what it has. No source is requested yet. Rejects when the lake cannot be used. */
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
  const complete = watchPending({ clock, adapters, states, isStarting: serves });
  const holder = createDatasetHolder({
    simulated,
    realRetrievedAt: simulated ? DEMO_SNAPSHOT.retrievedAt : null,
    ...{ clock, emit, recall: lake.at, caches, complete },
  });
  /** The newest commit of any table: statements and coverage change without a new version of the dataset. */
  const commitAt = () => lake.tables.daily.latest()?.version ?? null;
  let shownCommit: number | null = null;
  const refresh = async () => {
    // Before the lake is read: a commit in between is shown by the next look.
    const commit = commitAt();
    holder.show(await lake.read());
    shownCommit = commit;
  };
  await refresh();

  const upstream = openUpstream(options.upstream);
  /** Sources of which a route failed since their last collection began. */
  const troubled = new Set<DailySource>();
  const telling: Emit = (event) => {
    if (event.kind === "route_failed") troubled.add(event.source);
    emit(event);
  };
  // Other upstreams of another host have a history of their own, which would contradict it.
  const isOwn = !simulated && options.upstream.base === null;
  const snapshots = isOwn ? [ECB_SNAPSHOT] : realHistory ? [DEMO_SNAPSHOT] : [];
  const ingest = { lake, upstream, adapters, clock, emit: telling, onCommitted: refresh };
  const collecting = createCollector(ingest);
  const wholeReads = openWholeReads(join(lakeDirectory, "whole-reads.json"), clock, emit);
  let ecbChanged = () => {};
  const collector: WatchableCollector = {
    ...collecting,
    collect: async (...what) => {
      const before = holder.version();
      const isFirst = holder.dataset()?.history.observations.count === 0;
      troubled.delete(what[0]);
      const state = await collecting.collect(...what);
      // A document without news still moves the coverage, and with it what counts as stale.
      await refresh();
      if (what[1] === "history") await wholeReads.ended(state, !troubled.has(what[0]));
      // At a first start the tables that are made of it read the same documents by themselves.
      if (what[0] === "ecb_daily" && holder.version() !== before && !isFirst) ecbChanged();
      return state;
    },
  };
  /** Also notices files that were changed by something else, by their inode, size and time. */
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
    /** Reads every file again; damage is reported from then on. */
    verify: async () => {
      await lake.audit();
      await refresh();
      damage.report();
    },
    adapters,
    collector,
    /** What /status says of it: how the last collections went, and when whole histories were last read. */
    reports: { collection: () => collecting.states(), wholeReads: wholeReads.stored },
    /** Reads a source's whole history once a week. */
    readWholeIfDue: async (source: DailySource) => {
      if (await wholeReads.isDue(source)) await collector.collect(source, "history");
    },
    /** To be called after a collection of the ECB that brought something new. */
    onEcbChange: (call: () => void) => {
      ecbChanged = call;
    },
    /** Begins an empty lake with the packaged history; resolves with the newest day there is then, "" without one. */
    beginWithSnapshot: async (): Promise<string> => {
      await beginWithSnapshots({ ...ingest, snapshots }, () => {});
      const days = holder.dataset()?.coveredThrough.ecb_daily;
      return days === undefined ? "" : formatDay(days);
    },
    /** Brings the lake up to date: the whole history where it is missing, else the last 90 days. */
    backfill: (progress: (step: BackfillProgress) => void) =>
      backfill({ ...ingest, collector, snapshots }, { progress }),
    /** An operator's decision on one held figure; true when it was held. */
    decide: (key: HeldKey, verdict: Verdict) => decideHeld(ingest, key, verdict),
    /** An operator's decision on the held figures of a document; null when there are none. */
    decideDocument: (document: string, verdict: Verdict) => decideHeldDocument(ingest, document, verdict),
    /** Shows what other processes commit; the returned function ends it. */
    watch: () => {
      const failed = failedJob(emit, "lake-watch");
      const stopLooking = every(LAKE_WATCH_MILLISECONDS, () => void watched().catch(failed));
      const stopAsking =
        storage === null ? null : every(STORAGE_WATCH_MILLISECONDS, () => void lake.keepUp().catch(failed));
      return () => {
        stopLooking();
        stopAsking?.();
      };
    },
  };
}

/** When each source's whole history was last read and is to be read again, in a file that outlives the process. */
function openWholeReads(path: string, clock: Clock, emit: Emit) {
  let lastFault = "";
  /** /status reads this often: a lasting fault is logged once. */
  const failed = (fault: unknown) => {
    const error = fault instanceof Error ? fault.message : String(fault);
    if (error !== lastFault) emit({ kind: "job_failed", job: "whole-read", error });
    lastFault = error;
  };
  const stored = (): WholeReads => {
    try {
      return readWholeReads(path);
    } catch (fault) {
      failed(fault);
      return {};
    }
  };
  /** A time that cannot be stored is set again by the next check: the collection itself has not failed. */
  const keep = (source: DailySource, read: WholeRead) =>
    writeWholeReads(path, { ...stored(), [source]: read }).catch(failed);
  return {
    /** Of every source, by any process; nothing where the file cannot be read. */
    stored,
    /** True when a source's whole history is to be read now. A source that was never read gets its time first. */
    isDue: async (source: DailySource): Promise<boolean> => {
      const read = stored()[source];
      if (read !== undefined) return isWholeReadDue(read, clock.now());
      await keep(source, firstWholeRead(clock.now(), Math.random));
      return false;
    },
    /** To be called after every collection of a whole history; `isClean` when no route failed. One that failed stays due. */
    ended: async ({ source, outcome }: CollectionState, isClean: boolean): Promise<void> => {
      if (outcome === "failed") return;
      await keep(source, afterWholeRead(clock.now(), isClean, Math.random));
    },
  };
}

export type LakeDamage = ReturnType<typeof watchLakeDamage>;

/** What is damaged in the lake: for /status, and logged once when it is found. */
export function watchLakeDamage(tables: readonly Table[], emit: Emit) {
  const reported = new Set<string>();
  /** One sentence a file of the newest versions that was found damaged and not intact since, or a log that cannot be read. */
  const list = (): readonly string[] =>
    tables.flatMap((table) => {
      const damaged = table.verifier.known();
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
    /** Logs what was not logged before. */
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
