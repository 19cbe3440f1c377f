/** The intraday archive: a quote is durable in the journal at once, and in its date's Parquet file with the next flush. */

import { rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { type Day, dayAt, type Instant } from "#domain/day.ts";
import type { QuoteArchive } from "#ports.ts";
import { makeFolder, syncPath } from "#store/lake/durable.ts";
import { WrongMode } from "#store/lake/lake.ts";
import type { Tell } from "#telemetry.ts";
import { readBars } from "./bars.ts";
import type { CompactedDate, Compaction } from "./compact.ts";
import { openEngine } from "./engine.ts";
import type * as changes from "./files.ts";
import type { FilesContext } from "./files.ts";
import { openJournal } from "./journal.ts";
import { FILES_LOCK, JOURNAL_FOLDER, OWNER_LOCK, segmentFile, segmentsOnDisk } from "./layout.ts";
import { needsMending, readIntradayManifest } from "./manifest.ts";
import { openLock, ownJournal } from "./owner.ts";
import { newPending } from "./pending.ts";
import { checkQuote } from "./quote-line.ts";
import { readNewest, readQuotes } from "./quotes.ts";
import { recoverSegments } from "./recovery.ts";
import { windowState } from "./state.ts";
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
  /** Memory for ticks that were read before. */
  readonly cacheBytes?: number;
}

export interface FlushReport {
  /** Quotes that were new to the Parquet files. */
  readonly quotes: number;
  readonly milliseconds: number;
}

export interface Archive extends QuoteArchive {
  /** Rewrites closed dates that are not as this version writes them. Safe to interrupt and to repeat. */
  compact(compaction: Compaction): Promise<readonly CompactedDate[]>;
  /** Removes the dates before the last `days` ones, today included; never one that the journal still has quotes of. */
  retain(days: number, now: Instant): Promise<readonly Day[]>;
  /** How the last flush that had anything to do went; null before the first. */
  lastFlush(): FlushReport | null;
}

const WAIT_SECONDS = 30;
const CACHE_BYTES = 64 * 1024 * 1024;

/**
 * Opens the archive. Quotes that an earlier process left in the journal are brought into the files first; where that
 * fails (a full disk) they stay pending, which is told, and the next flush tries again. Rejects with WrongMode,
 * JournalOwned, LakeBusy, or what the file system says.
 */
export async function openQuoteArchive(options: ArchiveOptions): Promise<Archive> {
  const { tell, access, waitSeconds = WAIT_SECONDS, ownerWaitSeconds = waitSeconds } = options;
  const directory = resolve(options.directory);
  const mode = options.simulated ? "simulated" : "real";
  const checkMode = () => {
    const found = readIntradayManifest(directory)?.mode;
    if (found !== undefined && found !== mode) throw new WrongMode(directory, found);
  };
  checkMode();
  makeFolder(join(directory, JOURNAL_FOLDER));
  const owner = access === "write" ? await ownJournal(join(directory, OWNER_LOCK), ownerWaitSeconds) : null;
  const lock = openLock(join(directory, FILES_LOCK), waitSeconds);
  const engine = openEngine(directory);
  const context: FilesContext = { directory, mode, engine, tell };
  const pending = newPending();
  const cache = openTickCache(options.cacheBytes ?? CACHE_BYTES);
  let lastFlush: FlushReport | null = null;

  /** Runs alone. Loaded here and not above: to append, or to open an archive in order, must not load DuckDB. */
  const changing = <T>(work: (files: typeof changes) => Promise<T>): Promise<T> =>
    lock.exclusive(async () => await work(await import("./files.ts")));

  const release = async () => {
    await lock.close();
    await engine.close();
    await owner?.release();
  };

  try {
    if (needsMending(directory)) await changing(async ({ mend }) => void (await mend(context)));
    checkMode();
    if (owner !== null) {
      for (const { number, quotes } of await recoverSegments(directory, tell)) pending.add(number, quotes);
    }
  } catch (fault) {
    await release();
    throw fault;
  }
  const journal = openJournal(directory, (segmentsOnDisk(directory).at(-1) ?? 0) + 1, pending);

  const flush = async (): Promise<number> => {
    ownedOnly();
    if (pending.snapshot().length === 0) return 0;
    return await changing(async ({ merge }) => {
      const started = performance.now();
      const beyond = await journal.seal();
      const sealed = pending.snapshot().filter(({ number }) => number < beyond);
      const quotes = await merge(
        context,
        sealed.flatMap(({ quotes }) => quotes),
        beyond - 1,
      );
      // Only now: until the files and their manifest are durable, the journal is what keeps these quotes.
      for (const number of segmentsOnDisk(directory).filter((number) => number < beyond))
        rmSync(join(directory, segmentFile(number)), { force: true });
      syncPath(join(directory, JOURNAL_FOLDER));
      pending.drop(sealed.map(({ number }) => number));
      lastFlush = { quotes, milliseconds: performance.now() - started };
      return quotes;
    });
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

  return {
    append: async (quotes) => {
      ownedOnly();
      for (const quote of quotes) checkQuote(quote);
      if (quotes.length > 0) await journal.append(quotes);
    },
    flush,
    state: async (from, to) => windowState(directory, from, to),
    bars: (query) => readBars({ directory, engine, cache, pending }, query),
    quotes: (from, to) => readQuotes({ directory, engine, pending }, from, to),
    newest: (from, to) => readNewest({ directory, engine, pending }, from, to),
    compact: (compaction) => changing((files) => files.compact(context, compaction)),
    retain: async (days, now) => {
      ownedOnly();
      if (!Number.isInteger(days) || days < 1)
        throw new RangeError("retention is a whole number of days, at least 1");
      return await changing((files) => {
        const spared = pending
          .snapshot()
          .flatMap(({ quotes }) => quotes.map(({ observedAt }) => dayAt(observedAt)));
        return files.removeBefore(context, dayAt(now) - days + 1, new Set(spared));
      });
    },
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
