/** Connects the official publications: the tables, their ledger, the collector, and its timetable. */

import { ledgerPlaceOf } from "#assembly/accounts/ledger.ts";
import type { LeaseIdentity } from "#assembly/lease.ts";
import { every, later } from "#assembly/timers.ts";
import type { Config } from "#config.ts";
import { randomText } from "#domain/account/key-format.ts";
import { LeaseLost } from "#domain/account/ledger.ts";
import { endpointLimitsOf } from "#domain/billing/plan.ts";
import { systemRandom } from "#gateways/random.ts";
import { createOfficialCollector } from "#ingest/official/collect.ts";
import { CollectionStopped } from "#ingest/official/deps.ts";
import { readNote } from "#ingest/official/notes.ts";
import { type Leadership, startLeadership } from "#jobs/leadership.ts";
import { officialTimetable } from "#jobs/official-timetable.ts";
import { startScheduler } from "#jobs/scheduler.ts";
import { openOfficial } from "#official/deps.ts";
import type { Ledger } from "#ports/ledger.ts";
import type { OfficialCollector, OfficialCopy, OfficialWindow } from "#ports/official.ts";
import type { Upstream, UpstreamRequest } from "#ports/upstream.ts";
import type { Clock } from "#ports.ts";
import { openUpstream } from "#sources/fetch/fetch.ts";
import { openLedger } from "#store/ledger/ledger.ts";
import type { EndpointLimits } from "#store/ledger/outbox/rows.ts";
import type { Emit } from "#telemetry.ts";
import { openCopying } from "./copy.ts";
import { heldPublications } from "./held.ts";
import { chosenTables, openTableStatus } from "./tables.ts";

type Reach = OfficialWindow["reach"];

export interface OfficialOptions {
  readonly config: Config;
  readonly clock: Clock;
  readonly emit: Emit;
  readonly upstream: Parameters<typeof openUpstream>[0];
  /** That of the accounts, where it is open already; else one is opened here, and closed here. */
  readonly ledger: Ledger | null;
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
  const ledger = options.ledger ?? (await ownLedger(config, clock, emit));
  const closing = openClosing(() => new CollectionStopped());
  let leadership: Leadership | null = null;
  const clients = new Map<Reach, Upstream>();
  const upstreamFor = (reach: Reach): Upstream => {
    const known = clients.get(reach);
    if (known !== undefined) return known;
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
  const copying = openCopying({ ledger, tables, copy: options.copy, clock, emit });
  const collecting = createOfficialCollector({
    tables: collected,
    upstreamFor,
    publications,
    outbox: {
      publish: async (versions, at) => {
        // A process that was paused right here must not publish what another one has judged anew meanwhile.
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
  const failed = (job: string) => (fault: unknown) =>
    emit({ kind: "job_failed", job, error: fault instanceof Error ? fault.message : String(fault) });

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
      await first.catch(failed("official-start"));
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
        await run.catch(failed("official-ecb"));
      }
    },
    /** What answers requests about publications. */
    reading: (own: { readonly cursorSecret: string; readonly simulated: boolean }) =>
      openOfficial({ ...own, tables: offered, publications, outbox, clock }),
    /** What is under way ends before its next document or write. */
    close: async () => {
      closing.begin();
      await Promise.allSettled([...running]);
      await leadership?.stop();
      await copying.close();
      if (options.ledger === null) await ledger.close();
    },
  };
}

export type OpenPublications = Awaited<ReturnType<typeof openPublications>>;

/** Without accounts there are no endpoints to send to, even where the file once had some. */
export async function ownLedger(config: Config, clock: Clock, emit: Emit): Promise<Ledger> {
  const { newLedger } = config.accounts;
  const endpointLimits = await limitsOf(config);
  return await openLedger(ledgerPlaceOf(config), { emit, newId, clock, newLedger, endpointLimits });
}

async function limitsOf(config: Config): Promise<EndpointLimits> {
  if (config.access === "open") return { free: 0, basic: 0, plus: 0, pro: 0 };
  const { plansOf } = await import("#assembly/accounts/parts.ts");
  const plans = await plansOf(config);
  return endpointLimitsOf(plans);
}

const newId = (prefix: string) => `${prefix}${randomText(systemRandom, 20)}`;

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
