/** A change of the lake: its files first, then the commits that make all of it visible at once. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import type { LakeChange, LakeRecord } from "#ports.ts";
import { CURRENT_FOLDER, isCurrent } from "#store/delta/current.ts";
import { LakeDamaged } from "#store/delta/damage.ts";
import type { Snapshot } from "#store/delta/snapshot.ts";
import type { Table } from "#store/delta/table.ts";
import { checkpointIfDue, type Retention } from "#store/delta/upkeep.ts";
import { withEngine } from "#store/parquet/engine.ts";
import { type DailyTables, marksFor, type State, TABLE_NAMES } from "./state.ts";
import { writeChange } from "./write.ts";

export interface Writing {
  readonly directory: string;
  readonly tables: DailyTables;
  readonly now: number;
  readonly retention: Retention;
}

/** Files first; then the followers' commits, then the one of `daily`, which makes all of it visible at once. */
export async function commitChange(
  { directory, tables, now, retention }: Writing,
  state: State,
  change: LakeChange,
  record: LakeRecord,
  progress: ((written: number, total: number) => void) | undefined,
): Promise<State> {
  const differs = heldDiffers(change, record);
  const version = state.daily.version + 1;
  const { coverage, retrievals = record.retrievals } = change;
  const says = statementsDiffer(change, record);
  const isNewDataset = change.accepted.length + change.withdrawn.length > 0 || differs;
  if (!isNewDataset && !says) {
    const marks = marksFor(version, now, { pins: null, coverage, retrievals });
    return { ...state, daily: await tables.daily.commit(state.daily, marks, "WRITE", now) };
  }
  return await withEngine(directory, async (connection) => {
    const written = await writeChange(
      connection,
      tables,
      state,
      change,
      { heldDiffers: differs, statementsDiffer: says, now },
      progress,
    );
    const commit = async <Name extends "revisions" | "held" | "statements">(name: Name) =>
      written[name].length === 0
        ? state[name]
        : await tables[name].commit(state[name], written[name], "WRITE", now);
    const pins = {
      revisions: await commit("revisions"),
      held: await commit("held"),
      statements: await commit("statements"),
    };
    const actions = [
      ...written.daily,
      ...marksFor(version, now, { pins, coverage, retrievals, isNewDataset }),
    ];
    const daily = await tables.daily.commit(state.daily, actions, "WRITE", now);
    // The change is durable, and a later commit makes the checkpoint as well: a disk without room is no reason to fail.
    for (const table of [tables.daily, tables.revisions, tables.held, tables.statements])
      await checkpointIfDue(table, connection, retention).catch(() => {});
    return { ...pins, daily };
  });
}

/** The commits that make the tables of an empty lake, or complete what a writer that died had begun of them. The caller is the one writer. */
export async function createTables(directory: string, tables: DailyTables, now: number): Promise<State> {
  // The files themselves are gone with it: `current/` may have the last copy, and is not to be emptied.
  if (existsSync(join(directory, CURRENT_FOLDER, "daily")))
    throw new LakeDamaged(tables.daily.log.folder, "is missing, although there is current/daily");
  const made = async (table: Table): Promise<Snapshot> =>
    table.latest() ?? (await table.commit(null, [], "CREATE TABLE", now));
  const pins = {
    revisions: await made(tables.revisions),
    held: await made(tables.held),
    statements: await made(tables.statements),
  };
  const marks = marksFor(0, now, { pins, coverage: [] });
  return { ...pins, daily: await tables.daily.commit(null, marks, "CREATE TABLE", now) };
}

/** Whether nothing is left to do of what a writer that died had begun. */
export function isSettled(directory: string, tables: DailyTables, state: State): boolean {
  return TABLE_NAMES.every(
    (name) =>
      tables[name].latest()?.version === state[name].version &&
      isCurrent(directory, tables[name], state[name]),
  );
}

/** Whether a change would leave everything as it is. */
export function isEmpty(change: LakeChange, record: LakeRecord): boolean {
  return (
    change.accepted.length === 0 &&
    change.withdrawn.length === 0 &&
    !heldDiffers(change, record) &&
    !statementsDiffer(change, record) &&
    (change.retrievals === undefined ||
      JSON.stringify(change.retrievals) === JSON.stringify(record.retrievals)) &&
    JSON.stringify(change.coverage) === JSON.stringify(record.coverage)
  );
}

/** The list is a set: its order means nothing. */
export function heldDiffers(change: LakeChange, record: LakeRecord): boolean {
  const canonical = (held: LakeChange["held"]) =>
    held
      .map((figure) => JSON.stringify(Object.entries(figure).sort(([a], [b]) => (a < b ? -1 : 1))))
      .sort()
      .join("\n");
  return change.held.length !== record.held.length || canonical(change.held) !== canonical(record.held);
}

/** Both lists are in the table's order. */
export function statementsDiffer({ statements }: LakeChange, record: LakeRecord): boolean {
  if (statements === undefined || statements === record.statements) return false;
  return JSON.stringify(statements) !== JSON.stringify(record.statements);
}
