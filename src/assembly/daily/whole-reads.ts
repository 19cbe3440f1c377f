/** The weekly re-reading of whole histories: when one is due, and what is remembered of it across restarts. */

import type { DailySource } from "#domain/currency/source.ts";
import type { CollectionState } from "#domain/intake/reading.ts";
import { afterWholeRead, firstWholeRead, isWholeReadDue, type WholeRead } from "#domain/intake/whole-read.ts";
import type { Clock } from "#ports.ts";
import { readWholeReads, type WholeReads, writeWholeReads } from "#store/disk/whole-reads.ts";
import type { Emit } from "#telemetry.ts";

export interface WholeReadParts {
  readonly path: string;
  readonly clock: Clock;
  readonly emit: Emit;
  /** 0 ≤ r < 1. */
  readonly random: () => number;
}

export function openWholeReads({ path, clock, emit, random }: WholeReadParts) {
  let lastFault = "";
  /** /status reads this often: a lasting fault is logged once. */
  const failed = (fault: unknown) => {
    const error = fault instanceof Error ? fault.message : String(fault);
    if (error !== lastFault) emit({ kind: "job_failed", job: "whole-read", error });
    lastFault = error;
  };
  const known = (): WholeReads => {
    try {
      return readWholeReads(path);
    } catch (fault) {
      failed(fault);
      return {};
    }
  };
  /** A time that cannot be stored is set again by the next check: the collection itself has not failed. */
  const keep = (source: DailySource, read: WholeRead) =>
    writeWholeReads(path, { ...known(), [source]: read }).catch(failed);
  return {
    /** What is known of every source, by whichever process read it; nothing where the file cannot be read. */
    known,
    /** True when a source's whole history is to be read now. A source of which nothing is known gets its time first. */
    isDue: async (source: DailySource): Promise<boolean> => {
      const read = known()[source];
      if (read !== undefined) return isWholeReadDue(read, clock.now());
      await keep(source, firstWholeRead(clock.now(), random));
      return false;
    },
    /** To be called after every collection of a whole history; `isClean` when no route failed. One that failed stays due. */
    ended: async ({ source, outcome }: CollectionState, isClean: boolean): Promise<void> => {
      if (outcome === "failed") return;
      await keep(source, afterWholeRead(clock.now(), isClean, random));
    },
  };
}
