/** Checks and repairs a whole table: its log first, then its data files. Damaged files are moved aside, never deleted. */

import { existsSync, readdirSync, renameSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import { makeFolder, syncPath } from "#store/disk/durable.ts";
import { withEngine } from "#store/parquet/engine.ts";
import { refreshCurrent } from "./current.ts";
import { type DamagedFile, LakeDamaged, sentenceOf } from "./damage.ts";
import { digitsOf, tableIdOf } from "./log.ts";
import type { Mode, TableDefinition } from "./schema.ts";
import {
  type Add,
  filesOf,
  type Remove,
  removalOf,
  restorationOf,
  type Snapshot,
  statsOf,
} from "./snapshot.ts";
import { openTable, type Table } from "./table.ts";
import { checkpoint } from "./upkeep.ts";

/**
 * Moves damaged files and log entries aside; an intact older file of a partition replaces a damaged one. `apply` false
 * only reports the steps. Resolves with one sentence per step, empty without damage. The caller is the one writer.
 */
export async function repairTable(
  directory: string,
  definition: TableDefinition,
  mode: Mode,
  now: number,
  apply: boolean,
): Promise<readonly string[]> {
  const before = openTable(directory, definition, mode);
  const steps = [...(await repairWholeLog(directory, before, now, apply))];
  if (steps.length > 0 && !apply) return steps;
  const table = openTable(directory, definition, mode);
  const repaired = await repairFiles(directory, table, await table.ensure(now), now, apply);
  steps.push(...repaired.plans.map(({ sentence }) => sentence));
  if (apply && steps.length > 0) refreshCurrent(directory, table, repaired.snapshot);
  return steps;
}

/** Repairs the newest version of a log, or else the entries that only older versions need. `apply` false only reports its faults. */
export async function repairWholeLog(
  directory: string,
  table: Table,
  now: number,
  apply: boolean,
): Promise<readonly string[]> {
  if (!apply) return (await survey(table)).log;
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
  /** Null without such a table, or with an unreadable log. */
  readonly version: number | null;
  readonly files: number;
  readonly rows: number;
  readonly log: readonly string[];
  readonly damaged: readonly DamagedFile[];
}

/** Reads everything; damage does not reject. `progress` gets the files read and their total. */
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
    // A copy made for this has no files yet: each is fetched and read.
    const read = table.storage === null ? table.verifier.audit : table.verifier.checkAll;
    damaged.push(...(await read([add])));
    rows += JSON.parse(add.stats).numRecords;
    progress(index + 1, adds.length);
  }
  return { ...nothing, version: snapshot.version, files: adds.length, rows, log, damaged };
}

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

const ASIDE_FOLDER = "damaged";

interface FileRepair {
  readonly add: Add;
  /** An intact older file of the same partition, which replaces it; or null. */
  readonly older: Remove | null;
  readonly sentence: string;
}

/** Repairs the damaged files of a version in one commit, and resolves with the version after it; `apply` false only plans it. */
export async function repairFiles(
  directory: string,
  table: Table,
  snapshot: Snapshot,
  now: number,
  apply: boolean,
): Promise<{ readonly snapshot: Snapshot; readonly plans: readonly FileRepair[] }> {
  const plans: FileRepair[] = [];
  for (const damage of (await survey(table)).damaged) {
    const add = snapshot.files.get(damage.path);
    if (add === undefined) continue;
    const older = await newestIntact(table, snapshot, add);
    plans.push({ add, older, sentence: planSentence(damage, add, older) });
  }
  if (!apply || plans.length === 0) return { snapshot, plans };
  const actions = plans.flatMap(({ add, older }) => [
    removalOf(add, now),
    ...(older === null ? [] : [restorationOf(older, now)]),
  ]);
  const repaired = await table.commit(snapshot, actions, "REPAIR", now);
  const damaged = plans.map(({ add }) => add.path);
  setAside(directory, table.definition.name, damaged, now);
  return { snapshot: repaired, plans };
}

async function newestIntact(table: Table, snapshot: Snapshot, add: Add): Promise<Remove | null> {
  const candidates = [...snapshot.removed.values()]
    .filter(({ partitionValues }) => sameValues(partitionValues, add.partitionValues))
    .sort(
      (a, b) => b.deletionTimestamp - a.deletionTimestamp || statsOf(b).numRecords - statsOf(a).numRecords,
    );
  for (const candidate of candidates) if ((await table.verifier.check(candidate)) === null) return candidate;
  return null;
}

function sameValues(a: Readonly<Record<string, string>>, b: Readonly<Record<string, string>>): boolean {
  return Object.keys(a).every((name) => a[name] === b[name]);
}

