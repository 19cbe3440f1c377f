/** The intraday archive: the journal makes a quote durable at once, and the next flush writes it to the Parquet file of its date. */

import { join, resolve } from "node:path";
import pLimit from "p-limit";
import { CacheBudget } from "#domain/cache/budget.ts";
import { type Day, dayAt, type Instant, MILLISECONDS_PER_DAY } from "#domain/time/day.ts";
import type { QuoteArchive } from "#ports.ts";
import { isCurrent, refreshCurrent } from "#store/delta/current.ts";
import { LakeDamaged, unlessDamaged } from "#store/delta/damage.ts";
import { filesOf, type Snapshot } from "#store/delta/snapshot.ts";
import { onNewest, openTable } from "#store/delta/table.ts";
import { makeFolder } from "#store/disk/durable.ts";
import { openLock } from "#store/disk/writer-lock.ts";
import type { LakeOptions } from "#store/lake/lake.ts";
import type { ColumnReader } from "#store/parquet/duckdb-process.ts";
import { openEngine, readColumns } from "#store/parquet/engine.ts";
import { readBars } from "./bars/bars.ts";
import type { Ticks } from "./bars/ticks.ts";
import { cleanUpArchive, JournalOwned, newOwnedJournal, ownJournal, retainDays } from "./changes.ts";
import { type ImportOrder, importQuotes, importsIn, removeImport } from "./imports.ts";
import { FILES_LOCK, INTRADAY_FOLDER, JOURNAL_FOLDER, newPending, OWNER_LOCK } from "./journal/journal.ts";
import { readNewest, readQuotes } from "./quotes.ts";
import { datesIn, filesByDate, INTRADAY, newestRetrieval, whereIntact, windowState } from "./table.ts";

/** The archive is the folder `intraday/` of the lake. The journal is always on this machine's disk. */
export interface ArchiveOptions extends Omit<LakeOptions, "retentionDays"> {
  /**
   * `write` owns the journal; one process at a time can. `read` leaves the journal alone until `own`: append rejects,
   * flush and retain do nothing, reads cover the files only, and compacting takes turns with the owner's flushes.
   */
  readonly access: "write" | "read";
  readonly caches?: CacheBudget;
  /** Reads the files instead of this process: a server that writes nothing here never loads DuckDB. */
  readonly reader?: ColumnReader;
}

export type Archive = Awaited<ReturnType<typeof openQuoteArchive>>;

/** The budget of commands, which pass no `caches`. */
const OWN_CACHE_BYTES = 64_000_000;
/** The ticks' share of the budget. One currency, one tick a minute for a quarter, is about 2 MB. */
const TICKS_SHARE = 0.6;

/** Each flush leaves the previous file behind. Older versions of the table stay readable for this time. */
const KEPT_MILLISECONDS = 86_400_000;

/**
 * Opens the archive. Quotes that an earlier process left in the journal go into the table first; when that fails (a full
 * disk) they stay pending, the failure is logged, and the next flush tries again. Rejects with WrongMode, LakeDamaged
 * for a damaged log, JournalOwned, LakeBusy, or the file system's fault.
 */
