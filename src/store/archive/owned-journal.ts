/** The journal while this process owns it: what an earlier owner left in it comes into the table first, then quotes are appended. */

import { type Claim, claim, LakeBusy } from "#store/disk/writer-lock.ts";
import type { Emit } from "#telemetry.ts";
import { type FlushParts, type FlushReport, newFlush } from "./changes.ts";
import { segmentsOnDisk } from "./journal/files.ts";
import { type Journal, openJournal } from "./journal/journal.ts";
import { recoverSegments } from "./journal/recovery.ts";

/** Another process is appending to the journal of this archive. */
export class JournalOwned extends Error {
  constructor(path: string) {
    super(
      `another process writes the intraday archive and holds ${path}: stop it first, or open the archive for reading`,
    );
    this.name = "JournalOwned";
  }
}

/** Resolves once the claim is this process's. Throws JournalOwned when it is another's for longer than the wait. */
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
  /** Nothing is lost when it fails: the journal has it, and the next start or flush tries again. */
  const flushIfPossible = async (): Promise<void> => {
    await flush().catch((fault) => {
      const detail = fault instanceof Error ? fault.message : String(fault);
      emit?.({ kind: "archive_flush_failed", detail });
    });
  };

  return {
    isOwned: () => owned !== null,
    /** Throws where this process does not own it. */
    journal: (): Journal => {
      if (owned === null) throw new Error("this process does not own the journal of the archive");
      return owned.journal;
    },
    /** Releases the claim again when the journal cannot be read. */
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
    /** Resolves with how many quotes came into the table; 0 where this process does not own the journal. */
    flush,
    flushIfPossible,
    lastFlush: () => lastFlush,
    /** Without a flush: what is in the journal stays there for the next owner. */
    end: async (): Promise<void> => {
      const ending = owned;
      if (ending === null) return;
      owned = null;
      // No other process may read the segments while a flush still removes some.
      await flushing;
      await ending.journal.close();
      pending.clear();
      await ending.claim.release();
    },
  };
}
