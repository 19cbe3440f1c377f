/** The official publications: their tables, the collector and its timetable, what is held, and the copy in the lake. */

import type { Config } from "#config.ts";
import { LeaseLost } from "#domain/account/ledger.ts";
import type { HeldDecision, HeldPublication } from "#domain/official/doubts.ts";
import type { OfficialTable } from "#domain/official/publication.ts";
import { createOfficialCollector } from "#ingest/official/collect.ts";
import { CollectionStopped } from "#ingest/official/deps.ts";
import { noteDecisions, readDecisions, readNote, undecided } from "#ingest/official/notes.ts";
import { type Leadership, startLeadership } from "#jobs/leadership.ts";
import { startCopying } from "#jobs/official-copy.ts";
import { officialTimetable } from "#jobs/official-timetable.ts";
import { startScheduler } from "#jobs/scheduler.ts";
import { openOfficial } from "#official/deps.ts";
import type { Ledger } from "#ports/ledger.ts";
import type { OfficialCollector, OfficialCopy, OfficialWindow } from "#ports/official.ts";
import type { Upstream, UpstreamRequest } from "#ports/upstream.ts";
import type { Clock } from "#ports.ts";
import { openUpstream } from "#sources/fetch/fetch.ts";
import { INSTALLATION_ID } from "#store/ledger/engine/installation.ts";
import type { Emit } from "#telemetry.ts";
import { chosenTables, openTableStatus } from "./official-tables.ts";
import { every, failedJob, type LeaseIdentity, later } from "./process.ts";

type Reach = OfficialWindow["reach"];

export interface OfficialOptions {
  readonly config: Config;
  readonly clock: Clock;
  readonly emit: Emit;
  readonly upstream: Parameters<typeof openUpstream>[0];
  /** Opens the ledger, or resolves with an open one. It is closed by who opened it. */
  readonly openLedger: () => Promise<Ledger>;
  /** The lake's table of publications. */
  readonly copy: OfficialCopy;
  readonly identity: LeaseIdentity;
}

/** Tables that are made of what the ECB publishes. */
const OF_THE_ECB: ReadonlySet<string> = new Set(["eue_reference", "eue_customs"]);
/** A start reads the last weeks again unless that was done so shortly before. */
const REREAD_MILLISECONDS = 12 * 3_600_000;
const PAUSE_MILLISECONDS = 100;

/** Rejects with ConfigFault, or as `openLedger`. No authority is requested yet. */
export async function openPublications(options: OfficialOptions) {
  const { config, clock, emit } = options;
  const { collected, offered } = chosenTables(config);
  const ledger = await options.openLedger();
  const closing = openClosing(() => new CollectionStopped());
  let leadership: Leadership | null = null;
  const clients = new Map<Reach, Upstream>();
  const upstreamFor = (reach: Reach): Upstream => {
    const cached = clients.get(reach);
    if (cached !== undefined) return cached;
    const { get, remember } = openUpstream(options.upstream);
    const client = { remember, get: (request: UpstreamRequest) => closing.orGiveUp(get(request)) };
    clients.set(reach, client);
    return client;
  };
  const running = new Set<Promise<unknown>>();
  /** Tables that this process has begun to read since it leads. */
  const caughtUp = new Set<string>();
  const { publications, outbox, installation: notes } = ledger;
  const tables = offered.map(({ table }) => table);
  const copying = openCopying(options, ledger, tables);
  const collecting = createOfficialCollector({
    tables: collected,
    upstreamFor,
    publications,
    outbox: {
      publish: async (versions, at) => {
        // A process that was paused right here must not publish what another one has judged meanwhile.
        const under = leadership?.lease() ?? null;
        if (leadership !== null && under === null) throw new CollectionStopped();
        const stored = await outbox.publish(versions, at, under).catch((fault: unknown) => {
          throw fault instanceof LeaseLost ? new CollectionStopped() : fault;
        });
        if (stored.length > 0) copying.published();
        return stored;
      },
    },
    notes,
    clock,
    emit,
    pause: () => closing.orGiveUp(Bun.sleep(PAUSE_MILLISECONDS)),
    isClosing: closing.isClosing,
    mayPublish: async () => !closing.isClosing() && (leadership === null || (await leadership.holds())),
  });
  const collector: OfficialCollector = {
    ...collecting,
    collect: async (...what) => {
      const run = collecting.collect(...what);
      running.add(run);
      return await run.finally(() => running.delete(run));
    },
  };
  /** One table after the other: no caller waits for it, and a start has other work. */
  const catchUp = async (isOver: () => boolean) => {
    for (const table of collected) {
      if (isOver() || closing.isClosing()) return;
      caughtUp.add(table.id);
      const first = readNote({ notes }, table.id).then(({ rereadAt, historyAt }) => {
        const isFresh = rereadAt !== null && Math.abs(clock.now() - rereadAt) < REREAD_MILLISECONDS;
        const isWhole = table.historyAtStart === true;
        if (isFresh && (!isWhole || historyAt !== null)) return collector.collect(table.id, "latest");
        return collector.collect(table.id, isWhole ? "history" : "recent");
      });
      await first.catch(failedJob(emit, "official-start"));
    }
  };

  return {
    ledger,
    offered,
    collected,
    collector,
    /** Whether a table's whole history was read once. */
    hasHistory: async (table: string) => (await readNote({ notes }, table)).historyAt !== null,
    tableStatus: openTableStatus(ledger, collecting, collected, clock),
    held: heldPublications(notes, collected),
    /** Collects by the timetable while no other process does; the returned function stops it. */
    startJobs: (): (() => void) => {
      const timing = { clock, emit, later, random: Math.random };
      const perform = (job: { readonly table: string; readonly reach: Reach }) =>
        collector.collect(job.table, job.reach);
      const lead = () => {
        let isOver = false;
        caughtUp.clear();
        const stop = startScheduler({ ...timing, perform }, officialTimetable(collected));
        void catchUp(() => isOver);
        return () => {
          isOver = true;
          stop();
        };
      };
      const { leases } = ledger;
      const name = "official-collection";
      const { holder, isHolderDead } = options.identity;
      const started = startLeadership(
        { leases, name, holder, isHolderDead: isHolderDead(), emit, every },
        lead,
      );
      leadership = started;
      const stopCopying = copying.startJob();
      return () => {
        stopCopying();
        void started.stop();
      };
    },
    /** Brings the lake's table up to what the ledger has. Rejects as `OfficialCopy.follow`. */
    copyToLake: copying.follow,
    /** The ECB has published or corrected something: its tables are read again, but those that a start has yet to read. Never rejects. */
    ecbCollected: async () => {
      for (const { id } of collected.filter((table) => OF_THE_ECB.has(table.id) && caughtUp.has(table.id))) {
        if (leadership === null) return;
        const isLeading = leadership.holds();
        const run = isLeading.then((leads) => (leads ? collector.collect(id, "recent") : null));
        await run.catch(failedJob(emit, "official-ecb"));
      }
    },
    /** What answers requests about publications. */
    reading: (own: { readonly cursorSecret: string; readonly simulated: boolean }) =>
      openOfficial({ ...own, tables: offered, publications, outbox, clock }),
    /** Collections end before their next document or write. */
    close: async () => {
      closing.begin();
      await Promise.allSettled([...running]);
      await leadership?.stop();
      await copying.close();
    },
  };
}

