/** The intraday archive: a quote is durable in the journal at once, and in its date's Parquet file with the next flush. */

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
  /** The lake's directory; the archive lies in `intraday/` under it and is created when it is not there. */
  readonly directory: string;
  /** Kind of rates in it: an archive of the other kind is refused. */
  readonly simulated: boolean;
  /**
   * `write` owns the journal, which one process at a time can. `read` does not touch the journal until `own`: append rejects,
   * flush and retain do nothing; bars and quotes are of the files only; compacting works, in turn with the owner's flushes.
   */
  readonly access: "write" | "read";
  readonly emit?: Emit;
  /** How long to wait for another process that is changing the files or owns the journal. */
  readonly waitSeconds?: number;
  /** The same for the journal only, where it differs. */
  readonly ownerWaitSeconds?: number;
  /** Bounds the cache of ticks. */
  readonly caches?: CacheBudget;
  /** The signed history, where commits get an entry in it. */
  readonly chain?: Chain | undefined;
  readonly now?: () => Instant;
  /** Where several machines share the table. The journal is on this machine's disk in any case. */
  readonly storage?: LakeStorage | null;
}

/** Closed dates that get an index, so that their bars need no DuckDB. */
interface Indexing {
  /** Both inclusive; dates that are not over yet are skipped. */
  readonly from: Day;
  readonly to: Day;
  readonly now: Instant;
  /** Called with the dates checked, out of how many. */
  readonly progress?: (done: number, total: number) => void;
}

export interface Archive extends QuoteArchive {
  /** For those who send its files. */
  readonly table: Table;
  /** True in the one process that may append. */
  isOwned(): boolean;
  /**
   * Begins to own the journal, and brings what an earlier owner left in it into the table. Resolves with false while another
   * process has it.
   */
  own(): Promise<boolean>;
  /** Ends that without a flush: the quotes in the journal stay there for the next owner. */
  disown(): Promise<void>;
  /** Makes the private index of ticks of closed dates that lack it; resolves with how many were made. */
  index(indexing: Indexing): Promise<number>;
  /** Checkpoint of the log; removal of what only versions before the retention need. Resolves with what was removed. */
  upkeep(): Promise<{ readonly files: number; readonly bytes: number }>;
  /** Removes the dates before the last `days` ones, today included; never one that the journal still has quotes of. */
  retain(days: number, now: Instant): Promise<readonly Day[]>;
  /** Dates with a file, ascending. */
  dates(): readonly Day[];
  /** Reads every file again, and resolves with those that do not match the log. */
  audit(): Promise<readonly DamagedFile[]>;
  /** Absolute paths of the files of a window, each found intact. Failure `data_unavailable` when one is damaged. */
  filesBetween(from: Instant, to: Instant): Promise<readonly string[]>;
  /** How the last flush that had anything to do went; null before the first. */
  lastFlush(): FlushReport | null;
}

const WAIT_SECONDS = 30;
/** Where no budget is given, as by commands. */
const OWN_CACHE_BYTES = 64_000_000;

/** Older versions of the table stay readable for so long: each flush leaves the file before behind. */
const KEPT_MILLISECONDS = 86_400_000;

/**
 * Opens the archive. Quotes that an earlier process left in the journal are brought into the table first; where that fails (a full disk) they stay pending, which is logged, and the next
 * flush tries again. Rejects with WrongMode, LakeDamaged for a damaged log, JournalOwned, LakeBusy, or the file system's fault.
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
      // Where another process has the journal: each flush takes all of it.
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
  /** The lake's directory. */
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

/** How long a start waits for a process that is just ending. */
const START_WAIT_SECONDS = 3;

/**
 * Opens the archive for writing where this process takes in quotes and no other does; else for reading, until it owns the
 * journal. Rejects as openQuoteArchive does.
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
