/** The journal while this process owns it: the table first gets the quotes of an earlier owner, then quotes are appended. */

import { type Claim, claim, LakeBusy } from "#store/disk/writer-lock.ts";
import type { Emit } from "#telemetry.ts";
import { type FlushParts, type FlushReport, newFlush } from "./changes.ts";
import { segmentsOnDisk } from "./journal/files.ts";
import { type Journal, openJournal } from "./journal/journal.ts";
import { recoverSegments } from "./journal/recovery.ts";

/** Another process appends to this archive's journal. */
export class JournalOwned extends Error {
  constructor(path: string) {
    super(
      `another process writes the intraday archive and holds ${path}: stop it first, or open the archive for reading`,
    );
    this.name = "JournalOwned";
  }
}

/** Resolves when this process has the claim. Throws JournalOwned when another process keeps it longer than the wait. */
export async function ownJournal(path: string, waitSeconds: number): Promise<Claim> {
  return await claim(path, waitSeconds).catch((fault: unknown) => {
    throw fault instanceof LakeBusy ? new JournalOwned(path) : fault;
  });
}

interface Owned {
  readonly claim: Claim;
  readonly journal: Journal;
  readonly flush: ReturnType<typeof newFlush>;
}

export function newOwnedJournal(parts: Omit<FlushParts, "journal"> & { readonly emit: Emit | undefined }) {
  const { directory, pending, emit } = parts;
  let owned: Owned | null = null;
  let flushing: Promise<unknown> = Promise.resolve();
  let lastFlush: FlushReport | null = null;

  const flush = async (): Promise<number> => {
    if (owned === null) return 0;
    const run = owned.flush();
    flushing = Promise.allSettled([flushing, run]);
    const report = await run;
    lastFlush = report ?? lastFlush;
    return report?.quotes ?? 0;
  };
  /** A failure loses nothing: the journal has the quotes, and the next start or flush tries again. */
  const flushIfPossible = async (): Promise<void> => {
    await flush().catch((fault) => {
      const detail = fault instanceof Error ? fault.message : String(fault);
      emit?.({ kind: "archive_flush_failed", detail });
    });
  };

  return {
    isOwned: () => owned !== null,
    /** Throws unless this process owns it. */
    journal: (): Journal => {
      if (owned === null) throw new Error("this process does not own the journal of the archive");
      return owned.journal;
    },
    /** Releases the claim when the journal cannot be read. */
    begin: async (claim: Claim): Promise<void> => {
      try {
        for (const { number, quotes } of await recoverSegments(directory, emit)) pending.add(number, quotes);
      } catch (fault) {
        pending.clear();
        await claim.release();
        throw fault;
      }
      const journal = openJournal(directory, (segmentsOnDisk(directory).at(-1) ?? 0) + 1, pending);
      owned = { claim, journal, flush: newFlush({ ...parts, journal }) };
      await flushIfPossible();
    },
    /** Resolves with the number of quotes that the table gained; 0 unless this process owns the journal. */
    flush,
    flushIfPossible,
    lastFlush: () => lastFlush,
    /** Ends without a flush: the journal's quotes stay there for the next owner. */
    end: async (): Promise<void> => {
      const ending = owned;
      if (ending === null) return;
      owned = null;
      // No other process may read the segments while a flush removes some.
      await flushing;
      await ending.journal.close();
      pending.clear();
      await ending.claim.release();
    },
  };
}
