/** Checks and repairs a whole lake for the operator's commands: daily figures, quotes and official publications. */

import { rmSync } from "node:fs";
import { join } from "node:path";
import { DAILY_SOURCES, type DailySource } from "#domain/currency/source.ts";
import { foreignFiles, refreshCurrent } from "#store/delta/current.ts";
import { unlessDamaged } from "#store/delta/damage.ts";
import { repairFiles, repairLog, type Survey, survey } from "#store/delta/repair.ts";
import type { TableDefinition } from "#store/delta/schema.ts";
import { type Add, removalOf } from "#store/delta/snapshot.ts";
import type { LakeStorage } from "#store/delta/storage.ts";
import { hasTraces, isTable, openTable } from "#store/delta/table.ts";
import { replaceText, syncPath } from "#store/disk/durable.ts";
import { underLock } from "#store/disk/writer-lock.ts";
import { brokenRepairIn, LOCK_FILE, REPAIR_FILE } from "./lake.ts";
import {
  coverageIn,
  type DailyTables,
  marksFor,
  newestState,
  ofFollowers,
  openDailyTables,
  retrievalsIn,
  type SourceYear,
  type State,
  settle,
  TABLE_NAMES,
} from "./state.ts";
import { DAILY, HELD, REVISIONS } from "./tables.ts";

/** Surveys every table of a lake; damage does not reject. With storage the directory is a copy made for this. */
export async function surveyLake(
  directory: string,
  definitions: readonly TableDefinition[],
  progress: (table: string, done: number, total: number) => void,
  storage: LakeStorage | null = null,
): Promise<readonly Survey[]> {
  const surveys: Survey[] = [];
  for (const definition of definitions) {
    // The mode matters for new tables only; nothing is made here.
    const table = openTable(directory, definition, "real", undefined, storage);
    if (isTable(directory, definition)) {
      const report = await survey(table, (done, total) => progress(definition.name, done, total));
      const faults = definition === DAILY ? [...brokenRepair(directory), ...faultsOfPins(directory)] : [];
      const foreign = report.version === null ? [] : await foreignFiles(directory, table);
      surveys.push({ ...report, log: [...report.log, ...faults, ...foreign] });
    } else if (hasTraces(directory, definition) || hasSiblings(directory, definition)) {
      const log = [`${table.log.folder} is missing`];
      surveys.push({ table: definition.name, version: null, files: 0, rows: 0, damaged: [], log });
    }
  }
  return surveys;
}

/** Returns a fault after a repair that broke off. */
function brokenRepair(directory: string): readonly string[] {
  const fault = brokenRepairIn(directory);
  return fault === null ? [] : [fault.what];
}

/** Returns a fault when the newest version of `daily` names a version that does not exist. */
function faultsOfPins(directory: string): readonly string[] {
  const tables = openDailyTables(directory, "real");
  const faults: string[] = [];
  const read = (work: () => unknown) => unlessDamaged(work, ({ what }) => faults.push(what));
  for (const name of TABLE_NAMES) read(tables[name].latest);
  // A damaged log is reported by the survey of its table.
  if (faults.length > 0) return [];
  read(() => newestState(tables));
  return faults;
}

/** Returns whether there are tables that are only made together with this one. */
function hasSiblings(directory: string, definition: TableDefinition): boolean {
  const siblings = [DAILY, REVISIONS, HELD];
  return siblings.includes(definition) && siblings.some((other) => isTable(directory, other));
}

/**
 * Repairs the daily tables. Damaged files are moved aside; an intact older version of the same partition replaces them.
 * `apply` false only reports the steps. Nothing is collected here. Rejects with LakeBusy.
 */
export function repairDaily(directory: string, now: number, apply: boolean) {
  return underLock(join(directory, LOCK_FILE), async () => {
    const brokenOff = brokenRepair(directory);
    const planned = await repairTables(directory, now, brokenOff, false);
    if (!apply || planned.steps.length === 0) return planned;
    const mark = join(directory, REPAIR_FILE);
    await replaceText(mark, "");
    const repaired = await repairTables(directory, now, brokenOff, true);
    rmSync(mark);
    syncPath(directory);
    return repaired;
  });
}

