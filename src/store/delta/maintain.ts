/** Repair of one table from end to end: its log first, then its data files. */

import { refreshCurrent } from "./current.ts";
import { withEngine } from "./engine.ts";
import { fileActions, planFiles, renewLog, repairLog, setAside } from "./repair.ts";
import type { Mode, TableDefinition } from "./schema.ts";
import { survey } from "./survey.ts";
import { isTable, openTable, type Table } from "./table.ts";

/**
 * Sets damaged files and log entries aside; where an older file of a partition is intact it takes the damaged one's
 * place. `apply` false only says what would be done. Resolves with one sentence a step, none when nothing is damaged.
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
  setAside(
    directory,
    definition.name,
    plans.map(({ add }) => add.path),
    now,
  );
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