function planSentence(damage: DamagedFile, add: Add, older: Remove | null): string {
  const rows = statsOf(add).numRecords;
  if (older === null) return `${sentenceOf(damage)}: no older version of it is kept, all ${rows} rows go`;
  const kept = statsOf(older).numRecords;
  const since = new Date(older.deletionTimestamp).toISOString();
  return `${sentenceOf(damage)}: its version before ${since} is intact and takes its place, ${kept} of ${rows} rows`;
}

/** Moves files of a table below `damaged/`, which no reader opens; a missing file is skipped. */
function setAside(lakeDirectory: string, table: string, paths: readonly string[], now: number): void {
  const stamp = new Date(now).toISOString().replaceAll(":", "-");
  for (const path of paths) {
    const from = join(lakeDirectory, table, path);
    if (!existsSync(from)) continue;
    const to = join(lakeDirectory, ASIDE_FOLDER, stamp, table, path);
    makeFolder(dirname(to));
    renameSync(from, to);
    syncPath(dirname(to));
    syncPath(dirname(from));
  }
}

/**
 * Makes a log readable again. It ends with the newest version that intact entries can make; damaged and later entries
 * are moved aside. Returns one sentence per step; empty when the log is in order. The caller is the one writer, and
 * reopens the table afterwards.
 */
async function repairLog(lakeDirectory: string, table: Table, now: number): Promise<readonly string[]> {
  const [fault] = faultsOf(() => openTable(lakeDirectory, table.definition, "real").latest());
  if (fault === undefined) return [];
  const { name } = table.definition;
  const { commits, checkpoints } = table.log.list();
  const isIntact = (version: number) => faultsOf(() => table.log.readCommit(version, null)).length === 0;
  const intact = checkpoints.filter(
    (version) => faultsOf(() => table.log.readCheckpoint(version, null)).length === 0,
  );
  // Intact commits without a gap, from the beginning or from a checkpoint.
  const ends = [-1, ...intact].map((start) => {
    let end = start;
    while (commits.includes(end + 1) && isIntact(end + 1)) end += 1;
    return end;
  });
  const end = Math.max(...ends);
  const folder = basename(table.log.folder);
  const aside = readdirSync(table.log.folder).filter((entry) => {
    if (entry === ".head.json" || entry === "_last_checkpoint") return true;
    const version = Number(/^\.?(\d{20})\./.exec(entry)?.[1] ?? Number.NaN);
    return (
      version > end ||
      (checkpoints.includes(version) && !intact.includes(version) && !/^\d{20}\.json$/.test(entry))
    );
  });
  const paths = aside.map((entry) => join(folder, entry));
  setAside(lakeDirectory, name, paths, now);
  const id = end < 0 ? null : tableOf(table, end, intact);
  if (id !== null) await table.log.writeHead({ table: id, version: end });
  const lost = commits.filter((version) => version > end).length;
  return [
    fault,
    lost === 0
      ? `${name} goes on from version ${end}, with nothing lost`
      : `${name} goes on from version ${end}; ${lost} newer commits are set aside`,
  ];
}

/**
 * Repairs a log with a whole newest version and damaged older entries: it starts again with a checkpoint, and moves
 * everything before it aside. Older versions can no longer be read.
 */
async function renewLog(
  lakeDirectory: string,
  table: Table,
  connection: DuckDBConnection,
  now: number,
): Promise<void> {
  const newest = table.latest();
  if (newest === null) return;
  const renewed = await table.commit(newest, [], "REPAIR", now);
  await checkpoint(table, renewed, connection, { now, keptMilliseconds: Number.MAX_SAFE_INTEGER });
  const folder = basename(table.log.folder);
  const old = readdirSync(table.log.folder).filter(
    (entry) => Number(/^\.?(\d{20})\./.exec(entry)?.[1] ?? Number.NaN) < renewed.version,
  );
  const paths = old.map((entry) => join(folder, entry));
  setAside(lakeDirectory, table.definition.name, paths, now);
}

function tableOf(table: Table, end: number, checkpoints: readonly number[]): string | null {
  const start = checkpoints.filter((version) => version <= end).at(-1);
  const { actions } =
    start === undefined ? table.log.readCommit(0, null) : table.log.readCheckpoint(start, null);
  return tableIdOf(actions);
}

/** Returns the damage that reading meets: one sentence, or nothing. */
function faultsOf(read: () => unknown): readonly string[] {
  const faults: string[] = [];
  orFault(faults, read);
  return faults;
}
