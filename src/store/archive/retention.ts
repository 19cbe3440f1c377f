/** What the archive removes: dates beyond the retention, files of older versions, and what is left of dates that are gone. */

import { readdirSync, rmdirSync } from "node:fs";
import { join } from "node:path";
import { type Day, dayAt, type Instant, parseDay } from "#domain/time/day.ts";
import { removalOf } from "#store/delta/actions.ts";
import { onNewest } from "#store/delta/contention.ts";
import { refreshCurrent } from "#store/delta/current.ts";
import type { Snapshot } from "#store/delta/snapshot.ts";
import { maintain, type Swept } from "#store/delta/upkeep.ts";
import { removeIndex } from "./bars/tick-index.ts";
import type { FlushParts } from "./flush.ts";
import { INTRADAY_FOLDER } from "./journal/files.ts";
import { datesIn, filesByDate } from "./table.ts";

/** What a flush has, but the journal. */
type RetentionParts = Omit<FlushParts, "journal">;

/** See `Archive.retain`. */
export async function retainDays(
  { directory, table, storage, snapshot, lock, pending, now, follow }: RetentionParts,
  days: number,
  at: Instant,
): Promise<readonly Day[]> {
  if (!Number.isInteger(days) || days < 1)
    throw new RangeError("retention is a whole number of days, at least 1");
  const spared = new Set(
    pending.snapshot().flatMap(({ quotes }) => quotes.map(({ observedAt }) => dayAt(observedAt))),
  );
  const removeDates = async (): Promise<readonly Day[]> => {
    const before = snapshot();
    const files = filesByDate(before);
    const removed = datesIn(before, -Infinity, dayAt(at) - days).filter((date) => !spared.has(date));
    if (removed.length === 0) return [];
    const adds = removed.flatMap((date) => files.get(date) ?? []);
    const actions = adds.map((add) => removalOf(add, now()));
    refreshCurrent(directory, table, await table.commit(before, actions, "DELETE", now()));
    for (const date of removed) removeIndex(directory, date);
    await follow();
    return removed;
  };
  return await lock.exclusive(() => onNewest(storage, removeDates));
}

/** See `Archive.upkeep`. */
export async function cleanUpArchive({
  directory,
  table,
  storage,
  snapshot,
  lock,
  engine,
  now,
  keptMilliseconds,
}: RetentionParts): Promise<Swept> {
  const cleanUp = async (): Promise<Swept> => {
    const swept = await maintain(table, snapshot(), { now: now(), keptMilliseconds }, engine.use);
    removeEmptyFolders(directory, snapshot());
    return swept;
  };
  return await lock.exclusive(() => onNewest(storage, cleanUp));
}

/** The caller holds the lock: a flush makes the folder of its date before the table has the date. */
function removeEmptyFolders(directory: string, snapshot: Snapshot): void {
  const dates = filesByDate(snapshot);
  for (const name of readdirSync(join(directory, INTRADAY_FOLDER))) {
    const date = name.startsWith("date=") ? parseDay(name.slice("date=".length)) : null;
    if (date === null || dates.has(date)) continue;
    removeIndex(directory, date);
    try {
      rmdirSync(join(directory, INTRADAY_FOLDER, name));
    } catch (fault) {
      if ((fault as NodeJS.ErrnoException).code !== "ENOTEMPTY") throw fault;
    }
  }
}
