/**
 * The scheduled work of this process. Collection (live quotes, official tables, daily rates, upkeep) starts and stops with a
 * lease: of several collectors of a lake only one works, and another takes over when it is gone.
 */

import { setTimeout as sleep } from "node:timers/promises";
import type { Config } from "#config.ts";
import type { Lease } from "#domain/account/ledger.ts";
import type { BackfillProgress } from "#ingest/backfill.ts";
import { startLeadership } from "#jobs/leadership.ts";
import { startScheduler } from "#jobs/scheduler.ts";
import { TIMETABLE, type Upkeep } from "#jobs/timetable.ts";
import type { Ledger, StatusLog } from "#ports/ledger.ts";
import type { Clock } from "#ports.ts";
import { lookKeeper } from "#rates/incidents.ts";
import { type StatusDeps, status } from "#rates/status.ts";
import type { Archive } from "#store/archive/archive.ts";
import type { FencingToken, LakeStorage } from "#store/delta/storage.ts";
import { Fenced } from "#store/delta/table.ts";
import { INSTALLATION_ID } from "#store/ledger/engine/installation.ts";
import type { OfficialLake } from "#store/official-lake/official-lake.ts";
import type { Emit } from "#telemetry.ts";
import type { Accounts } from "./accounts.ts";
import type { Daily, LakeDamage } from "./daily.ts";
import type { Live } from "./live.ts";
import type { OpenPublications } from "./official.ts";
import { every, failedJob, later } from "./process.ts";

export interface WatchParts {
  readonly clock: Clock;
  readonly emit: Emit;
  readonly daily: Daily;
  readonly damage: LakeDamage;
  readonly status: StatusDeps & { readonly statusLog: StatusLog };
}

export interface CollectionParts extends WatchParts {
  readonly config: Pick<Config, "intradayDays">;
  readonly archive: Archive;
  readonly live: Pick<Live, "collect" | "refill">;
  readonly accounts: Pick<Accounts, "startUpkeep" | "startQuotaMails"> | null;
  readonly official: Pick<OpenPublications, "startJobs"> | null;
  readonly officialLake: Pick<OfficialLake, "audit" | "upkeep"> | null;
  readonly ledger: Pick<Ledger, "leases" | "installation" | "check">;
  /** The name of this process in leases. */
  readonly holder: string;
  /** The token of this process's commits: that of its newest lease, also after losing it. */
  readonly fencing: { token: FencingToken | null };
  /** Null unless several machines share the lake: then its commits are fenced. */
  readonly storage: LakeStorage | null;
  /** False: nothing is removed by its age. */
  readonly isClockProven: () => boolean;
  readonly firstMilliseconds?: number;
  readonly pendingMilliseconds?: number;
}

export type Collection = ReturnType<typeof startCollection>;

const OWN_MILLISECONDS = 1_000;
const HAND_IN_MILLISECONDS = 60_000;
/** Longest wait of official histories for the first history of rates: reading both at the same time takes 60 MB more. */
const LONGEST_FIRST_MILLISECONDS = 30_000;
/** How soon a source that was never collected is tried again: what needs it is refused meanwhile. */
export const PENDING_MILLISECONDS = 5 * 60_000;
/** The first flush is early: the lake has quotes of this day soon after a start, for those who try it out. */
const FIRST_FLUSH_MILLISECONDS = 20_000;
/** Damage that requests find is logged within this time. */
const DAMAGE_WATCH_MILLISECONDS = 10_000;
/** How often the state of each part is noted for the status page. */
const STATUS_LOOK_MILLISECONDS = 60_000;

/**
 * Collects as soon as this process leads; official tables also wait for `prepared`. `current` resolves when the lake is up to date
 * for the first time (at once if another process collects), and rejects as the first backfill does.
 */
