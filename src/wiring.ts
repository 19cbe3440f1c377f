/** Composition root: the only place where stores, sources, use cases, jobs and transport meet. */

import { randomBytes } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import type { HeldFigure } from "#domain/collection.ts";
import type { Dataset } from "#domain/dataset.ts";
import type { Day } from "#domain/day.ts";
import type { ExportFormat } from "#domain/export-plan.ts";
import { buildHistory } from "#domain/history.ts";
import type { DailySource } from "#domain/source.ts";
import { createApp } from "#http/app.ts";
import type { Query } from "#http/query.ts";
import { openFile } from "#http/range-export.ts";
import { type BackfillProgress, backfill } from "#ingest/backfill.ts";
import { createCollector } from "#ingest/collect.ts";
import { decideHeld, type HeldKey } from "#ingest/decide.ts";
import { startScheduler } from "#jobs/scheduler.ts";
import { TIMETABLE, type Upkeep } from "#jobs/timetable.ts";
import type { Clock, LakeRecord } from "#ports.ts";
import { newSeriesKeep } from "#rates/range.ts";
import { dailyAdapters } from "#sources/catalogue.ts";
import { openUpstream } from "#sources/fetch.ts";
import { lookAfter, openArchive, selectOf } from "#store/archive/access.ts";
import { compactAll, flushUnowned, type Span } from "#store/archive/upkeep.ts";
import { openExports } from "#store/export/exports.ts";
import { openLakeFiles } from "#store/lake/files.ts";
import { openLake } from "#store/lake/lake.ts";
import type { Tell } from "#telemetry.ts";
import type { Config } from "./config.ts";

export interface Surroundings {
  readonly config: Config;
  readonly clock: Clock;
  readonly tell: Tell;
  readonly version: string;
  /** The demo: rates are made up, and everything says so. */
  readonly simulated: boolean;
  /** True for the one process that takes in live quotes; others read what it wrote. */
  readonly collectsQuotes?: boolean;
}

/** What DuckDB may take for exports; DuckDB's own, beside what the process has. */
const EXPORT_MEMORY_MEGABYTES = 320;
/** How often the lake is looked at for commits of another process (the command line, another replica). */
const LAKE_WATCH_MILLISECONDS = 2_000;

/** A clock that starts at a given instant and runs on from there; without one, the real time. */
export function startClock(startAt: number | null): Clock {
  if (startAt === null) return { now: Date.now };
  const ahead = startAt - Date.now();
  return { now: () => Date.now() + ahead };
}

/** Opens the stores and joins everything; nothing listens and nothing is scheduled yet. Rejects when the lake cannot be used. */
export async function openCrossrate(surroundings: Surroundings) {
  const { config, clock, tell, version, simulated, collectsQuotes = false } = surroundings;
  await mkdir(config.dataDir, { recursive: true });
  const lakeDirectory = join(config.dataDir, "lake");
  const lake = await openLake({ directory: lakeDirectory, simulated, tell });
  const archiveAt = { directory: lakeDirectory, simulated, tell };
  const archive = await openArchive(archiveAt, collectsQuotes);
  const shown = createShownData(simulated, clock, tell);
  shown.show(await lake.read());

  const adapters = dailyAdapters({ fredApiKey: config.fredApiKey });
  const upstream = openUpstream({
    clock,
    base: config.upstreamBase,
    userAgent: `crossrate/${version} (self-hosted reference rates)`,
  });
  const refresh = async () => shown.show(await lake.read());
  const ingest = { lake, upstream, adapters, clock, tell, onCommitted: refresh };
  const collecting = createCollector(ingest);
  const collector: typeof collecting = {
    ...collecting,
    collect: async (...what) => {
      const state = await collecting.collect(...what);
      // A document without news still moves the coverage, and with it what counts as stale.
      await refresh();
      return state;
    },
  };

  const exports = openExports({
    directory: join(config.dataDir, "exports"),
    sources: [lakeDirectory],
    archiveSelect: async (plan) => selectOf(lakeDirectory, plan),
    atOnce: config.exportConcurrency,
    waiting: config.exportQueue,
    threads: Math.max(1, availableParallelism() - 1),
    memoryMegabytes: EXPORT_MEMORY_MEGABYTES,
    keptBytes: config.exportCacheBytes,
    tell,
  });
  let addressOf = (_: Request): string => "";

  const deps = {
    clock,
    tell,
    version,
    simulated,
    dataset: shown.dataset,
    pinned: shown.pinned,
    held: shown.held,
    collection: () => collector.states(),
    probeLake: () => lake.version(),
    lakeFiles: openLakeFiles(lakeDirectory),
    cursorSecret: await cursorSecret(config),
    ...newSeriesKeep(),
    exports,
    archive,
    callerOf: (request: Request) => addressOf(request),
    allowedHosts: config.allowedHosts,
    batchLimit: config.batchLimit,
  };
  const app = createApp(deps);

  return {
    app,
    collector,
    adapters,
    /** Brings the lake up to date: the whole history where it is missing, else the last 90 days. */
    backfill: (progress: (step: BackfillProgress) => void) =>
      backfill({ ...ingest, collector }, { progress }),
    /** Starts the timetable and the watch on the lake; the returned function stops both. */
    startJobs: () => {
      const upkeep = (task: Upkeep) => lookAfter(archive, task, clock.now(), config.intradayDays);
      const stopJobs = startScheduler(
        { clock, collector, upkeep, tell, later, random: Math.random },
        TIMETABLE,
      );
      const watch = setInterval(() => {
        const watched = async () => {
          if ((await lake.version()) !== shown.version()) await refresh();
        };
        watched().catch((fault: unknown) =>
          tell({ kind: "job_failed", job: "lake-watch", error: String(fault) }),
        );
      }, LAKE_WATCH_MILLISECONDS);
      return () => {
        stopJobs();
        clearInterval(watch);
      };
    },
    /** The bytes that GET /v1/range sends for a query with these names; of the journal only what no server owns. */
    exportFile: (query: Query, format: ExportFormat, signal: AbortSignal) => {
      const flushed = { ...archive, flush: () => flushUnowned(archiveAt) };
      return openFile({ ...deps, archive: flushed }, query, format, signal);
    },
    /** See `compactAll`. */
    compact: (span: Pick<Span, "from" | "to">, progress: Span["progress"]) =>
      compactAll(archive, archiveAt, { ...span, now: clock.now(), keptDays: config.intradayDays, progress }),
    dataset: shown.dataset,
    held: shown.held,
    /** An operator's word on one held figure; true when it was held. */
    decide: (key: HeldKey, verdict: "release" | "discard") => decideHeld(ingest, key, verdict),
    /** Who sends a request is known only to the server that received it. */
    tellCallersBy: (address: (request: Request) => string) => {
      addressOf = address;
    },
    close: async () => {
      await exports.close();
      await archive.close();
      await lake.close();
    },
  };
}

/** The dataset that requests see, the one before it for cursors still under way, and the held figures. */
function createShownData(simulated: boolean, clock: Clock, tell: Tell) {
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

function later(milliseconds: number, run: () => void): () => void {
  const timer = setTimeout(run, milliseconds);
  return () => clearTimeout(timer);
}

/** CURSOR_SECRET, or one made once and kept beside the lake, so that cursors outlive a restart. */
async function cursorSecret(config: Config): Promise<string> {
  if (config.cursorSecret !== null) return config.cursorSecret;
  const file = Bun.file(join(config.dataDir, "cursor.key"));
  if (!(await file.exists())) await Bun.write(file, randomBytes(32).toString("hex"), { mode: 0o600 });
  return (await file.text()).trim();
}