export async function openQuoteArchive(options: ArchiveOptions) {
  const { emit, access, waitSeconds } = options;
  const directory = resolve(options.directory);
  const mode = options.simulated ? "simulated" : "real";
  const now = options.now ?? Date.now;
  makeFolder(join(directory, JOURNAL_FOLDER));
  const lock = openLock(join(directory, FILES_LOCK), waitSeconds);
  const engine = openEngine({ directories: [directory] });
  const ownReader: ColumnReader = {
    columns: (select) => engine.use((connection) => readColumns(connection, select)),
  };
  const { storage = null, reader = ownReader } = options;
  const table = openTable(directory, INTRADAY, mode, KEPT_MILLISECONDS, storage);
  const pending = newPending();
  const caches = options.caches ?? new CacheBudget(OWN_CACHE_BYTES);
  const cache = caches.cache<string, Ticks>("ticks", { share: TICKS_SHARE });

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
  const parts = {
    ...{ directory, table, storage, snapshot, lock, engine, reader, pending, now, emit, follow },
    keptMilliseconds: KEPT_MILLISECONDS,
  };

  const owned = newOwnedJournal(parts);
  /** Takes the journal. Resolves with how many quotes of an earlier owner the table gained. */
  const own = async (seconds?: number): Promise<number> =>
    owned.isOwned() ? 0 : await owned.begin(await ownJournal(join(directory, OWNER_LOCK), seconds));
  /** As `work`; null while another process owns the journal. */
  const unlessOwned = async <T>(work: () => Promise<T>): Promise<T | null> => {
    try {
      return await work();
    } catch (fault) {
      if (fault instanceof JournalOwned) return null;
      throw fault;
    }
  };
  // In turn: the end of a short hold must not release a journal that this process has just taken for good.
  const inTurn = pLimit(1);
  /** Owns the journal only as long as `work` takes, unless this process owns it anyway; null while another process owns it. */
  const whileOwned = <T>(work: (flushed: number) => T | Promise<T>): Promise<T | null> =>
    inTurn(() =>
      unlessOwned(async () => {
        const isOwned = owned.isOwned();
        const flushed = await own(0);
        try {
          return await work(flushed);
        } finally {
          if (!isOwned) await owned.end();
        }
      }),
    );
  const flushUnowned = async () => (await whileOwned((flushed) => flushed)) ?? 0;
  try {
    table.refuseOtherMode();
    const newest = table.latest();
    if (newest === null || !isCurrent(directory, table, newest))
      await lock.exclusive(async () => {
        refreshCurrent(directory, table, await onNewest(storage, () => table.ensure(now())));
      });
    await options.chain?.catchUp([table], lock);
    if (access === "write") await own(waitSeconds);
  } catch (fault) {
    await release();
    throw fault;
  }

  const intactBetween = async (from: Instant, to: Instant) => {
    const files = filesByDate(snapshot());
    const adds = datesIn(snapshot(), dayAt(from), dayAt(to - 1)).flatMap((date) => files.get(date) ?? []);
    await table.verifier.require(adds);
    return adds.map(table.pathOf);
  };
  const quoteArchive: QuoteArchive = {
    append: async (quotes) => {
      await owned.journal().append(quotes);
    },
    flush: owned.flush,
    // An export of a damaged window is refused before it begins.
    state: (from, to) =>
      whereIntact(async () => {
        await intactBetween(from, to);
        return windowState(snapshot(), from, to);
      }),
    isStored: (quote) => {
      if (pending.has(quote)) return false;
      // Another process may own the journal. A flush writes all its quotes: a later retrieval in the file means that this quote is in it.
      const files = unlessDamaged(() => filesByDate(snapshot()));
      const add = files?.get(dayAt(quote.observedAt));
      return add !== undefined && newestRetrieval(add) >= quote.retrievedAt;
    },
    bars: (query) => whereIntact(() => readBars({ ...parts, cache }, query)),
    quotes: (from, to) => whereIntact(() => readQuotes(parts, from, to)),
    newest: (from, to) => whereIntact(() => readNewest(parts, from, to)),
    imports: (from, to) => importsIn(snapshot()).filter(({ first, last }) => first < to && last >= from),
    close: () =>
      inTurn(async () => {
        await owned.flushIfPossible();
        await owned.end();
        await release();
      }),
  };
  return {
    ...quoteArchive,
    table,
    isOwned: owned.isOwned,
    /** Takes the journal, and writes the quotes of an earlier owner to the table. Resolves with false while another process owns it. */
    own: async (): Promise<boolean> => (await inTurn(() => unlessOwned(() => own(0)))) !== null,
    disown: () => inTurn(owned.end),
    /** Writes the quotes of a journal that no process owns to the files. Resolves with 0 while one owns it: it flushes itself. */
    flushUnowned,
    /**
     * Does what the nightly jobs do: journal, retention, checkpoint, removal of old versions. `keptDays` are days to retain, that of
     * the newest quotes included; null retains everything. `removed` is null when a running server removes the dates. An interruption loses nothing.
     */
    compact: async (keptDays: number | null) => {
      const flushed = await flushUnowned();
      // A command has asked no host for the time: a clock that is ahead must not empty the archive.
      const newest = ((datesIn(snapshot()).at(-1) ?? 0) + 1) * MILLISECONDS_PER_DAY - 1;
      const at = Math.min(now(), newest);
      const removed = keptDays === null ? [] : await whileOwned(() => retainDays(parts, keptDays, at));
      return { flushed, removed, swept: await cleanUpArchive(parts) };
    },
    importQuotes: (order: ImportOrder) => importQuotes(parts, order),
    removeImport: (name: string) => removeImport(parts, name),
    /** Resolves with the absolute paths of a window's files, each intact. Fails with `data_unavailable` when one is damaged. */
    filesBetween: (from: Instant, to: Instant) => whereIntact(() => intactBetween(from, to)),
    /** Writes a checkpoint and removes files that only versions older than the retention need; resolves with what was removed. */
    upkeep: () => cleanUpArchive(parts),
    /** Removes the dates before the last `days` ones, today included. A date with quotes in the journal stays. */
    retain: async (days: number, at: Instant): Promise<readonly Day[]> =>
      owned.isOwned() ? await retainDays(parts, days, at) : [],
    dates: () => datesIn(snapshot()),
    audit: () => table.verifier.audit(filesOf(snapshot())),
  };
}

/** Long enough for a process that is just ending. */
const START_WAIT_SECONDS = 3;

/** Opens the archive for writing if `writes` and no other process owns the journal, else for reading. Rejects as openQuoteArchive does. */
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
