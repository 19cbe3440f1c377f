/** Regular maintenance and repair of the archive: in the collecting process, beside it, or while no server runs. */

import { join, resolve } from "node:path";
import { type Day, dayAt, type Instant } from "#domain/time/day.ts";
import { sentenceOf } from "#store/delta/damage.ts";
import { repairTable } from "#store/delta/repair.ts";
import type { Mode } from "#store/delta/schema.ts";
import { isTable } from "#store/delta/table.ts";
import { openLock } from "#store/disk/writer-lock.ts";
import { type Archive, type ArchiveOptions, openQuoteArchive } from "./archive.ts";
import { JournalOwned, ownJournal } from "./changes.ts";
import { FILES_LOCK, OWNER_LOCK } from "./journal/journal.ts";
import { INTRADAY } from "./table.ts";

/** The dates checked each night. Earlier ones have their index already. */
const INDEXED_DAYS = 35;

/** Runs one piece of upkeep; `keptDays` null retains everything. The owner of the journal does what needs the journal. */
export async function maintainArchive(
  archive: Archive,
  task: "flush" | "compact",
  now: Instant,
  keptDays: number | null,
): Promise<void> {
  if (task === "flush") {
    if (archive.isOwned()) await archive.flush();
    return;
  }
  const to = dayAt(now) - 1;
  await archive.index({ from: to - INDEXED_DAYS, to, now });
  if (keptDays !== null && archive.isOwned()) await archive.retain(keptDays, now);
  await archive.upkeep();
}

/** The dates, both inclusive, and the other work of the nightly upkeep. */
export interface Span {
  readonly from: Day;
  readonly to: Day;
  readonly now: Instant;
  /** Days to retain, today included; null retains everything. */
  readonly keptDays: number | null;
  readonly progress: (done: number, total: number) => void;
}

interface UpkeepReport {
  /** Quotes of a dead server's journal that the table now has. */
  readonly flushed: number;
  /** Closed dates with a file. */
  readonly checked: number;
  /** Dates that got their index of ticks. */
  readonly indexed: number;
  /** Dates removed for their age; null when the running server removes them. */
  readonly removed: readonly Day[] | null;
  /** Files of versions older than the retention. */
  readonly swept: { readonly files: number; readonly bytes: number };
  /** One sentence for each damaged file that was skipped. */
  readonly damaged: readonly string[];
}

type Place = Omit<ArchiveOptions, "access">;

/** Other writers get their turn between slices. */
const SLICE_DATES = 4;

/** Writes the journal's quotes to the files. Returns 0 while a server owns the journal: it flushes itself. */
export async function flushUnowned(place: Place): Promise<number> {
  return (await asOwner(place, async (owned) => owned.lastFlush()?.quotes ?? 0)) ?? 0;
}

/**
 * Does what the nightly jobs do, for a span of dates: journal, indexes, retention, checkpoint, removal of old versions.
 * An interruption loses nothing.
 */
export async function compactAll(archive: Archive, place: Place, span: Span): Promise<UpkeepReport> {
  const { now, keptDays } = span;
  const flushed = await flushUnowned(place);
  const dates = archive
    .dates()
    .filter((date) => date >= span.from && date <= Math.min(span.to, dayAt(now) - 1));
  let indexed = 0;
  for (let at = 0; at < dates.length; at += SLICE_DATES) {
    const slice = dates.slice(at, at + SLICE_DATES);
    indexed += await archive.index({ from: slice[0] as Day, to: slice.at(-1) as Day, now });
    span.progress(at + slice.length, dates.length);
  }
  const removed = keptDays === null ? [] : await asOwner(place, (owned) => owned.retain(keptDays, now));
  const swept = await archive.upkeep();
  const damaged = archive.table.verifier.known().map(sentenceOf);
  return { flushed, checked: dates.length, indexed, removed, swept, damaged };
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

const WAIT_SECONDS = 5;

export async function repairArchive(
  lakeDirectory: string,
  mode: Mode,
  now: number,
  apply: boolean,
): Promise<readonly string[]> {
  const directory = resolve(lakeDirectory);
  if (!isTable(directory, INTRADAY)) return [];
  const owner = await ownJournal(join(directory, OWNER_LOCK), 0);
  const lock = openLock(join(directory, FILES_LOCK), WAIT_SECONDS);
  try {
    return await lock.exclusive(() => repairTable(directory, INTRADAY, mode, now, apply));
  } finally {
    await lock.close();
    await owner.release();
  }
}
