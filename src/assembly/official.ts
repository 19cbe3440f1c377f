/**
 * Opens the official publications by the settings and the catalogue: tables and their status, the collector and its timetable, held
 * publications, and the copy in the lake.
 */

import { type Config, ConfigFault } from "#config.ts";
import { LeaseLost, LedgerUnavailable, PublicationDamaged } from "#domain/account/ledger.ts";
import type { Window } from "#domain/intake/reading.ts";
import type { HeldDecision, HeldPublication } from "#domain/official/doubts.ts";
import type { OfficialState, OfficialTable, OfficialTableStatus } from "#domain/official/publication.ts";
import { untilAborted } from "#domain/queues/until-aborted.ts";
import { createOfficialCollector, type OfficialCollector } from "#ingest/official/collect.ts";
import { CollectionStopped } from "#ingest/official/gather.ts";
import { noteDecisions, readDecisions, readNote, undecided } from "#ingest/official/notes.ts";
import { type Leadership, startLeadership } from "#jobs/leadership.ts";
import { startScheduler } from "#jobs/scheduler.ts";
import { officialTimetable, publicationHours } from "#jobs/timetable.ts";
import type { OfferedTable, OfficialDeps } from "#official/deps.ts";
import type { Ledger } from "#ports/ledger.ts";
import type { Upstream } from "#ports/upstream.ts";
import type { Clock } from "#ports.ts";
import { officialAdapters, tablesWithoutCredentials } from "#sources/catalogue.ts";
import { openUpstream } from "#sources/fetch/fetch.ts";
import { INSTALLATION_ID } from "#store/ledger/engine/installation.ts";
import type { OfficialLake } from "#store/official-lake/official-lake.ts";
import type { ObservationOptions } from "./observation.ts";
import { every, failedJob, later } from "./process.ts";

/** Throws ConfigFault where OFFICIAL_TABLES names an unknown table, or one without its token. */
export function chosenTables({ official: { tables, banxicoToken } }: Pick<Config, "official">) {
  const available = officialAdapters({ banxicoToken });
  const lacking = tablesWithoutCredentials({ banxicoToken });
  const faults = tableFaults(tables, banxicoToken);
  if (faults.length > 0) throw new ConfigFault(faults);
  const isWanted = ({ id }: OfficialTable) => tables === "all" || tables.includes(id);
  const missingOf = (table: OfficialTable) =>
    lacking.includes(table)
      ? "set BANXICO_TOKEN"
      : isWanted(table)
        ? null
        : `add ${table.id} to OFFICIAL_TABLES`;
  const offered = [...lacking, ...available].map(
    (table): OfferedTable => ({ table, hours: publicationHours(table), missing: missingOf(table) }),
  );
  return { collected: available.filter(isWanted), offered };
}

export function tableFaults(
  tables: Config["official"]["tables"],
  banxicoToken: Config["official"]["banxicoToken"],
): readonly string[] {
  if (typeof tables === "string") return [];
  const available = officialAdapters({ banxicoToken });
  const lacking = tablesWithoutCredentials({ banxicoToken });
  const has = (list: readonly OfficialTable[], name: string) => list.some(({ id }) => id === name);
  return tables.flatMap((name) => {
    if (has(available, name)) return [];
    if (has(lacking, name)) return [`OFFICIAL_TABLES: ${name} cannot be requested without BANXICO_TOKEN`];
    const names = [...lacking, ...available].map(({ id }) => id).join(", ");
    return [`OFFICIAL_TABLES: ${name} is none of ${names}`];
  });
}

/** The status is requested often, and reads a few rows of each table. */
const CACHED_MILLISECONDS = 2_000;