export function startCollection(
  parts: CollectionParts,
  prepared: Promise<unknown>,
  progress: (step: BackfillProgress) => void,
) {
  const { archive, daily, emit, live, official, ledger, holder } = parts;
  const { firstMilliseconds = LONGEST_FIRST_MILLISECONDS, pendingMilliseconds = PENDING_MILLISECONDS } =
    parts;
  const first = Promise.withResolvers<void>();
  let isLeading = false;
  const failed = (job: string) => failedJob(emit, job);

  const lead = (lease: Lease) => {
    const stops: (() => void)[] = [];
    let isOver = false;
    const starting = (start: () => () => void) => {
      if (!isOver) stops.push(start());
    };
    /** Tries again until the journal is free: its former owner may still be ending. */
    const startLive = async (): Promise<void> => {
      if (isOver) return;
      const isTakeover = !archive.isOwned();
      if (await archive.own()) {
        if (isTakeover) await live.refill();
        starting(live.collect);
      } else setTimeout(() => void startLive().catch(failed("live-start")), OWN_MILLISECONDS).unref();
    };
    const begin = async (): Promise<void> => {
      await fence(parts, lease).catch(failed("lake-fence"));
      // Live quotes do not wait for the histories.
      void startLive().catch(failed("live-start"));
      const isNew = (daily.holder.dataset()?.history.observations.count ?? 0) === 0;
      const filling = isOver ? Promise.resolve() : daily.backfill(progress);
      if (official !== null) {
        const filled = isNew ? settledWithin(filling, firstMilliseconds) : null;
        void Promise.all([prepared, filled])
          .then(() => starting(official.startJobs))
          .catch(failed("official-start"));
      }
      // After the stop the lake may be gone: a failed read is then not a fault.
      filling.then(first.resolve, (fault) => (isOver ? first.resolve() : first.reject(fault)));
      await filling.catch(failed("backfill"));
      starting(() => startTimetable(parts));
      starting(() => every(pendingMilliseconds, () => void daily.collectPending().catch(failed("backfill"))));
    };
    isLeading = true;
    void begin();
    return async () => {
      isOver = true;
      isLeading = false;
      for (const stop of stops) stop();
      await archive.flush().catch(failed("archive-flush"));
      await archive.disown().catch(failed("archive-flush"));
    };
  };

  const { leases } = ledger;
  const leadership = startLeadership({ leases, name: leaseName(parts), holder, emit, every }, lead);
  void leadership.settled().then(() => {
    if (!isLeading) first.resolve();
  });
  const stopHandIn = every(HAND_IN_MILLISECONDS, () => {
    if (!isLeading) void archive.flushUnowned().catch(failed("archive-flush"));
  });
  return {
    current: first.promise,
    isLeading: () => isLeading,
    stop: async () => {
      stopHandIn();
      await leadership.stop();
    },
  };
}

async function settledWithin(work: Promise<unknown>, milliseconds: number): Promise<void> {
  await Promise.race([work.catch(() => {}), sleep(milliseconds, undefined, { ref: false })]);
}

/** Processes with the same lake compete for the same lease. */
function leaseName({ daily }: CollectionParts): string {
  return `collection ${daily.lake.tables.daily.latest()?.metaData.id ?? "of a new lake"}`;
}

/**
 * Ends the commits of earlier collectors: their tokens are older. A holder that finds a newer one has a ledger that was restored from a
 * backup: it takes a token above the newest in the lake.
 */
async function fence({ fencing, storage, daily, ledger }: CollectionParts, lease: Lease): Promise<void> {
  const installation = storage === null ? null : await ledger.installation.read(INSTALLATION_ID);
  if (installation === null) return;
  fencing.token = { ledger: installation, epoch: lease.epoch };
  await daily.lake.fence().catch(async (fault: unknown) => {
    if (fault instanceof Fenced) await ledger.leases.surpass(lease, fault.newer);
    throw fault;
  });
}

/** Daily rates and upkeep by the timetable. The returned function stops it. */
function startTimetable(parts: CollectionParts): () => void {
  const { config, clock, emit, daily, archive, damage, accounts, officialLake, ledger, status } = parts;
  const { isClockProven } = parts;
  const keep = async (upkeep: Upkeep) => {
    if (upkeep === "verify") {
      await daily.verify();
      await archive.audit();
      await officialLake?.audit();
      damage.report();
      await ledger.check();
      return;
    }
    if (upkeep === "flush") {
      await archive.flush();
      return;
    }
    // A clock far ahead would make everything old, and remove it for good.
    if (!isClockProven()) return;
    await status.statusLog.prune(clock.now());
    if (config.intradayDays !== null) await archive.retain(config.intradayDays, clock.now());
    await archive.upkeep();
    await daily.lake.upkeep();
    await officialLake?.upkeep();
  };
  const perform = (job: (typeof TIMETABLE)[number]) =>
    "upkeep" in job
      ? keep(job.upkeep)
      : job.whenDue
        ? daily.readWholeIfDue(job.source)
        : daily.collector.collect(job.source, job.reach);
  const stops = [
    startScheduler({ clock, emit, later, random: Math.random, perform }, TIMETABLE),
    accounts?.startUpkeep(isClockProven),
    accounts?.startQuotaMails(),
    later(FIRST_FLUSH_MILLISECONDS, () => void keep("flush").catch(failedJob(emit, "flush"))),
  ];
  return () => {
    for (const stop of stops) stop?.();
  };
}

/** Shows commits of every process, and looks for damage. The returned function stops it. */
export function startWatch({ clock, emit, daily, damage, status: statusDeps }: WatchParts): () => void {
  const keep = lookKeeper(statusDeps.statusLog);
  /** Only the process that collects keeps the log: the others know less of the sources. */
  const look = async () => {
    const report = await status(statusDeps);
    if (report.process.collecting) await keep(report, clock.now());
  };
  const stops = [
    daily.watch(),
    every(DAMAGE_WATCH_MILLISECONDS, damage.report),
    every(STATUS_LOOK_MILLISECONDS, () => {
      void look().catch(failedJob(emit, "status-log"));
    }),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}
