/** Repair of a table: damaged entries and files are moved aside, never deleted, and the log continues without them. */

import { existsSync, readdirSync, renameSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import { makeFolder, syncPath } from "#store/disk/durable.ts";
import { type Action, type Add, type Remove, removalOf, restorationOf, statsOf } from "./actions.ts";
import { type DamagedFile, LakeDamaged, sentenceOf } from "./damage.ts";
import { tableIdOf } from "./log.ts";
import type { Snapshot } from "./snapshot.ts";
import { openTable, type Table } from "./table.ts";
import { checkpoint } from "./upkeep.ts";

const ASIDE_FOLDER = "damaged";

/** What becomes of a damaged data file. */
interface FileRepair {
  readonly damage: DamagedFile;
  readonly add: Add;
  /** An intact older file of the same partition, which takes its place; null when there is none. */
  readonly older: Remove | null;
  /** One sentence for people: what is lost, and what is put in its place. */
  readonly sentence: string;
}

/** Finds what can be done for damaged files; changes nothing. */
export async function planFiles(
  table: Table,
  snapshot: Snapshot,
  damaged: readonly DamagedFile[],
): Promise<readonly FileRepair[]> {
  const plans: FileRepair[] = [];
  for (const damage of damaged) {
    const add = snapshot.files.get(damage.path);
    if (add === undefined) continue;
    const older = await newestIntact(table, snapshot, add);
    plans.push({ damage, add, older, sentence: planSentence(damage, add, older) });
  }
  return plans;
}

async function newestIntact(table: Table, snapshot: Snapshot, add: Add): Promise<Remove | null> {
  const candidates = [...snapshot.removed.values()]
    .filter(({ partitionValues }) => sameValues(partitionValues, add.partitionValues))
    .sort(
      (a, b) => b.deletionTimestamp - a.deletionTimestamp || statsOf(b).numRecords - statsOf(a).numRecords,
    );
  for (const candidate of candidates) {
    const file = { ...candidate, modificationTime: candidate.deletionTimestamp };
    if ((await table.verifier.check(file)) === null) return candidate;
  }
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

/** The actions of a repair. The damaged files are to be set aside after the commit. */
export function fileActions(plans: readonly FileRepair[], now: number): readonly Action[] {
  return plans.flatMap(({ add, older }) => [
    removalOf(add, now),
    ...(older === null ? [] : [restorationOf(older, now)]),
  ]);
}

/** Moves files of a table below `damaged/`, where no reader looks for rows; a missing one is skipped. */
export function setAside(lakeDirectory: string, table: string, paths: readonly string[], now: number): void {
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
 * Makes a log that cannot be read readable again: it ends with the newest version that can still be made from intact
 * entries, and what is damaged or comes after that is set aside. Returns one sentence a step; none when the log is in
 * order. The caller is the one writer, and reopens the table afterwards.
 */
export async function repairLog(
  lakeDirectory: string,
  table: Table,
  now: number,
): Promise<readonly string[]> {
  const fault = faultOf(() => openTable(lakeDirectory, table.definition, "real").latest());
  if (fault === null) return [];
  const { name } = table.definition;
  const { commits, checkpoints } = table.log.list();
  const isIntact = (version: number) => faultOf(() => table.log.readCommit(version, null)) === null;
  const intact = checkpoints.filter(
    (version) => faultOf(() => table.log.readCheckpoint(version, null)) === null,
  );
  // From the beginning, or from a checkpoint, as far as intact commits go without a gap.
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
      version > end || (checkpoints.includes(version) && !intact.includes(version) && !commitName(entry))
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
 * For a log whose newest version is whole while entries before it, which only older versions need, are damaged: begins
 * again with a checkpoint, and moves everything before it aside. Older versions can no longer be read then.
 */
export async function renewLog(
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

function commitName(entry: string): boolean {
  return /^\d{20}\.json$/.test(entry);
}

function tableOf(table: Table, end: number, checkpoints: readonly number[]): string | null {
  const start = checkpoints.filter((version) => version <= end).at(-1);
  const { actions } =
    start === undefined ? table.log.readCommit(0, null) : table.log.readCheckpoint(start, null);
  return tableIdOf(actions);
}

/** What is damaged, or null. */
function faultOf(read: () => unknown): string | null {
  try {
    read();
    return null;
  } catch (fault) {
    if (!(fault instanceof LakeDamaged)) throw fault;
    return fault.what;
  }
}