/** Never rejects: without a ledger every table is failed. */
export function openTableStatus(
  { publications, probe }: Pick<Ledger, "publications" | "probe">,
  { states }: Pick<OfficialCollector, "states">,
  tables: readonly { readonly id: string }[],
  clock: Clock,
): () => Promise<readonly OfficialTableStatus[]> {
  const withNewest = async (state: OfficialState): Promise<OfficialTableStatus> => {
    const { table } = state;
    try {
      const [newest = null] = await publications.list({ table, from: null, to: null, after: null, limit: 1 });
      return { ...state, newest };
    } catch (fault) {
      if (!(fault instanceof PublicationDamaged)) throw fault;
      return { ...state, outcome: "failed", detail: fault.message, newest: null };
    }
  };
  const read = async (): Promise<readonly OfficialTableStatus[]> => {
    try {
      // With open access nothing else notices a damaged ledger.
      await probe();
      return await Promise.all((await states()).map(withNewest));
    } catch (fault) {
      const detail = fault instanceof LedgerUnavailable ? fault.message : "internal error";
      const unknown = { lastAttemptAt: null, lastSuccessAt: null, held: [], newest: null };
      return tables.map(({ id: table }) => ({ ...unknown, table, outcome: "failed", detail }));
    }
  };
  let last: { readonly at: number; readonly value: Promise<readonly OfficialTableStatus[]> } | null = null;
  return () => {
    if (last === null || Math.abs(clock.now() - last.at) >= CACHED_MILLISECONDS)
      last = { at: clock.now(), value: read() };
    return last.value;
  };
}

type Reach = Window["reach"];

export interface OfficialOptions extends Pick<ObservationOptions, "config" | "clock" | "emit"> {
  readonly upstream: Parameters<typeof openUpstream>[0];
  readonly openLedger: () => Promise<Ledger>;
  readonly copy: Pick<OfficialLake, "follow" | "forget">;
  readonly holder: string;
  readonly followMilliseconds?: number;
}

/** A start reads the last weeks again unless that happened within this time. */
const REREAD_MILLISECONDS = 12 * 3_600_000;
const PAUSE_MILLISECONDS = 100;
/** How often a lake copies publications that the server of another lake collects. */
const FOLLOW_MILLISECONDS = 60_000;

