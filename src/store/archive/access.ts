/** The archive as a process uses it: as its one writer or as a reader, what it needs done from time to time, and its exports. */

import { currencyCode } from "#domain/currency/currency.ts";
import type { QuotesPlan } from "#domain/history/export-plan.ts";
import { dayAt, type Instant } from "#domain/time/day.ts";
import { type Archive, type ArchiveOptions, openQuoteArchive } from "./archive.ts";
import { JournalOwned } from "./owner.ts";
import { ticksSelect } from "./selects.ts";

/** How long a start waits for a process that is just ending. */
const WAIT_SECONDS = 3;
/** Closed dates that are looked at each night: earlier ones have their index since long. */
const INDEXED_DAYS = 35;

export interface AccessedArchive extends Archive {
  /** True for the one process that may append. */
  readonly isOwned: boolean;
}

/**
 * Opens the archive for writing where this process takes in quotes and no other does; else for reading, where flushing
 * has nothing to do. Rejects as openQuoteArchive does.
 */
export async function openArchive(
  options: Omit<ArchiveOptions, "access">,
  writes: boolean,
): Promise<AccessedArchive> {
  if (writes) {
    try {
      const owned = await openQuoteArchive({ waitSeconds: WAIT_SECONDS, ...options, access: "write" });
      return { ...owned, isOwned: true };
    } catch (fault) {
      if (!(fault instanceof JournalOwned)) throw fault;
      options.tell?.({ kind: "notice", text: `${fault.message}; this one reads only` });
    }
  }
  const reading = await openQuoteArchive({ ...options, access: "read" });
  return { ...reading, isOwned: false, flush: async () => 0, retain: async () => [] };
}

/** One piece of upkeep; `keptDays` null keeps everything. */
export async function lookAfter(
  archive: Archive,
  task: "flush" | "compact",
  now: Instant,
  keptDays: number | null,
): Promise<void> {
  if (task === "flush") {
    await archive.flush();
    return;
  }
  const to = dayAt(now) - 1;
  await archive.index({ from: to - INDEXED_DAYS, to, now });
  if (keptDays !== null) await archive.retain(keptDays, now);
  await archive.upkeep();
}

/** The SELECT of an export plan over the archive's files. Rejects as `filesBetween` does. */
export async function selectOf(archive: Archive, plan: QuotesPlan): Promise<string> {
  const pairs =
    plan.pairs?.map(([base, quote]) => [currencyCode(base), currencyCode(quote)] as const) ?? null;
  const files = await archive.filesBetween(plan.from, plan.to);
  return ticksSelect({ ...plan, files, pairs });
}
