/** Composition root: the only place where stores, sources, use cases, jobs and transport meet. */

import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { outerOf } from "#api/request/inner-request.ts";
import { createApp } from "#api/server.ts";
import { EVENT_FRAMES } from "#api/stream/stream.ts";
import type { DemoReceiver } from "#assembly/accounts/demo.ts";
import { type Collecting, type Collection, startCollection } from "#assembly/collection.ts";
import { cursorSecret } from "#assembly/cursor-secret.ts";
import { openDaily } from "#assembly/daily/daily.ts";
import { watchLakeDamage } from "#assembly/daily/lake-damage.ts";
import { fileCommands } from "#assembly/file-commands.ts";
import { startWatch } from "#assembly/jobs.ts";
import { newFencing, newHolder } from "#assembly/lease.ts";
import { openLive } from "#assembly/live/live.ts";
import { collectedTables, openMcp } from "#assembly/mcp.ts";
import type { Listener } from "#assembly/metrics.ts";
import { openObservation } from "#assembly/observation.ts";
import { officialAccess } from "#assembly/official/access.ts";
import { accountDeps, explainParts, exportsOf, figureReview, servingSettings } from "#assembly/route-deps.ts";
import { chainOf, signedHistoryOf } from "#assembly/signing.ts";
import { storageFault, storageOf } from "#assembly/storage.ts";
import { every } from "#assembly/timers.ts";
import { upstreamOf } from "#assembly/upstream.ts";
import type { Config } from "#config.ts";
import { CacheBudget } from "#domain/cache/budget.ts";
import { RIGHT_CLOCK } from "#domain/intake/own-clock.ts";
import { clientAddress } from "#domain/net/client-address.ts";
import type { Clock } from "#ports.ts";
import { newIncidents } from "#rates/incidents.ts";
import { openAllSeriesCaches } from "#rates/range/range.ts";
import { openSpot } from "#rates/spot.ts";
import { openStream } from "#rates/stream/stream.ts";
import { openArchive } from "#store/archive/archive.ts";
import { unfenced } from "#store/delta/storage.ts";
import { openLakeFiles } from "#store/lake/files.ts";
import { openOfficialLake } from "#store/official-lake/official-lake.ts";
import type { Emit } from "#telemetry.ts";
import { openSite } from "#web/pages.ts";

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

/** Each loaded for its commands alone: accounts; repair, verify and doctor, which look at a lake without opening it. */
export const loadAccountTools = async () => await import("#assembly/accounts/operators.ts");
export const loadMaintenance = async () => await import("#assembly/maintenance.ts");
export const loadHistory = async () => await import("#assembly/history.ts");
export const loadInspection = async () => await import("#assembly/inspection.ts");
export { becomeOnlyServer } from "#assembly/only-server.ts";

/** Opens the stores and joins everything; nothing listens and nothing is scheduled yet. Rejects when the lake cannot be used. */
export async function openCrossrate(options: CrossrateOptions) {
  const { config, clock, version, simulated, serves = false, answers = false } = options;
  const observed = await openObservation(config, options);
  const { emit } = observed;
  await mkdir(config.dataDir, { recursive: true });
  const lakeDirectory = join(config.dataDir, "lake");
  const upstream = upstreamOf(config, clock, version);
  const caches = new CacheBudget(config.memoryCacheBytes);
  const collects = config.role !== "api";
  const fencing = newFencing();
  const storage = await storageOf(config, lakeDirectory, { clock, emit, fencing: fencing.token });
  const writes = !serves || collects;
  const chain = chainOf(config, { lakeDirectory, storage, simulated, clock, emit, writes });
  const lakeAt = { directory: lakeDirectory, simulated, emit, now: clock.now, caches, chain };
  // Accepted quotes go into the table from any process: merging them twice changes nothing.
  const archiveAt = { ...lakeAt, storage: unfenced(storage) };
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
  const exports = exportsOf(config, lakeDirectory, archive, emit, serves);

  const officialLake =
    config.official.tables === "off"
      ? null
      : openOfficialLake({ ...lakeAt, storage, retentionDays: config.lakeRetentionDays });
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
          caches,
          peerOf: (request) => peerOf(request),
          figures: figureReview(daily, live, async () => (await publications.open())?.held ?? null),
          ...observed.accounts,
        })
      : null;
  // Of the processes of one machine, one owns the journal: the holder of a lease of that machine's own ledger is then dead.
  const isHolderDead = () => config.accounts.databaseUrl === null && archive.isOwned();
  const identity = { holder: newHolder(), isHolderDead };
  const access = { config, clock, emit, upstream, copy: officialLake, identity };
  const publications = officialAccess(access, () => accounts?.ledger ?? null);
  const official = serves || answers ? await publications.open({ mayBegin: serves }) : null;
  const ledger = serves && collects ? await publications.leaseLedger() : null;
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
    unsettled: holder.unsettled,
    ...daily.reports,
    process: () => ({ role: config.role, collecting: collection?.isLeading() === true, stopping }),
    ownClock: upstream.watch?.verdict ?? (() => RIGHT_CLOCK),
    probesOnly: config.role === "collector",
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
    ...{ exports, archive },
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
    openSite,
    ...observed.http,
  };
  let listener: Listener | null = null;
  let collection: Collection | null = null;
  let stopping = false;
  observed.readFrom({
    ...{ live, hotBook, status: deps, lake, stream, accounts, caches },
    listener: () => listener,
  });

  const jobParts = {
    config,
    clock,
    emit,
    daily,
    archive,
    damage,
    accounts,
    officialLake,
    ledger,
    status: deps,
  };
  return {
    app: observed.app(createApp(deps)),
    collector: daily.collector,
    adapters: daily.adapters,
    decide: daily.decide,
    decideDocument: daily.decideDocument,
    backfill: daily.backfill,
    /** Starts to poll the feeds, whether or not this process is the one to collect; the returned function stops it. */
    startLive: live.collect,
    /** Starts to collect as soon as this process is the one to do it; null where it only answers. See `startCollection`. */
    collect: (...how: Collecting) => {
      const parts = { live, official, ledger, fencing, storage, archiveAt, identity, jobs: jobParts };
      if (collects) collection = startCollection(parts, ...how);
      return collection;
    },
    /** Starts to show what is committed to the lake, here or elsewhere; the returned function stops it. */
    startWatch: () => startWatch(jobParts),
    /** From now on /status answers 503, and no delivery of an event is begun. */
    startStopping: () => {
      stopping = true;
      accounts?.stopDelivering();
    },
    ...fileCommands({ deps, archiveAt, lake, officialLake, intradayDays: config.intradayDays }),
    dataset: holder.dataset,
    officialTables: collectedTables(tables),
    /** Null where access is open. */
    accounts,
    /** The demo's account, made where it is not there; null where access is open. */
    demoAccount: async (receiver?: DemoReceiver) =>
      accounts === null
        ? null
        : await (await import("#assembly/accounts/demo.ts")).openDemoAccount(accounts, receiver),
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
      await publications.close();
      await officialLake?.close();
      await accounts?.close();
      await live.close();
      await exports.close();
      await archive.close();
      await lake.close();
      await storage?.close();
      await observed.close();
    },
  };
}
