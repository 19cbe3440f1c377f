/** Maintenance and repair of the archive beside a server, or while no server runs. */

import { join, resolve } from "node:path";
import type { Day, Instant } from "#domain/time/day.ts";
import { repairTable } from "#store/delta/repair.ts";
import type { Mode } from "#store/delta/schema.ts";
import { isTable } from "#store/delta/table.ts";
import type { Swept } from "#store/delta/upkeep.ts";
import { underLock } from "#store/disk/writer-lock.ts";
import { type Archive, type ArchiveOptions, openQuoteArchive } from "./archive.ts";
import { JournalOwned, ownJournal } from "./changes.ts";
import { FILES_LOCK, OWNER_LOCK } from "./journal/journal.ts";
import { INTRADAY } from "./table.ts";

interface UpkeepReport {
  /** The number of quotes that were moved from a dead server's journal to the table. */
  readonly flushed: number;
  /** Dates removed for their age; null when the running server removes them. */
  readonly removed: readonly Day[] | null;
  readonly swept: Swept;
}

type Place = Omit<ArchiveOptions, "access">;

/** Writes the journal's quotes to the files. Returns 0 while a server owns the journal: it flushes itself. */
export async function flushUnowned(place: Place): Promise<number> {
  return (await asOwner(place, async (owned) => owned.lastFlush())) ?? 0;
}

/**
 * Does what the nightly jobs do: journal, retention, checkpoint, removal of old versions. `keptDays` are days to retain,
 * today included; null retains everything. An interruption loses nothing.
 */
export async function compactArchive(
  archive: Archive,
  place: Place,
  now: Instant,
  keptDays: number | null,
): Promise<UpkeepReport> {
  const flushed = await flushUnowned(place);
  const removed = keptDays === null ? [] : await asOwner(place, (owned) => owned.retain(keptDays, now));
  return { flushed, removed, swept: await archive.upkeep() };
}

/** Owns the journal only as long as `work` takes; resolves with null when a server owns it. */
async function asOwner<T>(place: Place, work: (owned: Archive) => Promise<T>): Promise<T | null> {
  let owned: Archive;
  try {
    owned = await openQuoteArchive({ ...place, access: "write", ownerWaitSeconds: 0 });
  } catch (fault) {
    if (fault instanceof JournalOwned) return null;
    throw fault;
  }
  try {
    return await work(owned);
  } finally {
    await owned.close();
  }
}

export async function repairArchive(
  lakeDirectory: string,
  mode: Mode,
  now: number,
  apply: boolean,
): Promise<readonly string[]> {
  const directory = resolve(lakeDirectory);
  if (!isTable(directory, INTRADAY)) return [];
  const owner = await ownJournal(join(directory, OWNER_LOCK), 0);
  try {
    return await underLock(join(directory, FILES_LOCK), () =>
      repairTable(directory, INTRADAY, mode, now, apply),
    );
  } finally {
    await owner.release();
  }
}
