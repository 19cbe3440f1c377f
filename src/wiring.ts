/** Composition root: the only place where stores, sources, use cases, jobs and transport meet. */

import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { DemoReceiver } from "#assembly/accounts/demo.ts";
import { cursorSecret } from "#assembly/cursor-secret.ts";
import { openDaily } from "#assembly/daily/daily.ts";
import { watchLakeDamage } from "#assembly/daily/lake-damage.ts";
import { figureReview } from "#assembly/figure-review.ts";
import { startJobs } from "#assembly/jobs.ts";
import { openLive } from "#assembly/live/live.ts";
import { collectedTables, openMcp } from "#assembly/mcp.ts";
import { watchMemory } from "#assembly/memory-watch.ts";
import { type Listener, openMetrics } from "#assembly/metrics.ts";
import { officialAccess } from "#assembly/official/access.ts";
import { accountDeps, explainParts, exportsOf, servingSettings } from "#assembly/route-deps.ts";
import { chainOf, signedHistoryOf } from "#assembly/signing.ts";
import { storageFault, storageOf } from "#assembly/storage.ts";
import { every } from "#assembly/timers.ts";
import type { Config } from "#config.ts";
import { CacheBudget } from "#domain/cache/budget.ts";
import type { ExportFormat } from "#domain/history/export-plan.ts";
import { clientAddress } from "#domain/net/client-address.ts";
import { createApp } from "#http/app.ts";
import { outerOf } from "#http/request/inner-request.ts";
import { EVENT_FRAMES } from "#http/stream/stream.ts";
import type { Clock } from "#ports.ts";
import { openFile } from "#rates/export/export.ts";
import type { Query } from "#rates/parameters.ts";
import { readSeries } from "#rates/range/parameters.ts";
import { openAllSeriesCaches } from "#rates/range/range.ts";
import { openSpot } from "#rates/spot.ts";
import { newIncidents } from "#rates/status/incidents.ts";
import { openStream } from "#rates/stream/stream.ts";
import { openArchive } from "#store/archive/access.ts";
import { compactAll, flushUnowned, type Span } from "#store/archive/upkeep.ts";
import { openLakeFiles } from "#store/lake/files.ts";
import { openOfficialLake } from "#store/official-lake/official-lake.ts";
import type { Emit } from "#telemetry.ts";

export interface CrossrateOptions {
  readonly config: Config;
  readonly clock: Clock;
  readonly emit: Emit;
  readonly version: string;
  /** The demo: rates are made up, and everything says so. */
  readonly simulated: boolean;
  /** A server, which takes in live quotes and shows them; the other commands only read what it wrote. */
  readonly serves?: boolean;
  /** A command that answers requests itself, and so reads official publications, too. */
  readonly answers?: boolean;
}

/** A clock that starts at a given instant and runs on from there; without one, the real time. */
export function startClock(startAt: number | null): Clock {
  if (startAt === null) return { now: Date.now };
  const ahead = startAt - Date.now();
  return { now: () => Date.now() + ahead };
}

/** What the operator's commands about accounts work on; loaded for them alone. */
export async function openAccountTools(config: Config, clock: Clock, emit: Emit) {
  return await (await import("#assembly/accounts/operators.ts")).openAccountTools(config, clock, emit);
}

/** For the commands that look at a lake, or at everything, without opening it: repair, verify, doctor. */
export const loadMaintenance = async () => await import("#assembly/maintenance.ts");
export const loadHistory = async () => await import("#assembly/history.ts");
export const loadInspection = async () => await import("#assembly/inspection.ts");