async function repairTables(directory: string, now: number, brokenOff: readonly string[], apply: boolean) {
  const steps = [...brokenOff];
  const again = new Set<DailySource>();
  const before = openDailyTables(directory, "real");
  // What the log of daily has lost may be of any year.
  let isAny = brokenOff.length > 0;
  for (const name of TABLE_NAMES) {
    const faults = await repairLog(directory, before[name], now, apply);
    isAny ||= name === "daily" && faults.length > 0;
    steps.push(...faults);
  }
  if (steps.length === 0) steps.push(...faultsOfPins(directory));
  if (steps.length > 0) for (const source of DAILY_SOURCES) again.add(source);
  if (steps.length > 0 && !apply) return { steps, collectAgain: [...again] };
  const tables = openDailyTables(directory, "real");
  const newest = apply ? await consistent(tables, now) : newestState(tables);
  if (newest === null) return { steps, collectAgain: [...again] };
  let state = newest;
  const repaired: SourceYear[] = isAny ? [...newest.daily.files.values()].map(sourceYearOf) : [];
  for (const name of TABLE_NAMES) {
    const { snapshot, plans } = await repairFiles(directory, tables[name], state[name], now, apply);
    state = { ...state, [name]: snapshot };
    for (const { sentence, add } of plans) {
      steps.push(sentence);
      if (name === "daily") repaired.push(sourceYearOf(add));
      const source = add.partitionValues["source"];
      for (const one of DAILY_SOURCES) if (source === undefined || source === one) again.add(one);
    }
  }
  if (apply && steps.length > 0) {
    state = await forgetStatements(tables, state, now);
    const ofAgain = <T extends { readonly source: string }>(facts: readonly T[], forgotten: Partial<T>) =>
      facts.map((fact) => (again.has(fact.source as DailySource) ? { ...fact, ...forgotten } : fact));
    // The next collection of these sources takes their whole history, which brings missing figures back.
    const coverage = ofAgain(coverageIn(state), { coveredThrough: 0 });
    // With `at` 0 the next reading of each route is news, and is recorded.
    const retrievals = ofAgain(retrievalsIn(state), { at: 0 });
    const marks = marksFor(state.daily.version + 1, now, { pins: state, coverage, retrievals, repaired });
    state = { ...state, daily: await tables.daily.commit(state.daily, marks, "REPAIR", now) };
    for (const name of TABLE_NAMES) refreshCurrent(directory, tables[name], state[name]);
  }
  return { steps, collectAgain: [...again] };
}

function sourceYearOf({ partitionValues: { source = "", year = "" } }: Add): SourceYear {
  return { source, year };
}

/** Removes the routes' statements: they refer to the figures before the repair, and would look like changes beside repaired ones. */
async function forgetStatements(tables: DailyTables, state: State, now: number): Promise<State> {
  const { statements } = state;
  if (statements.files.size === 0) return state;
  const gone = [...statements.files.values()].map((add) => removalOf(add, now));
  return { ...state, statements: await tables.statements.commit(statements, gone, "REPAIR", now) };
}

/** Merges the newest versions of all tables into one state, also when `daily` names versions that were lost with a log. */
async function consistent(tables: DailyTables, now: number): Promise<State> {
  const state = unlessDamaged(() => newestState(tables));
  if (state !== null) return await settle(tables, state, now);
  const pins = await ofFollowers((name) => tables[name].ensure(now));
  const daily = tables.daily.latest();
  // A follower has lost the versions that daily names: its newest one replaces them.
  if (daily !== null) return { ...pins, daily };
  const marks = marksFor(0, now, { pins, coverage: [] });
  return { ...pins, daily: await tables.daily.commit(null, marks, "CREATE TABLE", now) };
}
