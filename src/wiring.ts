/** Composition root: the only place where stores, sources, use cases, jobs and transport meet. */

import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { cursorSecret } from "#assembly/cursor-secret.ts";
import type { DemoReceiver } from "#assembly/demo-endpoint.ts";
import { exportsOf } from "#assembly/exports.ts";
import { openLive } from "#assembly/live.ts";
import { openMetrics } from "#assembly/metrics.ts";
import { officialAccess } from "#assembly/official-access.ts";
import { createShownData } from "#assembly/shown-data.ts";
import { every, later } from "#assembly/timers.ts";
import type { ExportFormat } from "#domain/export-plan.ts";
import { createApp } from "#http/app.ts";
import { openMeterless } from "#http/metering.ts";
import type { Query } from "#http/query.ts";
import { openFile } from "#http/range-export.ts";
import { EVENT_FRAMES } from "#http/stream.ts";
import { type BackfillProgress, backfill } from "#ingest/backfill.ts";
import { createCollector } from "#ingest/collect.ts";
import { decideHeld, type HeldKey } from "#ingest/decide.ts";
import { startScheduler } from "#jobs/scheduler.ts";
import { TIMETABLE } from "#jobs/timetable.ts";
import type { Clock } from "#ports.ts";
import { newSeriesKeep } from "#rates/range.ts";
import { openSpot } from "#rates/spot.ts";
import { openStream } from "#rates/stream/stream.ts";
import { dailyAdapters } from "#sources/catalogue.ts";
import { openUpstream } from "#sources/fetch.ts";
import { lookAfter, openArchive } from "#store/archive/access.ts";
import { compactAll, flushUnowned, type Span } from "#store/archive/upkeep.ts";
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
  /** A server, which takes in live quotes and shows them; the other commands only read what it wrote. */
  readonly serves?: boolean;
}

/** How often the lake is looked at for commits of another process (the command line, another replica). */
const LAKE_WATCH_MILLISECONDS = 2_000;

/** A clock that starts at a given instant and runs on from there; without one, the real time. */
export function startClock(startAt: number | null): Clock {
  if (startAt === null) return { now: Date.now };
  const ahead = startAt - Date.now();
  return { now: () => Date.now() + ahead };
}

/** What the operator's commands about accounts work on; loaded for them alone. */
export async function openAccountTools(config: Config, clock: Clock, tell: Tell) {
  return await (await import("#assembly/account-tools.ts")).openAccountTools(config, clock, tell);
}

