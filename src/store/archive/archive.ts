/** The intraday archive: the journal makes a quote durable at once, and the next flush writes it to the Parquet file of its date. */

import { join, resolve } from "node:path";
import { CacheBudget } from "#domain/cache/budget.ts";
import { type Day, dayAt, type Instant } from "#domain/time/day.ts";
import type { QuoteArchive } from "#ports.ts";
import type { Chain } from "#store/chain/chain.ts";
import { onNewest } from "#store/delta/contention.ts";
import { isCurrent, refreshCurrent } from "#store/delta/current.ts";
import { type DamagedFile, LakeDamaged } from "#store/delta/damage.ts";
import { type Mode, marksOf, WrongMode } from "#store/delta/schema.ts";
import { filesOf, type Snapshot } from "#store/delta/snapshot.ts";
import type { LakeStorage } from "#store/delta/storage.ts";
import { openTable, type Table } from "#store/delta/table.ts";
import { makeFolder } from "#store/disk/durable.ts";
import { openLock, type WriterLock } from "#store/disk/writer-lock.ts";
import { openEngine } from "#store/parquet/engine.ts";
import type { Emit } from "#telemetry.ts";
import { readBars } from "./bars/bars.ts";
import { indexDates } from "./bars/tick-index.ts";
import { openTickCache } from "./bars/ticks.ts";
import { cleanUpArchive, type FlushReport, retainDays } from "./changes.ts";
import { FILES_LOCK, INTRADAY_FOLDER, JOURNAL_FOLDER, OWNER_LOCK } from "./journal/files.ts";
import { newPending } from "./journal/journal.ts";
import { checkQuote, keyOf } from "./journal/quote-line.ts";
import { JournalOwned, newOwnedJournal, ownJournal } from "./owned-journal.ts";
import { readNewest, readQuotes } from "./quotes.ts";
import { asFailure, datesIn, filesByDate, INTRADAY, newestRetrieval, windowState } from "./table.ts";

export interface ArchiveOptions {
  /** The lake's directory. The archive is its folder `intraday/`, and is created when missing. */
  readonly directory: string;
  /** The kind of rates. An archive of the other kind is refused. */
  readonly simulated: boolean;
  /**
   * `write` owns the journal; one process at a time can. `read` leaves the journal alone until `own`: append rejects,
   * flush and retain do nothing, reads cover the files only, and compacting takes turns with the owner's flushes.
   */
  readonly access: "write" | "read";
  readonly emit?: Emit;
  /** The longest wait for another process that changes the files or owns the journal. */
  readonly waitSeconds?: number;
  /** The longest wait for the journal; `waitSeconds` by default. */
  readonly ownerWaitSeconds?: number;
  readonly caches?: CacheBudget;
  /** The signed history that commits are entered in. */
  readonly chain?: Chain | undefined;
  readonly now?: () => Instant;
  /** The storage that several machines share. The journal is always on this machine's disk. */
  readonly storage?: LakeStorage | null;
}

interface Indexing {
  /** Both ends are inclusive; dates that are not over yet are skipped. */
  readonly from: Day;
  readonly to: Day;
  readonly now: Instant;
  readonly progress?: (done: number, total: number) => void;
}

export interface Archive extends QuoteArchive {
  readonly table: Table;
  isOwned(): boolean;
  /** Takes the journal, and writes the quotes of an earlier owner to the table. Resolves with false while another process owns it. */
  own(): Promise<boolean>;
  /** Gives the journal back without a flush: its quotes stay there for the next owner. */
  disown(): Promise<void>;
  /** Makes the missing indexes of closed dates; resolves with their number. */
  index(indexing: Indexing): Promise<number>;
  /** Writes a checkpoint and removes what only versions before the retention need; resolves with what was removed. */
  upkeep(): Promise<{ readonly files: number; readonly bytes: number }>;
  /** Removes the dates before the last `days` ones, today included. A date with quotes in the journal stays. */
  retain(days: number, now: Instant): Promise<readonly Day[]>;
  dates(): readonly Day[];
  /** Reads every file again, and resolves with the damaged ones. */
  audit(): Promise<readonly DamagedFile[]>;
  /** Resolves with the absolute paths of a window's files, each intact. Fails with `data_unavailable` when one is damaged. */
  filesBetween(from: Instant, to: Instant): Promise<readonly string[]>;
  /** Returns the report of the last flush that had quotes; null before the first. */
  lastFlush(): FlushReport | null;
}

const WAIT_SECONDS = 30;
/** The cache of commands, which give no budget. */
const OWN_CACHE_BYTES = 64_000_000;

/** Each flush leaves the previous file behind. Older versions of the table stay readable for this time. */
const KEPT_MILLISECONDS = 86_400_000;

/**
 * Opens the archive. Quotes that an earlier process left in the journal go into the table first; when that fails (a full
 * disk) they stay pending, the failure is logged, and the next flush tries again. Rejects with WrongMode, LakeDamaged
 * for a damaged log, JournalOwned, LakeBusy, or the file system's fault.
 */