/** Opens the stores and joins everything; nothing listens and nothing is scheduled yet. Rejects when the lake cannot be used. */
export async function openCrossrate(options: CrossrateOptions) {
  const { config, clock, version, simulated, serves = false, answers = false } = options;
  const metrics = serves && config.metrics !== null ? await openMetrics(config.metrics, options) : null;
  const emit = metrics?.emit ?? options.emit;
  await mkdir(config.dataDir, { recursive: true });
  const lakeDirectory = join(config.dataDir, "lake");
  const upstream = {
    clock,
    base: config.upstreamBase,
    userAgent: `crossrate/${version} (self-hosted reference rates)`,
  };
  const caches = new CacheBudget(config.memoryCacheBytes);
  const collects = config.role === "all";
  const chain = chainOf(config, { lakeDirectory, simulated, clock, emit, writes: !serves || collects });
  const storage = await storageOf(config, lakeDirectory, { clock, emit });
  const archiveAt = { directory: lakeDirectory, simulated, emit, now: clock.now, caches, chain, storage };
  const daily = await openDaily({ ...options, chain, lakeDirectory, upstream, emit, caches, storage });
  const { lake, holder } = daily;
  const archive = await openArchive(archiveAt, serves && collects);
  const live = await openLive({
    settings: serves ? config.live : { ...config.live, feeds: [] },
    redisUrl: serves ? config.redisUrl : null,
    ...{ dataDir: config.dataDir, upstream, archive, dataset: holder.dataset, clock, emit },
  });
  const { hotBook, policy } = live;
  const { delayMinutes } = config.live;
  const spot = openSpot({ dataset: holder.dataset, clock, hotBook, policy, simulated, delayMinutes });
  spot.add(await live.recent(), clock.now());
  const { streamSubscribers } = config;
  const stream = openStream({ spot, clock, hotBook, emit, streamSubscribers, every, frames: EVENT_FRAMES });
  const exports = exportsOf(config, lakeDirectory, archive, emit);

  const officialLake =
    config.official.tables === "off"
      ? null
      : openOfficialLake({ ...archiveAt, retentionDays: config.lakeRetentionDays });
  const damage = watchLakeDamage(
    [archive.table, ...(officialLake === null ? [] : [officialLake.table])],
    emit,
  );

  let peerOf = (_: Request): string => "";
  const accounts =
    serves && config.access === "metered"
      ? await (await import("#assembly/accounts/accounts.ts")).openAccounts({
          config,
          clock,
          emit,
          peerOf: (request) => peerOf(request),
          figures: figureReview(daily, live),
          ...(metrics === null ? {} : { watch: metrics.watch }),
        })
      : null;
  const publications = officialAccess(
    { config, clock, emit, upstream, copy: officialLake },
    () => accounts?.ledger ?? null,
  );
  const official = serves || answers ? await publications.open({ mayBegin: serves }) : null;
  daily.onEcbChange(() => void official?.ecbCollected());

  const cursor = await cursorSecret(config);
  const tables = official?.reading({ cursorSecret: cursor, simulated }) ?? null;
  const deps = {
    clock,
    emit,
    version,
    simulated,
    dataset: holder.dataset,
    spot,
    hotBook,
    feeds: live.feeds,
    stream,
    pinned: holder.pinned,
    recall: holder.recall,
    held: holder.held,
    ...daily.reports,
    probeLake: () => lake.version(),
    lakeStorage: () => storageFault(storage, clock),
    lakeDamage: () => [...daily.damage.list(), ...damage.list()],
    ...explainParts({ lakeDirectory, lake, caches, adapters: daily.adapters, feeds: live.polled }),
    lakeFiles: openLakeFiles({
      daily: lake.tables,
      intraday: archive.table,
      official: officialLake?.table ?? null,
    }),
    signedHistory: signedHistoryOf(chain, lake),
    cursorSecret: cursor,
    ...openAllSeriesCaches(caches),
    exports,
    archive,
    callerOf: (request: Request) =>
      clientAddress(peerOf(request), request.headers.get("x-forwarded-for"), config.accounts.trustedProxies),
    // The server names the peer of a request only while its answer is under way.
    isDone: (request: Request) => peerOf(request) === "",
    ...servingSettings(config),
    incidents: newIncidents(),
    startedAt: clock.now(),
    ...accountDeps(accounts, delayMinutes),
    official: tables,
    mcp: openMcp({ version, emit, officialTables: collectedTables(tables) }),
    officialStatus: official?.tableStatus ?? null,
    ...(metrics === null ? {} : { countRequest: metrics.countRequest }),
  };
  let listener: Listener | null = null;
  metrics?.readFrom({
    ...{ live, hotBook, status: deps, lake, stream, accounts, caches },
    listener: () => listener,
  });

  return {
    app: createApp(deps),
    collector: daily.collector,
    adapters: daily.adapters,
    backfill: daily.backfill,
    decide: daily.decide,
    /** Returns memory while there are few requests; the returned function ends it. */
    watchMemory: () => watchMemory(caches),
    /** Starts polling the live feeds, where this process is the one to do it; the returned function stops it. */
    startLive: () => (archive.isOwned ? live.collect() : () => {}),
    /** Starts collecting official publications, where this process collects; the returned function stops it. */
    startOfficial: () => (config.role === "api" ? undefined : official?.startJobs()) ?? (() => {}),
    /** Starts the timetable and the watch on the lake; the returned function stops both. */
    startJobs: () => {
      const parts = { config, clock, emit, daily, archive, damage, accounts, officialLake };
      return startJobs({ ...parts, status: deps });
    },
    /** The bytes that GET /v1/range sends for a query with these names; of the journal only what no server owns. */
    exportFile: async (query: Query, format: ExportFormat, signal: AbortSignal) => {
      const flushed = { ...archive, flush: () => flushUnowned(archiveAt) };
      return openFile({ ...deps, archive: flushed }, readSeries(query), format, signal);
    },
    /** See `compactAll`; the other tables get their checkpoint and lose their old versions, too. */
    compact: async (span: Pick<Span, "from" | "to">, progress: Span["progress"]) => {
      const now = clock.now();
      const all = { ...span, now, keptDays: config.intradayDays, progress };
      const report = await compactAll(archive, archiveAt, all);
      await lake.upkeep();
      await officialLake?.upkeep();
      return report;
    },
    dataset: holder.dataset,
    officialTables: collectedTables(tables),
    /** Null where access is open. */
    accounts,
    /** The demo's account, made where it is not there; null where access is open. */
    demoAccount: async (receiver?: DemoReceiver) => {
      const { openDemoAccount } = await import("#assembly/accounts/demo.ts");
      return accounts === null ? null : await openDemoAccount(accounts, receiver);
    },
    held: holder.held,
    liveOperator: live.operator,
    /** Official tables, for the commands; see `officialAccess`. */
    openOfficial: publications.open,
    /** Who sends a request is known only to the server that received it. */
    tellCallersBy: (address: (request: Request) => string) => {
      peerOf = (request) => address(outerOf(request));
    },
    /** What the metrics say of the server that listens. */
    tellListener: (server: Listener) => {
      listener = server;
    },
    /** Ends what a graceful stop would wait for without end. */
    endStreams: stream.close,
    close: async () => {
      stream.close();
      await metrics?.close();
      await publications.close();
      await officialLake?.close();
      await accounts?.close();
      await live.close();
      await exports.close();
      await archive.close();
      await lake.close();
      await storage?.close();
    },
  };
}