/** Opens the stores and joins everything; nothing listens and nothing is scheduled yet. Rejects when the lake cannot be used. */
export async function openCrossrate(surroundings: Surroundings) {
  const { config, clock, version, simulated, serves = false } = surroundings;
  const metrics = serves && config.metrics !== null ? await openMetrics(config.metrics, surroundings) : null;
  const tell = metrics?.tell ?? surroundings.tell;
  await mkdir(config.dataDir, { recursive: true });
  const lakeDirectory = join(config.dataDir, "lake");
  const lake = await openLake({ directory: lakeDirectory, simulated, tell });
  const archiveAt = { directory: lakeDirectory, simulated, tell };
  const archive = await openArchive(archiveAt, serves && config.role === "all");
  const shown = createShownData(simulated, clock, tell);
  shown.show(await lake.read());

  const adapters = dailyAdapters({ fredApiKey: config.fredApiKey });
  const client = {
    clock,
    base: config.upstreamBase,
    userAgent: `crossrate/${version} (self-hosted reference rates)`,
  };
  const upstream = openUpstream(client);
  const live = await openLive({
    settings: serves ? config.live : { ...config.live, feeds: [] },
    redisUrl: serves ? config.redisUrl : null,
    upstream: client,
    archive,
    dataset: shown.dataset,
    clock,
    tell,
  });
  const spot = openSpot({
    dataset: shown.dataset,
    clock,
    hotBook: live.hotBook,
    policy: live.policy,
    simulated,
    delayMinutes: config.live.delayMinutes,
  });
  spot.add(await live.recent(), clock.now());
  const refresh = async () => shown.show(await lake.read());
  const ingest = { lake, upstream, adapters, clock, tell, onCommitted: refresh };
  const collecting = createCollector(ingest);
  const collector: typeof collecting = {
    ...collecting,
    collect: async (...what) => {
      const before = shown.version();
      const state = await collecting.collect(...what);
      // A document without news still moves the coverage, and with it what counts as stale.
      await refresh();
      if (what[0] === "ecb_daily" && shown.version() !== before) void official?.ecbCollected();
      return state;
    },
  };

  const exports = exportsOf(config, lakeDirectory, tell);
  const { hotBook } = live;
  const { streamSubscribers } = config;
  const stream = openStream({ spot, clock, hotBook, tell, streamSubscribers, every, frames: EVENT_FRAMES });
  let peerOf = (_: Request): string => "";
  const accounts =
    serves && config.access === "metered"
      ? await (await import("#assembly/accounts.ts")).openAccounts({
          config,
          clock,
          tell,
          peerOf: (request) => peerOf(request),
          ...(metrics === null ? {} : { watch: metrics.watch }),
        })
      : null;

  const joined = { config, clock, tell, upstream: client, dataset: shown.dataset };
  const publications = officialAccess(joined, () => accounts?.ledger ?? null);
  const official = serves ? await publications.open() : null;
  const cursor = await cursorSecret(config);

  const deps = {
    clock,
    tell,
    version,
    simulated,
    dataset: shown.dataset,
    spot,
    hotBook,
    feeds: live.feeds,
    stream,
    pinned: shown.pinned,
    held: shown.held,
    collection: () => collector.states(),
    probeLake: () => lake.version(),
    lakeFiles: openLakeFiles(lakeDirectory),
    cursorSecret: cursor,
    ...newSeriesKeep(),
    exports,
    archive,
    callerOf: (request: Request) => accounts?.addressOf(request) ?? peerOf(request),
    allowedHosts: config.allowedHosts,
    batchLimit: config.batchLimit,
    streamsPerCaller: config.streamsPerCaller,
    meter: accounts?.meter ?? openMeterless(config.live.delayMinutes),
    account: accounts?.account ?? null,
    identity: accounts?.identity ?? null,
    billing: accounts?.selling ?? null,
    webhooks: accounts?.webhooks ?? null,
    official: official?.reading({ cursorSecret: cursor, simulated }) ?? null,
    officialStandings: official?.standings ?? null,
    accounts:
      accounts === null
        ? null
        : { kind: accounts.kind, probe: accounts.ledger.probe, limits: accounts.counters.state },
    ...(metrics === null ? {} : { countRequest: metrics.countRequest }),
  };
  metrics?.readFrom({ live, hotBook, status: deps, lake, stream, accounts });
  const app = createApp(deps);

  return {
    app,
    collector,
    adapters,
    /** Brings the lake up to date: the whole history where it is missing, else the last 90 days. */
    backfill: (progress: (step: BackfillProgress) => void) =>
      backfill({ ...ingest, collector }, { progress }),
    /** Starts polling the live feeds, where this process is the one to do it; the returned function stops it. */
    startLive: () => (archive.isOwned ? live.collect() : () => {}),
    /** Starts the timetable and the watch on the lake; the returned function stops both. */
    startJobs: () => {
      const perform = (job: (typeof TIMETABLE)[number]) =>
        "upkeep" in job
          ? lookAfter(archive, job.upkeep, clock.now(), config.intradayDays)
          : collector.collect(job.source, job.reach);
      const timing = { clock, tell, later, random: Math.random };
      const stopJobs = config.role === "api" ? () => {} : startScheduler({ ...timing, perform }, TIMETABLE);
      const stopAccounts = accounts?.startJobs(config.role) ?? (() => {});
      const stopOfficial = config.role === "api" ? () => {} : (official?.startJobs() ?? (() => {}));
      const watched = async () => {
        if ((await lake.version()) !== shown.version()) await refresh();
      };
      const stopWatch = every(LAKE_WATCH_MILLISECONDS, () => {
        watched().catch((fault: unknown) =>
          tell({ kind: "job_failed", job: "lake-watch", error: String(fault) }),
        );
      });
      return () => {
        stopJobs();
        stopAccounts();
        stopOfficial();
        stopWatch();
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
    /** Null where access is open. */
    accounts,
    /** The demo's account, made where it is not there; null where access is open. */
    demoAccount: async (receiver?: DemoReceiver) => {
      const { openDemoAccount } = await import("#assembly/demo-account.ts");
      return accounts === null ? null : await openDemoAccount(accounts, receiver);
    },
    held: shown.held,
    /** Official tables, for the commands; see OfficialAccess. */
    openOfficial: publications.open,
    /** An operator's word on one held figure; true when it was held. */
    decide: (key: HeldKey, verdict: "release" | "discard") => decideHeld(ingest, key, verdict),
    /** Who sends a request is known only to the server that received it. */
    tellCallersBy: (address: (request: Request) => string) => {
      peerOf = address;
    },
    /** Ends what a graceful stop would wait for without end. */
    endStreams: stream.close,
    close: async () => {
      stream.close();
      await metrics?.close();
      await publications.close();
      await accounts?.close();
      await live.close();
      await exports.close();
      await archive.close();
      await lake.close();
    },
  };
}
