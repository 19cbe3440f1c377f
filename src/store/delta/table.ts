/** One Delta table on disk: its newest snapshot, older ones, and commits, which other machines may race for. One file per partition; files are never edited. */

import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { syncPath } from "#store/disk/durable.ts";
import { LakeDamaged, newVerifier } from "./damage.ts";
import { CommitConflict, digitsOf, openLog, tableIdOf } from "./log.ts";
import {
  CURRENT_FOLDER,
  creationOf,
  LAKE_FORMAT,
  type Mode,
  marksOf,
  type TableDefinition,
  WrongMode,
} from "./schema.ts";
import { type Action, type Add, apply, type Commit, type Snapshot } from "./snapshot.ts";
import type { LakeStorage } from "./storage.ts";

/** Writers on other machines are few, and a commit takes less than a second. */
const MOST_ATTEMPTS = 8;

/** Runs `work`, which must read the tables first, again after a commit conflict. Without storage the writer's lock rules that out. */
export async function onNewest<T>(storage: LakeStorage | null, work: () => Promise<T>): Promise<T> {
  if (storage === null) return await work();
  for (let attempt = 1; ; attempt++) {
    await storage.follow();
    try {
      return await work();
    } catch (fault) {
      if (!(fault instanceof CommitConflict) || attempt >= MOST_ATTEMPTS) throw fault;
    }
  }
}

export class Fenced extends Error {
  readonly newer: number;

  constructor(table: string, epoch: number, newer: number) {
    super(
      `${table} has a commit of epoch ${newer}, and this process collected under epoch ${epoch}: another collector has taken over`,
    );
    this.newer = newer;
    this.name = "Fenced";
  }
}

export type Table = ReturnType<typeof openTable>;

