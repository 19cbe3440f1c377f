/** Repairs the archive's table while no server runs. */

import { join, resolve } from "node:path";
import { repairTable } from "#store/delta/repair.ts";
import type { Mode } from "#store/delta/schema.ts";
import { isTable } from "#store/delta/table.ts";
import { underLock } from "#store/disk/writer-lock.ts";
import { ownJournal } from "./changes.ts";
import { FILES_LOCK, OWNER_LOCK } from "./journal/journal.ts";
import { INTRADAY } from "./table.ts";

/** As repairTable. Rejects with JournalOwned or LakeBusy. */
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
