/** The intraday archive: a quote is durable in the journal at once, and in its date's Parquet file with the next flush. */

import { join, resolve } from "node:path";
import { CacheBudget } from "#domain/cache/budget.ts";
import { type Day, dayAt, type Instant } from "#domain/time/day.ts";
import type { QuoteArchive } from "#ports.ts";
import { removalOf } from "#store/delta/actions.ts";
import { refreshCurrent } from "#store/delta/current.ts";
import { type DamagedFile, LakeDamaged } from "#store/delta/damage.ts";
import { filesOf, type Snapshot } from "#store/delta/snapshot.ts";
import { openTable, type Table } from "#store/delta/table.ts";
import { makeFolder } from "#store/disk/durable.ts";
import { openLock } from "#store/disk/ready-lock.ts";
import type { Tell } from "#telemetry.ts";
import { readBars } from "./bars.ts";
import { openEngine } from "./engine.ts";
import { type FlushReport, newFlush } from "./flush.ts";
import { openJournal } from "./journal.ts";
import { FILES_LOCK, INTRADAY_FOLDER, JOURNAL_FOLDER, OWNER_LOCK, segmentsOnDisk } from "./layout.ts";
import { ownJournal } from "./owner.ts";
import { newPending } from "./pending.ts";
import { prepareTable } from "./prepare.ts";
import { checkQuote } from "./quote-line.ts";
import { readNewest, readQuotes } from "./quotes.ts";
import { recoverSegments } from "./recovery.ts";
import { asFailure, windowState } from "./state.ts";
import { datesIn, filesByDate, INTRADAY } from "./table.ts";
import { openTickCache } from "./tick-cache.ts";

export interface ArchiveOptions {
  /** The lake's directory; the archive lies in `intraday/` under it and is created when it is not there. */
  readonly directory: string;
  /** Kind of rates in it: an archive of the other kind is refused. */
  readonly simulated: boolean;
  /**
   * `write` owns the journal, which one process at a time can. `read` leaves the journal alone: no append, no flush, no
   * retain; bars and quotes are of the files only; compacting works, in turn with the owner's flushes.
   */
  readonly access: "write" | "read";
  readonly tell?: Tell;
  /** How long to wait for another process that is changing the files or owns the journal. */
  readonly waitSeconds?: number;
  /** The same for the journal alone, where it differs. */
  readonly ownerWaitSeconds?: number;
  /** Bounds the ticks that are kept after they were read. */
  readonly caches?: CacheBudget;
  readonly now?: () => Instant;
}

/** Closed dates whose bars shall need no DuckDB. */
export interface Indexing {
  /** Both inclusive; dates that are not over yet are left alone. */
  readonly from: Day;
  readonly to: Day;
  readonly now: Instant;
  /** Called with the dates looked at, out of how many. */
  readonly progress?: (done: number, total: number) => void;
}

