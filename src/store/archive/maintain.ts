/** Repair of the intraday archive, by the operator's command, while no server runs. */

import { join, resolve } from "node:path";
import { repairTable } from "#store/delta/maintain.ts";
import type { Mode } from "#store/delta/schema.ts";
import { isTable } from "#store/delta/table.ts";
import { openLock } from "#store/disk/ready-lock.ts";
import { FILES_LOCK, OWNER_LOCK } from "./layout.ts";
import { ownJournal } from "./owner.ts";
import { INTRADAY } from "./table.ts";

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
