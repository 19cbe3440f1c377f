/** The table before its first use: made where there is none, converted from an older layout, `current/` repaired. */

import { onNewest } from "#store/delta/contention.ts";
import { isCurrent, refreshCurrent } from "#store/delta/current.ts";
import { type Mode, marksOf, WrongMode } from "#store/delta/schema.ts";
import type { LakeStorage } from "#store/delta/storage.ts";
import type { Table } from "#store/delta/table.ts";
import type { WriterLock } from "#store/disk/writer-lock.ts";
import type { Engine } from "#store/parquet/engine.ts";
import type { Emit } from "#telemetry.ts";
import { convertArchive, isOldArchive, oldModeOf } from "./convert.ts";

interface Preparation {
  /** The lake's directory. */
  readonly directory: string;
  readonly table: Table;
  readonly storage: LakeStorage | null;
  readonly mode: Mode;
  readonly lock: WriterLock;
  readonly engine: Engine;
  readonly now: number;
  readonly emit: Emit | undefined;
}

/** Rejects with WrongMode, LakeDamaged, LakeBusy, or the file system's fault. */
export async function prepareTable(preparation: Preparation): Promise<void> {
  const { directory, table, storage, mode, lock, now } = preparation;
  if (isOldArchive(directory, table.latest() !== null)) await convertOld(preparation);
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

async function convertOld({ directory, table, mode, lock, engine, now, emit }: Preparation): Promise<void> {
  const old = oldModeOf(directory);
  if (old !== undefined && old !== mode) throw new WrongMode(directory, old);
  const dates = await lock.exclusive(async () =>
    // Another process may have converted it while this one waited.
    isOldArchive(directory, table.latest() !== null)
      ? await engine.use((connection) => convertArchive(connection, { directory, table, mode, now }))
      : 0,
  );
  if (dates > 0)
    emit?.({ kind: "lake_repaired", detail: `${dates} dates of quotes were converted to a Delta table` });
}