export interface Archive extends QuoteArchive {
  /** For those who send its files. */
  readonly table: Table;
  /** Makes the private index of ticks of closed dates that have none; resolves with how many were made. */
  index(indexing: Indexing): Promise<number>;
  /** Checkpoint of the log; removal of what only versions before the retention need. Resolves with what was removed. */
  upkeep(): Promise<{ readonly files: number; readonly bytes: number }>;
  /** Removes the dates before the last `days` ones, today included; never one that the journal still has quotes of. */
  retain(days: number, now: Instant): Promise<readonly Day[]>;
  /** Dates with a file, ascending. */
  dates(): readonly Day[];
  /** Reads every file again, and resolves with those that are not what the log says. */
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
 * Opens the archive; one of the layout before this one is converted. Quotes that an earlier process left in the journal
 * are brought into the table first; where that fails (a full disk) they stay pending, which is logged, and the next
 * flush tries again. Rejects with WrongMode, LakeDamaged for a damaged log, JournalOwned, LakeBusy, or what the file
 * system says.
 */
export async function openQuoteArchive(options: ArchiveOptions): Promise<Archive> {
  const { tell, access, waitSeconds = WAIT_SECONDS, ownerWaitSeconds = waitSeconds } = options;
  const directory = resolve(options.directory);
  const mode = options.simulated ? "simulated" : "real";
  const now = options.now ?? Date.now;
  makeFolder(join(directory, JOURNAL_FOLDER));
  const owner = access === "write" ? await ownJournal(join(directory, OWNER_LOCK), ownerWaitSeconds) : null;
  const lock = openLock(join(directory, FILES_LOCK), waitSeconds);
  const engine = openEngine(directory);
  const table = openTable(directory, INTRADAY, mode, KEPT_MILLISECONDS);
  const pending = newPending();
  const cache = openTickCache(options.caches ?? new CacheBudget(OWN_CACHE_BYTES));
  let lastFlush: FlushReport | null = null;

  const snapshot = (): Snapshot => {
    const found = table.latest();
    if (found === null) throw new LakeDamaged(join(directory, INTRADAY_FOLDER), "has lost its log");
    return found;
  };
  const release = async () => {
    await lock.close();
    await engine.close();
    await owner?.release();
  };

  try {
    await prepareTable({ directory, table, mode, lock, engine, now: now(), tell });
    if (owner !== null) {
      for (const { number, quotes } of await recoverSegments(directory, tell)) pending.add(number, quotes);
    }
  } catch (fault) {
    await release();
    throw fault;
  }
  const journal = openJournal(directory, (segmentsOnDisk(directory).at(-1) ?? 0) + 1, pending);

  const keptMilliseconds = KEPT_MILLISECONDS;
  const parts = { directory, table, snapshot, lock, engine, journal, pending, now, keptMilliseconds, tell };
  const flushPending = newFlush(parts);
  const flush = async (): Promise<number> => {
    ownedOnly();
    const report = await flushPending();
    lastFlush = report ?? lastFlush;
    return report?.quotes ?? 0;
  };
  const ownedOnly = () => {
    if (owner === null) throw new Error("this archive was opened for reading: it does not own the journal");
  };
  /** Nothing is lost when it fails: the journal has it, and the next start or flush tries again. */
  const flushIfPossible = async () => {
    await flush().catch((fault) => {
      const text = `quotes stay in the journal for now: ${fault instanceof Error ? fault.message : fault}`;
      tell?.({ kind: "notice", text });
    });
  };
  if (owner !== null) await flushIfPossible();

  const sources = { directory, table, engine, cache, pending, snapshot };
  const intactBetween = async (from: Instant, to: Instant) => {
    const files = filesByDate(snapshot());
    const adds = datesIn(snapshot(), dayAt(from), dayAt(to - 1)).flatMap((date) => files.get(date) ?? []);
    await table.verifier.require(adds);
    return adds.map(table.pathOf);
  };
  return {
    table,
    append: async (quotes) => {
      ownedOnly();
      for (const quote of quotes) checkQuote(quote);
      if (quotes.length > 0) await journal.append(quotes);
    },
    flush,
    // An export that asks for it is refused before it begins.
    state: (from, to) =>
      asFailure(async () => {
        await intactBetween(from, to);
        return windowState(snapshot(), from, to);
      }),
    bars: (query) => asFailure(() => readBars(sources, query)),
    quotes: (from, to) => asFailure(() => readQuotes(sources, from, to)),
    newest: (from, to) => asFailure(() => readNewest(sources, from, to)),
    filesBetween: (from, to) => asFailure(() => intactBetween(from, to)),
    index: async (indexing) => {
      const { indexDates } = await import("./tick-index.ts");
      return await engine.use((connection) => indexDates(connection, directory, table, snapshot(), indexing));
    },
    upkeep: async () => {
      const { checkpoint, cleanUp, commitsSinceCheckpoint } = await import("#store/delta/upkeep.ts");
      const { removeEmptyFolders } = await import("./folders.ts");
      const retention = { now: now(), keptMilliseconds: KEPT_MILLISECONDS };
      return await lock.exclusive(async () => {
        if (commitsSinceCheckpoint(table) > 0)
          await engine.use((connection) => checkpoint(table, snapshot(), connection, retention));
        const swept = await cleanUp(table, retention);
        removeEmptyFolders(directory, snapshot());
        return swept;
      });
    },
    retain: async (days, at) => {
      ownedOnly();
      if (!Number.isInteger(days) || days < 1)
        throw new RangeError("retention is a whole number of days, at least 1");
      const spared = new Set(
        pending.snapshot().flatMap(({ quotes }) => quotes.map(({ observedAt }) => dayAt(observedAt))),
      );
      return await lock.exclusive(async () => {
        const before = snapshot();
        const files = filesByDate(before);
        const removed = datesIn(before, -Infinity, dayAt(at) - days).filter((date) => !spared.has(date));
        if (removed.length === 0) return [];
        const actions = removed.flatMap((date) => {
          const add = files.get(date);
          return add === undefined ? [] : [removalOf(add, now())];
        });
        const after = await table.commit(before, actions, "DELETE", now());
        refreshCurrent(directory, table, after);
        const { removeIndex } = await import("./tick-index.ts");
        for (const date of removed) removeIndex(directory, date);
        return removed;
      });
    },
    dates: () => datesIn(snapshot()),
    audit: () => table.verifier.audit(filesOf(snapshot())),
    lastFlush: () => lastFlush,
    close: async () => {
      if (owner !== null) {
        await flushIfPossible();
        await journal.close();
      }
      await release();
    },
  };
}
