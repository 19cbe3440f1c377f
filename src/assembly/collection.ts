/**
 * Collection as one thing that starts and stops with a lease: live quotes, official tables, daily rates, and upkeep. Of several
 * collectors of one lake one does it; another takes over when that one is gone.
 */

import type { Lease } from "#domain/account/ledger.ts";
import type { BackfillProgress } from "#ingest/backfill.ts";
import { startLeadership } from "#jobs/leadership.ts";
import type { Ledger } from "#ports/ledger.ts";
import { flushUnowned } from "#store/archive/upkeep.ts";
import type { LakeStorage } from "#store/delta/storage.ts";
import { INSTALLATION_ID } from "#store/ledger/engine/installation.ts";
import { type JobParts, startTimetable } from "./jobs.ts";
import type { LeaseIdentity, newFencing } from "./lease.ts";
import type { Live } from "./live/live.ts";
import type { OpenPublications } from "./official/official.ts";
import { every } from "./timers.ts";

export interface CollectionParts {
  readonly jobs: JobParts;
  readonly live: Pick<Live, "collect">;
  /** Null where official tables are switched off. */
  readonly official: Pick<OpenPublications, "startJobs"> | null;
  /** Has the leases; null where nothing needs a ledger. */
  readonly ledger: Pick<Ledger, "leases" | "installation"> | null;
  readonly fencing: ReturnType<typeof newFencing>;
  /** Where several machines share the lake: then its commits are fenced. */
  readonly storage: LakeStorage | null;
  readonly archiveAt: Parameters<typeof flushUnowned>[0];
  readonly identity: LeaseIdentity;
  /** How long official tables wait for the first history of rates. */
  readonly firstMilliseconds?: number;
}

export type Collection = ReturnType<typeof startCollection>;
export type Collecting = Parameters<typeof startCollection> extends [unknown, ...infer How] ? How : never;

const OWN_MILLISECONDS = 1_000;
const HAND_IN_MILLISECONDS = 60_000;
/** Official histories read beside the first history of rates take 60 MB more at the peak. They wait for it, at most this long. */
const LONGEST_FIRST_MILLISECONDS = 30_000;

/**
 * Starts to collect as soon as this process is the one to do it: once what has to be there before the first official publication
 * is `prepared`. `current` resolves when the lake has been brought up to date for the first time, at once where another process
 * does that, and rejects as the first backfill does. Without a ledger there is no lease, and each process that can own the journal
 * collects.
 */
export function startCollection(
  parts: CollectionParts,
  prepared: Promise<unknown>,
  progress: (step: BackfillProgress) => void,
) {
  const { jobs, live, official, ledger, firstMilliseconds = LONGEST_FIRST_MILLISECONDS } = parts;
  const { archive, daily, emit } = jobs;
  const first = Promise.withResolvers<void>();
  let isFirst = true;
  let isLeading = false;
  const failed = (job: string) => (fault: unknown) =>
    emit({ kind: "job_failed", job, error: fault instanceof Error ? fault.message : String(fault) });

  const lead = (lease: Lease | null) => {
    const stops: (() => void)[] = [];
    let isOver = false;
    const starting = (start: () => () => void) => {
      if (!isOver) stops.push(start());
    };
    /** The owner before may be about to end: the claim is tried until it is free. */
    const startLive = async (): Promise<void> => {
      if (isOver) return;
      if (await archive.own()) starting(live.collect);
      else setTimeout(() => void startLive().catch(failed("live-start")), OWN_MILLISECONDS).unref();
    };
    const begin = async (): Promise<void> => {
      if (lease !== null) await fence(parts, lease).catch(failed("lake-fence"));
      // Does not wait for the histories: both spend most of a start waiting, for other servers and for the disk.
      void startLive().catch(failed("live-start"));
      const isNew = (daily.holder.dataset()?.history.observations.count ?? 0) === 0;
      const filling = isOver ? Promise.resolve() : daily.backfill(progress);
      if (official !== null) {
        const filled = isNew ? settledWithin(filling, firstMilliseconds) : null;
        void Promise.all([prepared, filled])
          .then(() => starting(official.startJobs))
          .catch(failed("official-start"));
      }
      if (isFirst) filling.then(() => first.resolve(), first.reject);
      isFirst = false;
      await filling.catch(failed("backfill"));
      starting(() => startTimetable(jobs));
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

  if (ledger === null) {
    const stop = lead(null);
    return { current: first.promise, isLeading: () => isLeading, stop };
  }
  const { holder, isHolderDead } = parts.identity;
  const leadership = startLeadership(
    { leases: ledger.leases, name: leaseName(jobs), holder, isHolderDead: isHolderDead(), emit, every },
    lead,
  );
  void leadership.settled().then(() => {
    if (!isLeading && isFirst) first.resolve();
  });
  const stopHandIn = every(HAND_IN_MILLISECONDS, () => {
    if (!isLeading) void flushUnowned(parts.archiveAt).catch(failed("archive-flush"));
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

/** Resolves when the work has ended, however it did, or after so long. */
function settledWithin(work: Promise<unknown>, milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    timer.unref();
    const settled = () => {
      clearTimeout(timer);
      resolve();
    };
    work.then(settled, settled);
  });
}

/** Processes with the same lake compete for the same lease. */
function leaseName({ daily }: JobParts): string {
  return `collection ${daily.lake.tables.daily.latest()?.metaData.id ?? "of a new lake"}`;
}

/** From now on a collector before this one cannot commit: its token is older. */
async function fence({ fencing, storage, jobs, ledger }: CollectionParts, { epoch }: Lease): Promise<void> {
  const installation = storage === null ? null : await ledger?.installation.read(INSTALLATION_ID);
  if (installation === null || installation === undefined) return;
  fencing.set({ ledger: installation, epoch });
  await jobs.daily.lake.fence();
}