/** Opens a table, or its copy with `lakeStorage`. Removed files stay on disk for `keptMilliseconds`, and are then forgotten. */
export function openTable(
  lakeDirectory: string,
  definition: TableDefinition,
  mode: Mode,
  keptMilliseconds = Number.POSITIVE_INFINITY,
  lakeStorage: LakeStorage | null = null,
) {
  const directory = join(lakeDirectory, definition.name);
  const storage = lakeStorage?.of(definition.name) ?? null;
  const log = openLog(directory, storage);
  const verifier = newVerifier(definition.name, directory, storage);
  let newest: Snapshot | null = null;

  const replay = (before: Snapshot | null, commits: readonly Commit[]): Snapshot => {
    const last = commits.at(-1) as Commit;
    const actions = commits.flatMap((commit) => commit.actions);
    const { version, timestamp } = last;
    const snapshot = apply(before, { version, timestamp, actions }, timestamp - keptMilliseconds);
    const { format } = marksOf(snapshot.metaData.configuration);
    if (format > LAKE_FORMAT)
      throw new Error(
        `${directory} has lake format ${format}, and this program knows formats up to ${LAKE_FORMAT}: run the version of Crossrate that wrote it`,
      );
    if (format !== LAKE_FORMAT) throw new LakeDamaged(log.folder, "was not made by Crossrate");
    return snapshot;
  };

  /** Reads the commits from one version to another, both included. */
  const commitsOf = (from: number, to: number, table: string | null): Commit[] => {
    const commits: Commit[] = [];
    let id = table;
    for (let version = from; version <= to; version++) {
      const commit = log.readCommit(version, id);
      id ??= tableIdOf(commit.actions);
      commits.push(commit);
    }
    return commits;
  };

  /** Loads from the newest checkpoint at or below a version; returns null when a needed entry was cleaned up. */
  const load = (version: number): Snapshot | null => {
    const { commits, checkpoints } = log.list();
    const checkpoint = checkpoints.filter((number) => number <= version).at(-1);
    if (checkpoint === undefined) {
      // Without a checkpoint the log must begin at its first commit; otherwise that was cleaned up.
      const oldest = commits[0] ?? 0;
      if (checkpoints.length > 0 && oldest > 0) return null;
      if (oldest > 0 && existsSync(log.checkpointFile(oldest)))
        throw new LakeDamaged(join(log.folder, `.${digitsOf(oldest)}.checkpoint.json`), "is missing");
      return replay(null, commitsOf(0, version, log.readHead()?.table ?? null));
    }
    const start = replay(null, [log.readCheckpoint(checkpoint, log.readHead()?.table ?? null)]);
    if (version === checkpoint) return start;
    return replay(start, commitsOf(checkpoint + 1, version, start.metaData.id));
  };

  const first = (): Snapshot | null => {
    const head = log.readHead();
    const { commits, checkpoints } = log.list();
    const last = commits.at(-1) ?? -1;
    if (head === null) {
      if (last >= 0 || checkpoints.length > 0)
        throw new LakeDamaged(join(log.folder, ".head.json"), "is missing");
      // A copy gets its log from its storage.
      if (storage === null && hasTraces(lakeDirectory, definition))
        throw new LakeDamaged(log.folder, `is missing, although there is data of ${definition.name}`);
      return null;
    }
    if (last < head.version) {
      const lost = join(log.folder, `${digitsOf(last + 1)}.json`);
      throw new LakeDamaged(lost, `is missing: the table has had version ${head.version}`);
    }
    // The writer of the last commit died before it moved the head, and may not have flushed the commit, which is now served and signed.
    if (last > head.version) syncPath(log.folder);
    return last < 0 ? null : load(last);
  };

  /** Returns the newest version, or null before the first commit. Costs a few system calls without a new one. Throws LakeDamaged. */
  const latest = (): Snapshot | null => {
    // A process that slept for longer than the retention finds its own version cleaned up.
    if (newest === null || !log.hasCommit(newest.version)) {
      newest = first();
      return newest;
    }
    let next = newest.version + 1;
    while (log.hasCommit(next)) next += 1;
    if (next > newest.version + 1)
      newest = replay(newest, commitsOf(newest.version + 1, next - 1, newest.metaData.id));
    return newest;
  };

  /**
   * Makes the version after `base`, durable when it resolves. The first commit makes the table. Throws CommitConflict
   * when another process was faster, and Fenced when another collector has taken over; then nothing was changed.
   */
  const commit = async (
    base: Snapshot | null,
    actions: readonly Action[],
    operation: string,
    now: number,
  ): Promise<Snapshot> => {
    const head = base === null ? log.readHead() : null;
    const table = base?.metaData.id ?? head?.table ?? crypto.randomUUID();
    // The head is written before the first commit: a log without a head has lost it.
    if (base === null && head === null && storage === null) await log.writeHead({ table, version: -1 });
    const created = base === null ? creationOf(definition, table, mode, now) : [];
    const version = (base?.version ?? -1) + 1;
    const token = storage?.fencing() ?? null;
    const appId = `crossrate/collector/${token?.ledger}`;
    const epoch = base?.txns.get(appId)?.version ?? 0;
    if (token !== null && epoch > token.epoch) throw new Fenced(definition.name, token.epoch, epoch);
    const fencing =
      token === null || epoch === token.epoch
        ? []
        : [{ txn: { appId, version: token.epoch, lastUpdated: now } }];
    const made = { version, timestamp: now, actions: [...created, ...actions, ...fencing] };
    const isNew = ({ path }: Add) => base?.files.has(path) !== true && base?.removed.has(path) !== true;
    await storage?.upload(actions.flatMap((one) => ("add" in one && isNew(one.add) ? [one.add] : [])));
    await log.writeCommit(made, { table, operation });
    newest = replay(base, [made]);
    await log.writeHead({ table, version });
    return newest;
  };

  return {
    definition,
    directory,
    log,
    verifier,
    /** Null when the folder is the table itself. */
    storage,
    latest,
    /** Returns the newest version; makes the table if it is missing. */
    ensure: async (now: number): Promise<Snapshot> =>
      latest() ?? (await commit(null, [], "CREATE TABLE", now)),
    /** Returns an older version; null when it was cleaned up or never existed. Throws LakeDamaged. */
    at: (version: number): Snapshot | null => {
      if (newest?.version === version) return newest;
      return log.hasCommit(version) ? load(version) : null;
    },
    commit,
    /** Throws WrongMode when the table was made for the other kind of rates. */
    refuseOtherMode: (): void => {
      const written = marksOf(latest()?.metaData.configuration ?? {}).mode;
      if (written !== undefined && written !== mode) throw new WrongMode(lakeDirectory, written);
    },
    pathOf: ({ path }: Pick<Add, "path">) => join(directory, path),
  };
}

export function isTable(lakeDirectory: string, { name }: TableDefinition): boolean {
  return existsSync(join(lakeDirectory, name, "_delta_log"));
}

/** Returns whether a table had data: its log comes before its first data file, and may be lost since. */
export function hasTraces(lakeDirectory: string, { name }: TableDefinition): boolean {
  return (
    dataFilesOf(join(lakeDirectory, name)).length > 0 || existsSync(join(lakeDirectory, CURRENT_FOLDER, name))
  );
}

/** Returns every data file below a table's folder, also those that the log does not name; no files of other programs. */
export function dataFilesOf(directory: string): readonly string[] {
  if (!existsSync(directory)) return [];
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && /^part-.*\.parquet$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}
