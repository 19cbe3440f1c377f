/** A whole look at a table: every entry of its log that is kept, and every file of its newest version. */

import { join } from "node:path";
import { type DamagedFile, LakeDamaged } from "./damage.ts";
import { filesOf } from "./snapshot.ts";
import type { Table } from "./table.ts";

export interface Survey {
  readonly table: string;
  /** Null where there is no such table, or its log cannot be read. */
  readonly version: number | null;
  /** Data files that were read. */
  readonly files: number;
  readonly rows: number;
  /** Faults of the log, one sentence each. */
  readonly log: readonly string[];
  readonly damaged: readonly DamagedFile[];
}

/** Reads everything; never rejects for damage. `progress` is called with the files read, out of how many. */
export async function survey(
  table: Table,
  progress: (done: number, total: number) => void = () => {},
): Promise<Survey> {
  const nothing = { table: table.definition.name, version: null, files: 0, rows: 0, damaged: [] };
  const log = await faultsOfLog(table);
  const snapshot = orFault(log, () => table.latest());
  if (snapshot === null) return { ...nothing, log };
  const adds = filesOf(snapshot);
  const damaged: DamagedFile[] = [];
  let rows = 0;
  for (const [index, add] of adds.entries()) {
    damaged.push(...(await table.verifier.audit([add])));
    rows += JSON.parse(add.stats).numRecords;
    progress(index + 1, adds.length);
  }
  return { ...nothing, version: snapshot.version, files: adds.length, rows, log, damaged };
}

/** Entries that the newest version does not need are looked at, too: older versions are made from them. */
async function faultsOfLog(table: Table): Promise<string[]> {
  const faults: string[] = [];
  const { commits, checkpoints } = table.log.list();
  const id = orFault(faults, () => table.log.readHead())?.table ?? null;
  for (const version of commits) orFault(faults, () => table.log.readCommit(version, id));
  for (const version of checkpoints) {
    if (orFault(faults, () => table.log.readCheckpoint(version, id)) === null) continue;
    await table.log.checkParquet(version).catch((fault: unknown) => {
      if (!(fault instanceof LakeDamaged)) throw fault;
      faults.push(fault.what);
    });
  }
  for (let at = 1; at < commits.length; at++) {
    const [before, next] = [commits[at - 1] as number, commits[at] as number];
    if (next !== before + 1)
      faults.push(`${join(table.log.folder, `${String(before + 1).padStart(20, "0")}.json`)} is missing`);
  }
  return [...new Set(faults)];
}

function orFault<T>(faults: string[], read: () => T): T | null {
  try {
    return read();
  } catch (fault) {
    if (!(fault instanceof LakeDamaged)) throw fault;
    if (!faults.includes(fault.what)) faults.push(fault.what);
    return null;
  }
}
