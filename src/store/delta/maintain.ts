/** The survey of a whole table, and its repair: its log first, then its data files. */

import { join } from "node:path";
import { withEngine } from "#store/parquet/engine.ts";
import { refreshCurrent } from "./current.ts";
import { type DamagedFile, LakeDamaged } from "./damage.ts";
import { digitsOf } from "./log.ts";
import { fileActions, planFiles, renewLog, repairLog, setAside } from "./repair.ts";
import type { Mode, TableDefinition } from "./schema.ts";
import { filesOf } from "./snapshot.ts";
import { isTable, openTable, type Table } from "./table.ts";

/**
 * Sets damaged files and log entries aside; where an older file of a partition is intact it takes the damaged one's
 * place. `apply` false only reports what would be done. Resolves with one sentence a step, none when nothing is damaged.
 * The caller is the one writer.
 */
export async function repairTable(
  directory: string,
  definition: TableDefinition,
  mode: Mode,
  now: number,
  apply: boolean,
): Promise<readonly string[]> {
  if (!isTable(directory, definition)) return [];
  const before = openTable(directory, definition, mode);
  const steps = [...(apply ? await repairWholeLog(directory, before, now) : (await survey(before)).log)];
  if (steps.length > 0 && !apply) return steps;
  const table = openTable(directory, definition, mode);
  const snapshot = table.latest() ?? (await table.commit(null, [], "CREATE TABLE", now));
  const plans = await planFiles(table, snapshot, (await survey(table)).damaged);
  steps.push(...plans.map(({ sentence }) => sentence));
  if (!apply || steps.length === 0) return steps;
  const repaired =
    plans.length === 0 ? snapshot : await table.commit(snapshot, fileActions(plans, now), "REPAIR", now);
  const damaged = plans.map(({ add }) => add.path);
  setAside(directory, definition.name, damaged, now);
  refreshCurrent(directory, table, repaired);
  return steps;
}

/** Makes a log whole: its newest version where that cannot be read, else the entries that only older versions need. */
export async function repairWholeLog(
  directory: string,
  table: Table,
  now: number,
): Promise<readonly string[]> {
  const steps = await repairLog(directory, table, now);
  if (steps.length > 0) return steps;
  const { log } = await survey(table);
  if (log.length === 0) return [];
  await withEngine(directory, (connection) => renewLog(directory, table, connection, now));
  return [
    ...log,
    `${table.definition.name} goes on with nothing lost; its older versions cannot be read any more`,
  ];
}

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
    // A copy that was made for this has no file yet: each is fetched and read.
    const read = table.storage === null ? table.verifier.audit : table.verifier.checkAll;
    damaged.push(...(await read([add])));
    rows += JSON.parse(add.stats).numRecords;
    progress(index + 1, adds.length);
  }
  return { ...nothing, version: snapshot.version, files: adds.length, rows, log, damaged };
}

/** Entries that the newest version does not need are checked, too: older versions are made from them. */
async function faultsOfLog(table: Table): Promise<string[]> {
  const faults: string[] = [];
  const { commits, checkpoints } = table.log.list();
  const id = orFault(faults, () => table.log.readHead())?.table ?? null;
  for (const version of commits) orFault(faults, () => table.log.readCommit(version, id));
  for (const version of checkpoints) {
    if (orFault(faults, () => table.log.readCheckpoint(version, id)) === null) continue;
    await table.storage?.fetchCheckpoint(version);
    await table.log.checkParquet(version).catch((fault: unknown) => {
      if (!(fault instanceof LakeDamaged)) throw fault;
      faults.push(fault.what);
    });
  }
  for (let at = 1; at < commits.length; at++) {
    const [before, next] = [commits[at - 1] as number, commits[at] as number];
    if (next !== before + 1)
      faults.push(`${join(table.log.folder, `${digitsOf(before + 1)}.json`)} is missing`);
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