export async function openQuoteArchive(options: ArchiveOptions): Promise<Archive> {
  const { emit, access, waitSeconds = WAIT_SECONDS, ownerWaitSeconds = waitSeconds } = options;
  const directory = resolve(options.directory);
  const mode = options.simulated ? "simulated" : "real";
  const now = options.now ?? Date.now;
  makeFolder(join(directory, JOURNAL_FOLDER));
  const claim = (seconds: number) => ownJournal(join(directory, OWNER_LOCK), seconds);
  const owner = access === "write" ? await claim(ownerWaitSeconds) : null;
  const lock = openLock(join(directory, FILES_LOCK), waitSeconds);
  const engine = openEngine({ directories: [directory] });
  const { storage = null } = options;
  const table = openTable(directory, INTRADAY, mode, KEPT_MILLISECONDS, storage);
  const pending = newPending();
  const cache = openTickCache(options.caches ?? new CacheBudget(OWN_CACHE_BYTES));

  const snapshot = (): Snapshot => {
    const newest = table.latest();
    if (newest === null) throw new LakeDamaged(join(directory, INTRADAY_FOLDER), "has lost its log");
    return newest;
  };
  const follow = async () => options.chain?.follow([table]);
  const release = async () => {
    await lock.close();
    await engine.close();
  };
  const keptMilliseconds = KEPT_MILLISECONDS;
  const common = { directory, table, storage, snapshot, lock, engine, pending, now };
  const parts = { ...common, keptMilliseconds, emit, follow };

  const owned = newOwnedJournal(parts);
  try {
    try {
      await prepareTable({ directory, table, storage, mode, lock, now: now() });
      await options.chain?.catchUp([table], lock);
    } catch (fault) {
      await owner?.release();
      throw fault;
    }
    if (owner !== null) await owned.begin(owner);
  } catch (fault) {
    await release();
    throw fault;
  }

  const sources = { directory, table, engine, cache, pending, snapshot };
  const intactBetween = async (from: Instant, to: Instant) => {
    const files = filesByDate(snapshot());
    const adds = datesIn(snapshot(), dayAt(from), dayAt(to - 1)).flatMap((date) => files.get(date) ?? []);
    await table.verifier.require(adds);
    return adds.map(table.pathOf);
  };
  return {
    table,
    isOwned: owned.isOwned,
    own: async () => {
      if (owned.isOwned()) return true;
      try {
        await owned.begin(await claim(0));
        return true;
      } catch (fault) {
        if (fault instanceof JournalOwned) return false;
        throw fault;
      }
    },
    disown: owned.end,
    append: async (quotes) => {
      const journal = owned.journal();
      for (const quote of quotes) checkQuote(quote);
      if (quotes.length > 0) await journal.append(quotes);
    },
    flush: owned.flush,
    // An export of a damaged window is refused before it begins.
    state: (from, to) =>
      asFailure(async () => {
        await intactBetween(from, to);
        return windowState(snapshot(), from, to);
      }),
    isStored: (quote) => {
      if (pending.has(keyOf(quote))) return false;
      // Another process may own the journal: each flush takes all of it.
      try {
        const add = filesByDate(snapshot()).get(dayAt(quote.observedAt));
        return add !== undefined && newestRetrieval(add) >= quote.retrievedAt;
      } catch (fault) {
        if (fault instanceof LakeDamaged) return false;
        throw fault;
      }
    },
    bars: (query) => asFailure(() => readBars(sources, query)),
    quotes: (from, to) => asFailure(() => readQuotes(sources, from, to)),
    newest: (from, to) => asFailure(() => readNewest(sources, from, to)),
    filesBetween: (from, to) => asFailure(() => intactBetween(from, to)),
    index: (indexing) =>
      engine.use((connection) => indexDates(connection, directory, table, snapshot(), indexing)),
    upkeep: () => cleanUpArchive(parts),
    retain: async (days, at) => {
      return owned.isOwned() ? await retainDays(parts, days, at) : [];
    },
    dates: () => datesIn(snapshot()),
    audit: () => table.verifier.audit(filesOf(snapshot())),
    lastFlush: owned.lastFlush,
    close: async () => {
      await owned.flushIfPossible();
      await owned.end();
      await release();
    },
  };
}

interface Preparation {
  readonly directory: string;
  readonly table: Table;
  readonly storage: LakeStorage | null;
  readonly mode: Mode;
  readonly lock: WriterLock;
  readonly now: number;
}

/** Rejects with WrongMode, LakeDamaged, LakeBusy, or the file system's fault. */
async function prepareTable(preparation: Preparation): Promise<void> {
  const { directory, table, storage, mode, lock, now } = preparation;
  const newest = table.latest();
  const written = newest === null ? undefined : marksOf(newest.metaData.configuration).mode;
  if (written !== undefined && written !== mode) throw new WrongMode(directory, written);
  if (newest !== null && isCurrent(directory, table, newest)) return;
  await lock.exclusive(async () => {
    const created = await onNewest(
      storage,
      async () => table.latest() ?? (await table.commit(null, [], "CREATE TABLE", now)),
    );
    refreshCurrent(directory, table, created);
  });
}

/** Long enough for a process that is just ending. */
const START_WAIT_SECONDS = 3;

/**
 * Opens the archive for writing when no other process takes in quotes; else for reading, until it owns the journal.
 * Rejects as openQuoteArchive does.
 */
export async function openArchive(
  options: Omit<ArchiveOptions, "access">,
  writes: boolean,
): Promise<Archive> {
  if (writes) {
    try {
      return await openQuoteArchive({ waitSeconds: START_WAIT_SECONDS, ...options, access: "write" });
    } catch (fault) {
      if (!(fault instanceof JournalOwned)) throw fault;
      options.emit?.({ kind: "archive_read_only", detail: fault.message });
    }
  }
  return await openQuoteArchive({ ...options, access: "read" });
}
