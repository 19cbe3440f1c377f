/** What the archive needs from time to time, and its repair: in the process that takes in quotes, beside it, or while none runs. */

import { join, resolve } from "node:path";
import { type Day, dayAt, type Instant } from "#domain/time/day.ts";
import { sentenceOf } from "#store/delta/damage.ts";
import { repairTable } from "#store/delta/repair.ts";
import type { Mode } from "#store/delta/schema.ts";
import { isTable } from "#store/delta/table.ts";
import { openLock } from "#store/disk/writer-lock.ts";
import { type Archive, type ArchiveOptions, openQuoteArchive } from "./archive.ts";
import { FILES_LOCK, OWNER_LOCK } from "./journal/files.ts";
import { JournalOwned, ownJournal } from "./owned-journal.ts";
import { INTRADAY } from "./table.ts";

/** Closed dates that are checked each night: earlier ones have their index already. */
const INDEXED_DAYS = 35;

/** One piece of upkeep; `keptDays` null retains everything. What needs the journal is left to the process that owns it. */
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

/** Which dates, both inclusive, and what else the night's upkeep would do. */
export interface Span {
  readonly from: Day;
  readonly to: Day;
  readonly now: Instant;
  /** Days to retain, today included; null retains everything. */
  readonly keptDays: number | null;
  /** Called with the dates checked, out of how many. */
  readonly progress: (done: number, total: number) => void;
}

interface UpkeepReport {
  /** Quotes that a server left in the journal when it died and that are in the table now. */
  readonly flushed: number;
  /** Closed dates with a file. */
  readonly checked: number;
  /** Those of them that got their index of ticks. */
  readonly indexed: number;
  /** Dates removed for their age; null where that is left to the running server. */
  readonly removed: readonly Day[] | null;
  /** Files of versions older than the retention. */
  readonly swept: { readonly files: number; readonly bytes: number };
  /** One sentence a file that was met damaged and passed over. */
  readonly damaged: readonly string[];
}

type Place = Omit<ArchiveOptions, "access">;

/** Between slices of so many dates others get their turn. */
const SLICE_DATES = 4;

/** Quotes out of the journal into the files, unless a server owns the journal: then 0, because the server flushes. */
export async function flushUnowned(place: Place): Promise<number> {
  return (await asOwner(place, async (owned) => owned.lastFlush()?.quotes ?? 0)) ?? 0;
}

/**
 * Everything that the nightly jobs do to the archive, for the dates of a span: journal, indexes, retention, checkpoint and removal of
 * old versions. To interrupt it loses nothing.
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

/** Runs `work` as the owner of the journal, and only as long as it takes; resolves with null when a server owns it. */
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

/** See repairTable. Rejects with JournalOwned while a server runs. */
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