export type OpenPublications = Awaited<ReturnType<typeof openPublications>>;

/** Held publications, and what operators decide about them, in the notes of the ledger. Each rejects with LedgerUnavailable. */
function heldPublications(notes: Ledger["installation"], tables: readonly { readonly id: string }[]) {
  return {
    /** Those that wait for a decision, by table and name. */
    list: async (): Promise<readonly HeldPublication[]> => {
      const each = tables.map(async ({ id: table }) => {
        const { held } = await readNote({ notes }, table);
        const waiting = undecided(held, await readDecisions({ notes }, table));
        return waiting.map(([publication, reading]) => ({ ...reading, table, publication }));
      });
      return (await Promise.all(each)).flat();
    },
    /** The next collection of each table follows it, where the authority still states the same. */
    decide: async (readings: readonly HeldPublication[], verdict: HeldDecision["verdict"]): Promise<void> => {
      for (const [table, some] of Map.groupBy(readings, (reading) => reading.table))
        await noteDecisions({ notes }, table, some, verdict);
    },
  };
}

/** Keeps the lake's table current with the ledger: by a job of a server, at its end by a command that collected. */
function openCopying(
  { copy, clock, emit }: OfficialOptions,
  { history, installation }: Ledger,
  tables: readonly OfficialTable[],
) {
  let job: ReturnType<typeof startCopying> | null = null;
  let isBehind = false;
  const follow = async (signal?: AbortSignal): Promise<void> => {
    const id = (await installation.read(INSTALLATION_ID)) ?? "without a name";
    await copy.follow({ id, tables, history }, signal);
  };
  return {
    /** Something was committed to the ledger. */
    published: (): void => {
      isBehind = true;
      job?.soon();
    },
    /** The returned function stops it. */
    startJob: () => {
      const started = startCopying({ copy: follow, clock, emit, later });
      job = started;
      return () => void started.stop();
    },
    follow,
    /** Before the ledger is closed. Never rejects. */
    close: async (): Promise<void> => {
      if (job !== null) return await job.stop();
      if (isBehind) await follow().catch(failedJob(emit, "official-lake"));
    },
  };
}

export function openClosing(fault: () => Error) {
  // Not one promise to race against: it would hold every result until the process ends.
  const waiting = new Set<(reason: Error) => void>();
  let isClosing = false;
  return {
    isClosing: () => isClosing,
    /** Settles as `work` does, or rejects with the fault of closing. Settled work is not retained. */
    orGiveUp: <T>(work: Promise<T>) =>
      new Promise<T>((resolve, reject) => {
        if (isClosing) reject(fault());
        else waiting.add(reject);
        work.finally(() => waiting.delete(reject)).then(resolve, reject);
      }),
    begin: () => {
      isClosing = true;
      for (const reject of waiting) reject(fault());
      waiting.clear();
    },
  };
}
