/** Repair of the table of official publications, by the operator's command: what goes comes back from the ledger. */

import { join, resolve } from "node:path";
import { repairTable } from "#store/delta/maintain.ts";
import type { Mode } from "#store/delta/schema.ts";
import { isTable } from "#store/delta/table.ts";
import { openLock } from "#store/disk/ready-lock.ts";
import { OFFICIAL_LOCK } from "./official-lake.ts";
import { OFFICIAL } from "./table.ts";

const WAIT_SECONDS = 5;

/**
 * See repairTable. The next copy from the ledger, of a server or of `rebuild`, brings back what is missing. Rejects with
 * LakeBusy.
 */
export async function repairOfficial(
  lakeDirectory: string,
  mode: Mode,
  now: number,
  apply: boolean,
): Promise<readonly string[]> {
  const directory = resolve(lakeDirectory);
  if (!isTable(directory, OFFICIAL)) return [];
  const lock = openLock(join(directory, OFFICIAL_LOCK), WAIT_SECONDS);
  try {
    const steps = await lock.exclusive(() => repairTable(directory, OFFICIAL, mode, now, apply));
    return steps.length === 0
      ? []
      : [...steps, "the next copy from the ledger has all official publications again"];
  } finally {
    await lock.close();
  }
}
