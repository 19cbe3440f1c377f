/** The table before its first use: made where there is none, `current/` repaired. */

import { onNewest } from "#store/delta/contention.ts";
import { isCurrent, refreshCurrent } from "#store/delta/current.ts";
import { type Mode, marksOf, WrongMode } from "#store/delta/schema.ts";
import type { LakeStorage } from "#store/delta/storage.ts";
import type { Table } from "#store/delta/table.ts";
import type { WriterLock } from "#store/disk/writer-lock.ts";

interface Preparation {
  /** The lake's directory. */
  readonly directory: string;
  readonly table: Table;
  readonly storage: LakeStorage | null;
  readonly mode: Mode;
  readonly lock: WriterLock;
  readonly now: number;
}

/** Rejects with WrongMode, LakeDamaged, LakeBusy, or the file system's fault. */
export async function prepareTable(preparation: Preparation): Promise<void> {
  const { directory, table, storage, mode, lock, now } = preparation;
  const found = table.latest();
  const written = found === null ? undefined : marksOf(found.metaData.configuration).mode;
  if (written !== undefined && written !== mode) throw new WrongMode(directory, written);
  if (found !== null && isCurrent(directory, table, found)) return;
  await lock.exclusive(async () => {
    const created = await onNewest(
      storage,
      async () => table.latest() ?? (await table.commit(null, [], "CREATE TABLE", now)),
    );
    refreshCurrent(directory, table, created);
  });
}
