/** Checks and repairs a whole table: its log first, then its data files. Damaged files are moved aside, never deleted. */

import { existsSync, renameSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { canonical } from "#domain/chain/entry.ts";
import { makeFolder, namesIn, numbersIn, syncPath } from "#store/disk/durable.ts";
import { underLock } from "#store/disk/writer-lock.ts";
import { withEngine } from "#store/parquet/engine.ts";
import { refreshCurrent } from "./current.ts";
import { type DamagedFile, LakeDamaged, sentenceOf, unlessDamaged } from "./damage.ts";
import { digitsOf, tableIdOf, versionOf } from "./log.ts";
import { CURRENT_FOLDER, type TableDefinition } from "./schema.ts";
import {
  type Action,
  type Add,
  actionsOf,
  apply,
  filesOf,
  type Remove,
  removalOf,
  restorationOf,
  type Snapshot,
  statsOf,
} from "./snapshot.ts";
import { dataFilesOf, hasTraces, isTable, openTable, type Table } from "./table.ts";
import { actionsIn, checkpoint } from "./upkeep.ts";

/**
 * Moves damaged files and log entries aside; an intact older file of a partition replaces a damaged one. `apply` false
 * only reports the steps. Resolves with one sentence per step, empty without damage or without the table. `locks` are
 * those of its writers, taken in this order. Rejects with LakeBusy.
 */
export async function repairTable(
  directory: string,
  definition: TableDefinition,
  locks: readonly string[],
  now: number,
  apply: boolean,
): Promise<readonly string[]> {
  if (!isTable(directory, definition) && !hasTraces(directory, definition)) return [];
  const repair = async (): Promise<readonly string[]> => {
    const steps = [...(await repairLog(directory, openTable(directory, definition, "real"), now, apply))];
    if (steps.length > 0 && !apply) return steps;
    const table = openTable(directory, definition, "real");
    const repaired = await repairFiles(directory, table, await table.ensure(now), now, apply);
    steps.push(...repaired.plans.map(({ sentence }) => sentence));
    if (apply && steps.length > 0) refreshCurrent(directory, table, repaired.snapshot);
    return steps;
  };
  // A copy of a bucket has no folder for the locks of the journal.
  for (const lock of locks) makeFolder(dirname(join(directory, lock)));
  const locked = locks.reduceRight((work, lock) => () => underLock(join(directory, lock), work), repair);
  return await locked();
}

/**
 * Makes a damaged log readable: it begins again with the newest version that intact entries can make. All its other entries are moved
 * aside: later commits are lost, and older versions cannot be read any more. Resolves with one sentence per step; `apply` false only
 * reports the faults. The caller is the one writer, and reopens the table afterwards.
 */
export async function repairLog(
  lakeDirectory: string,
  table: Table,
  now: number,
  apply: boolean,
): Promise<readonly string[]> {
  const faults = await faultsOfLog(table);
  orFault(faults, () => table.latest());
  if (faults.length === 0 || !apply) return faults;
  const { definition, log } = table;
  const { commits, checkpoints } = log.list();
  const intact = (versions: readonly number[], read: typeof log.readCommit) =>
    versions.filter((version) => unlessDamaged(() => read(version, null)) !== null);
  const [whole, starts] = [intact(commits, log.readCommit), intact(checkpoints, log.readCheckpoint)];
  // Intact commits without a gap, from the beginning or from a checkpoint.
  const ends = [-1, ...starts].map((start) => {
    let end = start;
    while (whole.includes(end + 1)) end += 1;
    return end;
  });
  const end = Math.max(...ends);
  const start = starts.filter((version) => version <= end).at(-1);
  const id =
    end < 0
      ? null
      : tableIdOf((start === undefined ? log.readCommit(0, null) : log.readCheckpoint(start, null)).actions);
  const moveAside = (isMoved: (version: number, entry: string) => boolean) => {
    const entries = namesIn(log.folder).filter((entry) => isMoved(versionOf(entry), entry));
    const files = entries.map((entry) => join(log.folder, entry));
    setAside(lakeDirectory, files, now);
  };
  moveAside((version, entry) => {
    if (Number.isNaN(version)) return entry === ".head.json" || !entry.startsWith(".");
    const isDamaged = entry.includes(".checkpoint.") ? !starts.includes(version) : !whole.includes(version);
    return version > end || isDamaged;
  });
  if (id === null) {
    // Nothing names the files in `current/` either, and they may be the last copies.
    setAside(
      lakeDirectory,
      [...dataFilesOf(table.directory), join(lakeDirectory, CURRENT_FOLDER, definition.name)],
      now,
    );
    return [...faults, `${definition.name} begins again without rows`];
  }
  const lost = commits.filter((version) => version > end).length;
  const loss = lost === 0 ? "with nothing lost" : `${lost} newer commits are set aside`;
  const step = `${definition.name} goes on from version ${end}, ${loss}; its older versions cannot be read any more`;
  await log.writeHead({ table: id, version: end });
  const readable = openTable(lakeDirectory, definition, "real");
  const renewed = await readable.commit(readable.latest(), [], "REPAIR", now);
  const retention = { now, keptMilliseconds: Number.MAX_SAFE_INTEGER };
  await withEngine(lakeDirectory, (connection) => checkpoint(readable, renewed, connection, retention));
  // A clean-up would remove them.
  const unnamed = dataFilesOf(table.directory).filter((path) => {
    const name = relative(table.directory, path);
    return !renewed.files.has(name) && !renewed.removed.has(name);
  });
  setAside(lakeDirectory, unnamed, now);
  moveAside((version) => version < renewed.version);
  return [...faults, step];
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

/** Also of files in the folder of the log that this program never reads: other readers follow them. */
async function faultsOfLog(table: Table): Promise<string[]> {
  const faults: string[] = [];
  const { log, storage } = table;
  const names = (await storage?.fetchLog()) ?? namesIn(log.folder);
  // Read after the names: a checkpoint is made after its commit, and removed before it.
  const { commits, checkpoints } = log.list();
  // The names in a bucket are newer than the copy.
  const versions = [...commits, ...numbersIn(names, /^(\d{20})\.json$/)];
  const parquetOf = (version: number) => basename(log.checkpointFile(version));
  const own = new Set(versions.flatMap((version) => [`${digitsOf(version)}.json`, parquetOf(version)]));
  // Readers skip names that begin with a dot or end with .tmp.
  for (const name of names.filter((name) => !own.has(name) && !/^\.|^_last_checkpoint$|\.tmp$/.test(name)))
    if (storage !== null || existsSync(join(log.folder, name)))
      faults.push(`${join(log.folder, name)} is of no version, and other readers may follow it`);
  const id = orFault(faults, () => log.readHead())?.table ?? null;
  /** The table after the commits so far; null while its beginning is not known. */
  let state: Snapshot | null = null;
  for (const version of commits) {
    const commit = orFault(faults, () => log.readCommit(version, id));
    const checkpoint = checkpoints.includes(version)
      ? orFault(faults, () => log.readCheckpoint(version, id))
      : null;
    if (commit !== null && (version === 0 || state !== null)) state = apply(state, commit);
    else state = checkpoint === null ? null : apply(null, checkpoint);
    if (state === null) continue;
    if (checkpoint !== null && !isCheckpointOf(state, checkpoint.actions))
      faults.push(`the checkpoint of version ${version} in ${log.folder} is not what its commits make`);
    if (checkpoint !== null || names.includes(parquetOf(version)))
      faults.push(...(await faultsOfParquet(table, state)));
  }
  for (let at = 1; at < commits.length; at++) {
    const [before, next] = [commits[at - 1] as number, commits[at] as number];
    if (next !== before + 1) faults.push(`${join(log.folder, `${digitsOf(before + 1)}.json`)} is missing`);
  }
  return [...new Set(faults)];
}

/** Files that were removed may be missing from a checkpoint: it forgets them. */
function isCheckpointOf(state: Snapshot, actions: readonly Action[]): boolean {
  const textOf = (all: readonly Action[]) =>
    all
      .flatMap((action) => ("remove" in action ? [] : [canonical(action)]))
      .sort()
      .join("\n");
  const takesAway = (action: Action) => "remove" in action && state.files.has(action.remove.path);
  return textOf(actions) === textOf(actionsOf(state, 0)) && !actions.some(takesAway);
}

/** Other engines read the Parquet file of a checkpoint instead of the commits before it. */
async function faultsOfParquet({ log, directory }: Table, state: Snapshot): Promise<readonly string[]> {
  const path = log.checkpointFile(state.version);
  try {
    await log.checkParquet(state.version);
    const actions = await withEngine(directory, (connection) => actionsIn(connection, path));
    if (isCheckpointOf(state, actions)) return [];
  } catch (fault) {
    if (fault instanceof LakeDamaged) return [fault.what];
    // Clean-up may have removed it meanwhile.
    if (!existsSync(path)) return [];
  }
  return [`${path} is not what the commits before it make`];
}

function orFault<T>(faults: string[], read: () => T): T | null {
  return unlessDamaged(read, ({ what }) => {
    if (!faults.includes(what)) faults.push(what);
  });
}

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
  // First: after the commit no other repair would find a file that is still in its place.
  const damaged = plans.map(({ add }) => table.pathOf(add));
  setAside(directory, damaged, now);
  return { snapshot: await table.commit(snapshot, actions, "REPAIR", now), plans };
}

async function newestIntact(table: Table, snapshot: Snapshot, add: Add): Promise<Remove | null> {
  const candidates = [...snapshot.removed.values()]
    .filter(({ partitionValues: values }) =>
      Object.keys(values).every((name) => values[name] === add.partitionValues[name]),
    )
    .sort(
      (a, b) => b.deletionTimestamp - a.deletionTimestamp || statsOf(b).numRecords - statsOf(a).numRecords,
    );
  for (const candidate of candidates) if ((await table.verifier.check(candidate)) === null) return candidate;
  return null;
}

function planSentence(damage: DamagedFile, add: Add, older: Remove | null): string {
  const rows = statsOf(add).numRecords;
  if (older === null) return `${sentenceOf(damage)}: no older version of it is kept, all ${rows} rows go`;
  const kept = statsOf(older).numRecords;
  const since = new Date(older.deletionTimestamp).toISOString();
  return `${sentenceOf(damage)}: its version before ${since} is intact and takes its place, ${kept} of ${rows} rows`;
}

/** Moves files of a lake below `damaged/`, which no reader opens; a missing file is skipped. */
function setAside(lakeDirectory: string, files: readonly string[], now: number): void {
  const stamp = new Date(now).toISOString().replaceAll(":", "-");
  for (const from of files) {
    if (!existsSync(from)) continue;
    const to = join(lakeDirectory, "damaged", stamp, relative(lakeDirectory, from));
    makeFolder(dirname(to));
    renameSync(from, to);
    syncPath(dirname(to));
    syncPath(dirname(from));
  }
}
