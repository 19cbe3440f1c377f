/**
 * The composition root: opens the stores, builds the use cases and the application on them, and offers what a server or a command starts.
 * Larger pieces are in assembly/.
 */

import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { outerOf } from "#api/request/inner-request.ts";
import { openMeterless } from "#api/request/metering.ts";
import { createApp } from "#api/server.ts";
import { EVENT_FRAMES } from "#api/stream/stream.ts";
import { openAccounts } from "#assembly/accounts.ts";
import {
  type Collection,
  type CollectionParts,
  PENDING_MILLISECONDS,
  startCollection,
  startWatch,
} from "#assembly/collection.ts";
import { openDaily, watchLakeDamage } from "#assembly/daily.ts";
import type { DemoReceiver } from "#assembly/demo.ts";
import { compareClocks, openOwnLedger, watchPlans } from "#assembly/ledger.ts";
import { openLive } from "#assembly/live.ts";
import { collectedTables, openMcp } from "#assembly/mcp.ts";
import { type Listener, type ObservationOptions, openObservation } from "#assembly/observation.ts";
import { openPublications } from "#assembly/official.ts";
import { cursorSecret, every, failedJob, newHolder, upstreamOf } from "#assembly/process.ts";
import { storageFault, storageOf } from "#assembly/storage.ts";
import { evidenceOf } from "#domain/acceptance/statements.ts";
import { CacheBudget } from "#domain/cache/budget.ts";
import { currencyIndex } from "#domain/currency/currency.ts";
import { DAILY_SOURCES, type DailySource } from "#domain/currency/source.ts";
import type { Giver } from "#domain/explain/explanation.ts";
import { crossRate } from "#domain/history/cross.ts";
import type { FeedId } from "#domain/live/live-quote.ts";
import { clientAddress } from "#domain/net/address.ts";
import { once } from "#domain/queues/once.ts";
import { dayAt, MILLISECONDS_PER_DAY } from "#domain/time/day.ts";
import type { BackfillProgress } from "#ingest/backfill.ts";
import { nextCollection } from "#jobs/scheduler.ts";
import type { StatusLog } from "#ports/ledger.ts";
import type { CollectionReview } from "#ports.ts";
import { openAllSeriesCaches } from "#rates/range/range.ts";
import { openSpot } from "#rates/spot.ts";
import { openStream } from "#rates/stream/stream.ts";
import { openArchive } from "#store/archive/archive.ts";
import type { ImportOrder } from "#store/archive/imports.ts";
import { selectOf } from "#store/archive/quotes.ts";
import { openChain, openSignedHistory } from "#store/chain/chain.ts";
import { unfenced } from "#store/delta/storage.ts";
import { makeFolder } from "#store/disk/durable.ts";
import { openExports } from "#store/export/exports.ts";
import { openLakeFiles } from "#store/lake/files.ts";
import { datasetVersion, tableVersionOf } from "#store/lake/state.ts";
import { LEDGER_FILE } from "#store/ledger/ledger.ts";
import { openOfficialLake } from "#store/official-lake/official-lake.ts";
import { openReader } from "#store/parquet/duckdb-process.ts";
import { openSite } from "#web/pages.ts";
import type { Clock, FigureReview } from "./ports.ts";

export { openAccountTools } from "#assembly/accounts.ts";
export { becomeOnlyServer } from "#assembly/process.ts";
export { serverFaults } from "#assembly/settings.ts";

export interface CrossrateOptions extends Omit<ObservationOptions, "serves" | "publicUrl"> {
  readonly simulated: boolean;
  /** A demo that begins with the ECB's own history. */
  readonly realHistory?: boolean;
  /** True for a server, which collects and shows live quotes; commands only read. */
  readonly serves?: boolean;
  /** A command that answers requests, and so reads official publications. */
  readonly answers?: boolean;
}

/** A clock that starts at a given instant; null: the real time. */
export function startClock(startAt: number | null): Clock {
  if (startAt === null) return { now: Date.now };
  const ahead = startAt - Date.now();
  return { now: () => Date.now() + ahead };
}

/** For commands that read a lake without opening it: repair, verify, doctor. */
export const loadInspection = async () => await import("#assembly/inspection.ts");
const loadDemo = async () => await import("#assembly/demo.ts");
/** The start of the demo: the instant of its clock, and the ECB's own history as CSV. */
export const loadDemoHistory = async () => (await loadDemo()).demoHistory();