/** Rejects with ConfigFault, or as `openLedger`. Sends no request to an authority yet. */
export async function openPublications(options: OfficialOptions) {
  const { config, clock, emit, followMilliseconds = FOLLOW_MILLISECONDS } = options;
  const { collected, offered } = chosenTables(config);
  const ledger = await options.openLedger();
  const closing = new AbortController();
  let leadership: Leadership | null = null;
  const newClient = (): Upstream => {
    const { get, remember } = openUpstream(options.upstream);
    return { remember, get: (request) => untilAborted(closing.signal, get(request)) };
  };
  // A client for each reach: a document that has not changed for one reach may still be new to another.
  const newClients = () => ({ latest: newClient(), recent: newClient(), history: newClient() });
  let clients = newClients();
  const running = new Set<Promise<unknown>>();
  const { publications, outbox, installation: notes } = ledger;
  const tables = offered.map(({ table }) => table);
  const copying = openCopying(options, ledger, tables);
  const held = heldPublications(notes, collected);
  const collecting = createOfficialCollector({
    tables: collected,
    upstreamFor: (reach) => clients[reach],
    forget: () => {
      clients = newClients();
      options.copy.forget();
    },
    publications,
    outbox: {
      publish: async (versions, at) => {
        // A process that was paused here must not publish what another has judged meanwhile.
        const under = leadership?.lease() ?? null;
        if (leadership !== null && under === null) throw new CollectionStopped();
        return await outbox.publish(versions, at, under).catch((fault: unknown) => {
          throw fault instanceof LeaseLost ? new CollectionStopped() : fault;
        });
      },
    },
    notes,
    clock,
    emit,
    pause: () => Bun.sleep(PAUSE_MILLISECONDS),
    closing: closing.signal,
  });
  const collector: OfficialCollector = {
    ...collecting,
    collect: async (...what) => {
      const run = collecting.collect(...what);
      running.add(run);
      return await run.finally(() => {
        running.delete(run);
        if (leadership === null || !closing.signal.aborted) copying.start();
      });
    },
  };
  /** One table at a time: no caller waits. */
  const catchUp = async (isOver: () => boolean) => {
    for (const table of collected) {
      if (isOver() || closing.signal.aborted) return;
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
    hasHistory: async (table: string) => (await readNote({ notes }, table)).historyAt !== null,
    tableStatus: openTableStatus(ledger, collecting, collected, clock),
    held,
    /** Collects by the timetable while no other process does; the returned function stops it. */
    startJobs: (): (() => void) => {
      const timing = { clock, emit, later, random: Math.random };
      const perform = (job: { readonly table: string; readonly reach: Reach }) =>
        collector.collect(job.table, job.reach);
      const lead = () => {
        let isOver = false;
        const stop = startScheduler({ ...timing, perform }, officialTimetable(collected));
        void catchUp(() => isOver);
        return () => {
          isOver = true;
          stop();
        };
      };
      const { leases } = ledger;
      const name = "official-collection";
      const started = startLeadership({ leases, name, holder: options.holder, emit, every }, lead);
      leadership = started;
      copying.start();
      const stopFollowing = every(followMilliseconds, () => {
        if (started.lease() === null) copying.start();
      });
      return () => {
        stopFollowing();
        copying.stop();
        void started.stop();
      };
    },
    copyToLake: copying.follow,
    reading: (own: Pick<OfficialDeps, "cursorSecret" | "simulated">): OfficialDeps => {
      const lastReadAt = async (table: string) => (await readNote({ notes }, table)).lastSuccessAt;
      return { ...own, tables: offered, publications, outbox, held: held.of, lastReadAt, clock };
    },
    /** Collections end before their next document or write. */
    close: async () => {
      closing.abort(new CollectionStopped());
      await Promise.allSettled([...running]);
      await leadership?.stop();
      await copying.ended();
    },
  };
}

export type OpenPublications = Awaited<ReturnType<typeof openPublications>>;

/** Held publications and operators' decisions, in the notes of the ledger. Each rejects with LedgerUnavailable. */
function heldPublications(notes: Ledger["installation"], tables: readonly { readonly id: string }[]) {
  const of = async (table: string): Promise<readonly HeldPublication[]> => {
    const { held } = await readNote({ notes }, table);
    const waiting = undecided(held, await readDecisions({ notes }, table));
    return waiting.map(([publication, reading]) => ({ ...reading, table, publication }));
  };
  return {
    of,
    list: async () => (await Promise.all(tables.map(({ id }) => of(id)))).flat(),
    /** The next collection of each table applies the decision, if the authority still states the same. */
    decide: async (readings: readonly HeldPublication[], verdict: HeldDecision["verdict"]): Promise<void> => {
      for (const [table, some] of Map.groupBy(readings, (reading) => reading.table))
        await noteDecisions({ notes }, table, some, verdict);
    },
  };
}

/** Keeps the lake's table current. A run compares it with the ledger, and is cheap when nothing is new. */
function openCopying(
  { copy, emit }: OfficialOptions,
  { history, installation }: Ledger,
  tables: readonly OfficialTable[],
) {
  let last = Promise.resolve();
  let isWaiting = false;
  let ending = new AbortController();
  const follow = async (signal?: AbortSignal): Promise<void> => {
    const id = (await installation.read(INSTALLATION_ID)) ?? "without a name";
    await copy.follow({ id, tables, history }, signal);
  };
  const failed = failedJob(emit, "official-lake");
  return {
    follow,
    /** Starts a run, unless one is waiting to begin. */
    start: (): void => {
      if (isWaiting) return;
      isWaiting = true;
      const { signal } = ending;
      const run = last.then(async () => {
        isWaiting = false;
        await follow(signal);
      });
      last = run.catch((fault: unknown) => {
        if (!signal.aborted) failed(fault);
      });
    },
    /** Aborts the current run. The next start completes it. */
    stop: (): void => {
      ending.abort();
      ending = new AbortController();
    },
    /** To be awaited before the ledger is closed. Never rejects. */
    ended: () => last,
  };
}
