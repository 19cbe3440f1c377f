/** Upkeep of the archive by a process that takes in no quotes: beside the server that does, or in its place while none runs. */

import { type Day, dayAt, type Instant } from "#domain/day.ts";
import { type Archive, type ArchiveOptions, openQuoteArchive } from "./archive.ts";
import type { CompactedDate } from "./compact.ts";
import { datesWithFile } from "./layout.ts";
import { JournalOwned } from "./owner.ts";

/** Which dates, both inclusive, and what else the night's upkeep would do. */
export interface Span {
  readonly from: Day;
  readonly to: Day;
  readonly now: Instant;
  /** Days to keep, today included; null keeps everything. */
  readonly keptDays: number | null;
  /** Hears of dates looked at in a pass, out of how many; passes are numbered from 1. */
  readonly progress: (pass: number, done: number, total: number) => void;
}

export interface UpkeepReport {
  /** Quotes that a server left in the journal when it died and that are in the files now. */
  readonly flushed: number;
  /** Closed dates with a file. */
  readonly looked: number;
  /** Those of them that were rewritten, with their size before the first and after the last pass. */
  readonly rewritten: readonly CompactedDate[];
  /** Dates removed for their age; null where that is left to the running server. */
  readonly removed: readonly Day[] | null;
}

type Place = Omit<ArchiveOptions, "access">;

/** A rewritten file keeps its old bytes for one pass, and rows that stand behind them move to the front in the next. */
const PASSES = 3;
/** Between slices of so many dates others get their turn at the files. */
const SLICE_DATES = 4;
const PAUSE_MILLISECONDS = 30;

/** Quotes out of the journal into the files, unless a server owns the journal: then 0, for it flushes by itself. */
export async function flushUnowned(place: Place): Promise<number> {
  return (await asOwner(place, async (owned) => owned.lastFlush()?.quotes ?? 0)) ?? 0;
}

/**
 * Everything that the nightly jobs do, for the dates of a span: journal, compaction until no more room can be given
 * back, retention. Each date is durable before the next: to interrupt it loses nothing.
 */
export async function compactAll(archive: Archive, place: Place, span: Span): Promise<UpkeepReport> {
  const { now, keptDays } = span;
  const flushed = await flushUnowned(place);
  const dates = datesWithFile(place.directory, span.from, Math.min(span.to, dayAt(now) - 1));
  const rewritten = new Map<Day, CompactedDate>();
  let left = dates;
  for (let pass = 1; pass <= PASSES && left.length > 0; pass++) {
    const compacted = await compactSlices(archive, left, now, (done) =>
      span.progress(pass, done, left.length),
    );
    for (const date of compacted) {
      const bytesBefore = rewritten.get(date.date)?.bytesBefore ?? date.bytesBefore;
      rewritten.set(date.date, { ...date, bytesBefore });
    }
    left = compacted.map(({ date }) => date);
  }
  const removed = keptDays === null ? [] : await asOwner(place, (owned) => owned.retain(keptDays, now));
  return { flushed, looked: dates.length, rewritten: [...rewritten.values()], removed };
}

async function compactSlices(
  archive: Archive,
  dates: readonly Day[],
  now: Instant,
  progress: (done: number) => void,
): Promise<readonly CompactedDate[]> {
  const compacted: CompactedDate[] = [];
  for (let at = 0; at < dates.length; at += SLICE_DATES) {
    const slice = dates.slice(at, at + SLICE_DATES);
    const [from, to] = [slice[0] as Day, slice.at(-1) as Day];
    compacted.push(...(await archive.compact({ from, to, now })));
    progress(at + slice.length);
    await Bun.sleep(PAUSE_MILLISECONDS);
  }
  return compacted;
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