const COMPARE_MILLISECONDS = 60_000;
/** Memory of the export engine, beside that of the process. */
const EXPORT_MEMORY_MEGABYTES = 320;

/** A command that answers without a ledger has recorded nothing. */
const NO_STATUS_LOG: StatusLog = {
  note: async () => {},
  prune: async () => {},
  read: async () => ({ incidents: [], days: [], delays: new Map() }),
};

/** Nothing listens and nothing is scheduled yet. Rejects when the lake cannot be used. */
export async function openCrossrate(options: CrossrateOptions) {
  const { config, clock, version, simulated, serves = false, answers = false } = options;
  const { allowedHosts, answersPerAddress, batchLimit, mcpOrigins, role, streamBounds } = config;
  const publicUrl = config.accounts.publicUrl ?? `http://localhost:${config.port}`;
  const observed = await openObservation({ ...options, serves, publicUrl });
  const { emit } = observed;
  const upstream = upstreamOf(config, clock, version);
  const caches = new CacheBudget(config.memoryCacheBytes);
  const collects = role !== "api";
  const nextOf = (source: DailySource) => {
    const isPending = dataset()?.pending?.some((one) => one.source === source) === true;
    const planned = nextCollection(source, clock.now(), daily.reports.wholeReads()[source]?.dueAt);
    return planned !== null && isPending ? Math.min(planned, clock.now() + PENDING_MILLISECONDS) : planned;
  };

  // ── Stores ────────────────────────────────────────────────────────────────────────────────────────

  makeFolder(config.dataDir);
  const lakeDirectory = join(config.dataDir, "lake");
  const fencing: CollectionParts["fencing"] = { token: null };
  const storage = await storageOf(config, lakeDirectory, { clock, emit, fencing: () => fencing.token });
  const lakePlace = { directory: lakeDirectory, emit, now: clock.now };
  // A server that only answers signs nothing: it has no keys.
  const keys = serves && !collects ? null : { dataDir: config.dataDir, fromSetting: config.lakeSigningKeys };
  const chain = openChain({ ...lakePlace, storage, keys, mode: simulated ? "simulated" : "real" });
  const daily = await openDaily({ ...options, chain, lakeDirectory, upstream, emit, caches, storage });
  const { lake, holder } = daily;
  const { dataset } = holder;
  // The archive is not fenced: any process may flush accepted quotes, and merging them twice changes nothing. Only servers start
  // further processes: a command reads once.
  const reader = serves && !collects ? openReader(lakeDirectory) : null;
  const archive = await openArchive(
    {
      ...{ ...lakePlace, simulated, caches, chain, storage: unfenced(storage) },
      ...(reader !== null && { reader }),
    },
    serves && collects,
  );
  const retentionDays = config.lakeRetentionDays;
  const officialLake =
    config.official.tables === "off"
      ? null
      : openOfficialLake({ ...lakePlace, simulated, chain, storage, retentionDays });
  const damage = watchLakeDamage(
    [archive.table, ...(officialLake === null ? [] : [officialLake.table])],
    emit,
  );
  let lakeId: string | null = null;
  const live = await openLive({
    settings: serves ? config.live : { ...config.live, feeds: [] },
    redisUrl: serves ? config.redisUrl : null,
    lake: () => {
      lakeId ??= lake.tables.daily.latest()?.metaData.id ?? null;
      return lakeId;
    },
    ...{ dataDir: config.dataDir, upstream, archive, dataset, clock, emit },
  });
  const { hotBook, policy } = live;

  // ── Use cases ─────────────────────────────────────────────────────────────────────────────────────

  const { delayMinutes } = config.live;
  const spot = openSpot({ dataset, clock, hotBook, policy, simulated, delayMinutes });
  spot.add(await live.recent(), clock.now());
  const { streamSubscribers } = config;
  const stream = openStream({ spot, clock, hotBook, emit, streamSubscribers, every, frames: EVENT_FRAMES });
  const exports = openExports({
    directory: join(config.dataDir, "exports"),
    sources: [lakeDirectory],
    archiveSelect: (plan) => selectOf(archive, plan),
    atOnce: config.exportConcurrency,
    waiting: config.exportQueue,
    threads: Math.max(1, availableParallelism() - 1),
    memoryMegabytes: EXPORT_MEMORY_MEGABYTES,
    isOwnProcess: serves,
    keptBytes: config.exportCacheBytes,
    emit,
  });

  // The server that receives a request knows its peer, until the request is answered.
  let peerOf = (_: Request): string => "";
  const callerOf = (request: Request) =>
    clientAddress(peerOf(request), request.headers.get("x-forwarded-for"), config.accounts.trustedProxies);
  const figures: FigureReview = {
    publications: async () => (await openOfficial())?.held ?? null,
    held: holder.held,
    evidence: (figure) => evidenceOf(figure, dataset()?.history ?? null, holder.statements()),
    contradictions: () =>
      Object.values(holder.unsettled()).flatMap(({ contradictions }) => contradictions ?? []),
    decide: daily.decide,
    decideDocument: daily.decideDocument,
    refused: live.operator.refused,
    releases: live.operator.inForce,
    release: live.operator.release,
  };
  const collections: CollectionReview = {
    list: async () => {
      const titles = new Map(
        official?.offered.map(({ table }) => [table.id, `${table.authority}: ${table.title}`]),
      );
      const tables = (await official?.tableStatus()) ?? [];
      return [
        ...daily.reports.collection().map((state) => ({
          ...state,
          id: state.source,
          title: daily.adapters.find(({ id }) => id === state.source)?.authority ?? state.source,
        })),
        ...tables.map((state) => ({
          ...state,
          id: state.table,
          title: titles.get(state.table) ?? state.table,
        })),
      ];
    },
    start: (id) => {
      if (collection?.isLeading() !== true) return false;
      const source = DAILY_SOURCES.find((name) => name === id);
      const run =
        source === undefined
          ? official?.collector.collect(id, "recent")
          : daily.collector.collect(source, "latest");
      run?.catch(failedJob(emit, "collect-now"));
      return run !== undefined;
    },
  };
  const accounts =
    serves && config.access === "metered"
      ? await openAccounts({
          config,
          clock,
          emit,
          caches,
          callerOf,
          counted: observed.accounts,
          figures,
          collections,
          watch: upstream.watch,
        })
      : null;

  const ownLedger = once(() => openOwnLedger(config, clock, emit));
  const openLedger = async () => accounts?.ledger ?? (await ownLedger.get());
  const holderName = newHolder();
  const publications = once(async () =>
    officialLake === null
      ? null
      : await openPublications({
          config,
          clock,
          emit,
          upstream,
          openLedger,
          copy: officialLake,
          holder: holderName,
        }),
  );
  /** Null with OFFICIAL_TABLES=off, and if `mayBegin` is false and there is no ledger. Rejects with ConfigFault, or as `openLedger`. */
  const openOfficial = async ({ mayBegin } = { mayBegin: true }) => {
    const isThere = config.accounts.databaseUrl !== null || existsSync(join(config.dataDir, LEDGER_FILE));
    return mayBegin || isThere ? await publications.get() : null;
  };
  const official = serves || answers ? await openOfficial({ mayBegin: serves }) : null;
  const opened = serves ? await openLedger() : (official?.ledger ?? null);
  const plans = serves && opened !== null ? await watchPlans(config, opened, emit, accounts !== null) : null;
  const stopComparing = every(COMPARE_MILLISECONDS, () => {
    if (opened !== null) void compareClocks(config, opened, upstream.watch);
    void plans?.look();
  });

  // ── Application ───────────────────────────────────────────────────────────────────────────────────

  const secret = cursorSecret(config);
  const tables = official?.reading({ cursorSecret: secret, simulated }) ?? null;
  const officialTables = collectedTables(tables);
  const givers = new Map<string, Giver>(
    [...daily.adapters, ...live.polled].map(({ id, authority, terms }) => [id, { authority, terms }]),
  );
  const openAccess = {
    ...{ account: null, identity: null, billing: null, webhooks: null, accounts: null },
    meter: openMeterless(delayMinutes),
    pageDelayMinutes: delayMinutes,
  };
  let listener: Listener | null = null;
  let collection: Collection | null = null;
  let stopping = false;
  const deps = {
    ...{ clock, emit, version, simulated, dataset, spot, hotBook, stream, exports, archive, callerOf },
    ...{ publicUrl, allowedHosts, answersPerAddress, batchLimit, mcpOrigins, streamBounds, openSite },
    ...(accounts?.routes ?? openAccess),
    ...(accounts !== null &&
      plans !== null && {
        accounts: {
          ...accounts.routes.accounts,
          limits: () => plans.shown(accounts.routes.accounts.limits()),
        },
      }),
    ...openAllSeriesCaches(caches),
    ...daily.reports,
    ...observed.http,
    feeds: live.feeds,
    pinned: holder.pinned,
    recall: holder.recall,
    unsettled: holder.unsettled,
    ...(collects && { nextCollection: nextOf }),
    process: () => ({ role, collecting: collection?.isLeading() === true, stopping }),
    ownClock: upstream.watch.verdict,
    probesOnly: role === "collector",
    probeLake: () => lake.version(),
    lakeStorage: () => storageFault(storage, clock),
    lakeDamage: () => [...daily.lacking(), ...damage.list()],
    // A feed that is no longer configured is named by its id.
    giver: (name: DailySource | FeedId) => givers.get(name) ?? { authority: name, terms: "" },
    lakeFiles: openLakeFiles({
      daily: lake.tables,
      intraday: archive.table,
      official: officialLake?.table ?? null,
    }),
    signedHistory: openSignedHistory(chain, {
      table: lake.tables.daily,
      nameOf: (snapshot) => datasetVersion({ daily: snapshot }),
      versionOf: tableVersionOf,
    }),
    cursorSecret: secret,
    isDone: (request: Request) => peerOf(request) === "",
    statusLog: opened?.status ?? NO_STATUS_LOG,
    startedAt: clock.now(),
    official: tables,
    officialStatus: official?.tableStatus ?? null,
    mcp: openMcp({ version, emit, officialTables }),
  };
  observed.readFrom({
    ...{ live, hotBook, status: deps, lake, stream, accounts, caches },
    listener: () => listener,
  });

  const parts = {
    ...{ config, clock, emit, daily, archive, damage, live, accounts, official, officialLake },
    ...{ holder: holderName, fencing, storage, status: deps },
    isClockProven: upstream.watch.isProven,
  };
  return {
    app: observed.app(createApp(deps)),
    collector: daily.collector,
    nextCollection: nextOf,
    adapters: daily.adapters,
    backfill: daily.backfill,
    beginWithSnapshot: daily.beginWithSnapshot,
    dataset,
    figures,
    openOfficial,
    officialTables,
    accounts,
    demoAccount: async (receiver?: DemoReceiver) =>
      accounts === null ? null : await (await loadDemo()).openDemoAccount(accounts, receiver),

    // ── What a server starts ───────────────────────────────────────────────────────────────────────

    /** The returned function stops it. */
    startLive: live.collect,
    /** Null for a process that only answers. See `startCollection`. */
    collect: (prepared: Promise<unknown>, progress: (step: BackfillProgress) => void) => {
      if (collects && opened !== null)
        collection = startCollection({ ...parts, ledger: opened }, prepared, progress);
      return collection;
    },
    /** The returned function stops it. */
    startWatch: () => startWatch(parts),
    /** Only the server that received a request knows its sender. */
    setPeerAddress: (address: (request: Request) => string) => {
      peerOf = (request) => address(outerOf(request));
    },
    setListener: (server: Listener) => {
      listener = server;
    },
    /** Makes /status answer 503, and begins no further delivery. */
    startStopping: () => {
      stopping = true;
      accounts?.stopDelivering();
    },
    /** A graceful stop would wait for open streams for ever. */
    endStreams: stream.close,

    // ── What commands do to files without a server ─────────────────────────────────────────────────

    /** Writes the quotes of a journal that no server owns to the lake's files. */
    flushJournal: archive.flushUnowned,
    importQuotes: (order: Pick<ImportOrder, "path" | "wishes" | "label" | "progress">) => {
      const history = dataset()?.history ?? null;
      const { intradayDays } = config;
      const oldest = intradayDays === null ? 0 : dayAt(clock.now()) - intradayDays + 1;
      return archive.importQuotes({
        ...order,
        from: oldest * MILLISECONDS_PER_DAY,
        reference: (base, quote, day) => {
          const [from, to] = [currencyIndex(base), currencyIndex(quote)];
          const cross = history === null ? null : crossRate(history, day, from, to);
          return cross === null ? null : Number(cross.text);
        },
      });
    },
    removeImport: archive.removeImport,
    /** As the archive's `compact`; the other tables get their upkeep, too. */
    compact: async () => {
      const report = await archive.compact(config.intradayDays);
      await lake.upkeep();
      await officialLake?.upkeep();
      return report;
    },

    close: async () => {
      stopComparing();
      stream.close();
      await (await publications.opened()?.catch(() => null))?.close();
      await (await ownLedger.opened()?.catch(() => null))?.close();
      await officialLake?.close();
      await accounts?.close();
      await live.close();
      await exports.close();
      await archive.close();
      await reader?.close();
      await lake.close();
      await storage?.close();
      await observed.close();
    },
  };
}
