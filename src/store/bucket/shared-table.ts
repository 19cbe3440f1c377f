/**
 * One table in a bucket: puts commits under their versions, transfers data files, removes old ones there, and takes new versions into
 * the copy's log.
 */

import { existsSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { sha256 } from "#domain/chain/entry.ts";
import { LakeDamaged, sha256Of } from "#store/delta/damage.ts";
import { CommitConflict, digitsOf, openLog, parseSealed, versionOf } from "#store/delta/log.ts";
import { type Action, type Add, statsOf } from "#store/delta/snapshot.ts";
import type { Fencing, StoredFile, TableStorage } from "#store/delta/storage.ts";
import { makeFolder, numbersIn } from "#store/disk/durable.ts";
import { type BucketClient, inGroups } from "./client.ts";
import type { Copy } from "./copy.ts";

/** New entries of a log that the copy lacks. */
export interface Arrivals {
  readonly checkpoints: readonly Entry[];
  readonly commits: readonly Entry[];
  /** Data files that these commits add; empty when the whole log was gathered. */
  readonly added: readonly Add[];
  /** The storage's oldest commit; null unless the whole log was gathered. */
  readonly oldest: number | null;
}

interface Entry {
  readonly version: number;
  readonly text: string;
}

/** Gathers new versions from the storage, then takes them into the copy's log. `keyOf("")` is the folder; `placeOf` is for messages. */
function openArrivals(
  { client, checks }: BucketLake,
  log: ReturnType<typeof openLog>,
  keyOf: (entry: string) => string,
  placeOf: (key: string) => string,
) {
  const commitKey = (version: number) => keyOf(`${digitsOf(version)}.json`);
  const idHere = (): string | null => log.readHead()?.table ?? null;
  const checked = (entry: Entry, kind: "commitInfo" | "checkpoint", key: string): readonly Action[] =>
    checks ? parseSealed(entry.text, placeOf(key), kind, entry.version, idHere()).actions : [];

  /** Gathers all that the copy lacks. Rejects with LakeDamaged when the storage has lost versions. */
  const gatherAll = async (): Promise<Arrivals> => {
    const names = (await client.list(keyOf(""))).map(({ key }) => key.slice(keyOf("").length));
    const there = numbersIn(names, /^(\d{20})\.json$/);
    const here = log.list();
    const head = log.readHead();
    const newest = there.at(-1) ?? -1;
    if (head !== null && newest < head.version)
      throw new LakeDamaged(
        placeOf(commitKey(newest + 1)),
        `is missing: the copy has version ${head.version}`,
      );
    const sidecar = (version: number) => keyOf(`.${digitsOf(version)}.checkpoint.json`);
    const read = async (
      versions: readonly number[],
      keyFor: (version: number) => string,
    ): Promise<Entry[]> => {
      const texts = await inGroups(versions, async (version) => ({
        version,
        text: await client.text(keyFor(version)),
      }));
      // An entry may be cleaned up between the listing and now.
      return texts.flatMap(({ version, text }) => (text === null ? [] : [{ version, text }]));
    };
    const [has, hasCheckpoint] = [new Set(here.commits), new Set(here.checkpoints)];
    const missing = numbersIn(names, /^\.(\d{20})\.checkpoint\.json$/).filter(
      (version) => !hasCheckpoint.has(version),
    );
    const checkpoints = await read(missing, sidecar);
    const commits = await read(
      there.filter((version) => !has.has(version)),
      commitKey,
    );
    for (const entry of checkpoints) checked(entry, "checkpoint", sidecar(entry.version));
    for (const entry of commits) checked(entry, "commitInfo", commitKey(entry.version));
    return { checkpoints, commits, added: [], oldest: there[0] ?? null };
  };

  /** Gathers the commits after the newest in the copy: one request when there is no new commit. */
  const gatherNext = async (): Promise<Arrivals> => {
    const commits: Entry[] = [];
    const added = new Map<string, Add>();
    for (let version = (log.list().commits.at(-1) ?? -1) + 1; ; version++) {
      const text = await client.text(commitKey(version));
      if (text === null) break;
      const entry = { version, text };
      commits.push(entry);
      for (const action of checked(entry, "commitInfo", commitKey(version))) {
        if ("add" in action) added.set(action.add.path, action.add);
        if ("remove" in action) added.delete(action.remove.path);
      }
    }
    return { checkpoints: [], commits, added: [...added.values()], oldest: null };
  };

  return {
    gatherAll,
    gatherNext,
    take: async ({ checkpoints, commits, oldest }: Arrivals): Promise<void> => {
      if (idHere() === null) {
        // The head comes before the first commit: a log without a head has lost it.
        const table = tableOf([...checkpoints, ...commits]);
        if (table !== null) await log.writeHead({ table, version: -1 });
      }
      for (const { version, text } of checkpoints) {
        makeFolder(log.folder);
        await log.takeCheckpoint(version, text);
      }
      for (const { version, text } of commits) log.takeCommit(version, text);
      // After a long sleep the storage's oldest commit may be newer than the copy's: the copy's log must have no gap.
      if (oldest !== null && (log.list().commits[0] ?? oldest) < oldest) log.removeBefore(oldest);
      const [head, last] = [log.readHead(), log.list().commits.at(-1) ?? -1];
      if (head !== null && last > head.version) await log.writeHead({ table: head.table, version: last });
    },
  };
}

/** Entries have the form in which this program writes them. A damaged one names no table; the reader of the log reports it. */
function tableOf(entries: readonly Entry[]): string | null {
  for (const { text } of entries) {
    const id = /^\{"metaData":\{"id":"([^"]+)"/m.exec(text)?.[1];
    if (id !== undefined) return id;
  }
  return null;
}

export interface BucketLake {
  readonly directory: string;
  readonly client: BucketClient;
  /** Of the lake in the bucket; empty or with a slash at its end. */
  readonly prefix: string;
  /** For messages: `s3://bucket/prefix`. */
  readonly address: string;
  /** Whether entries and files are checked before they are taken; verification takes them as they are. */
  readonly checks: boolean;
}

interface SharedTableOptions extends BucketLake {
  readonly name: string;
  readonly copy: Copy;
  /** Milliseconds after which a data file without a commit is removed. */
  readonly orphanAge: number;
  readonly fencing: Fencing;
  /** Called when the storage does not have a file that a version of the copy names. */
  readonly missed: () => void;
}

export type SharedTable = ReturnType<typeof openSharedTable>;

export function openSharedTable(options: SharedTableOptions) {
  const { name, client, copy, checks } = options;
  const folder = join(options.directory, name);
  const root = `${options.prefix}${name}/`;
  const log = openLog(folder);
  const keyOf = (entry: string) => `${root}_delta_log/${entry}`;
  const commitKey = (version: number) => keyOf(`${digitsOf(version)}.json`);
  const placeOf = (key: string) => `${options.address}/${key.slice(options.prefix.length)}`;
  const fetching = new Map<string, Promise<boolean>>();

  const fetchFile = async (file: StoredFile): Promise<boolean> => {
    const path = join(folder, file.path);
    const temporary = join(dirname(path), `.${crypto.randomUUID()}.tmp`);
    makeFolder(dirname(path));
    const isIntact = async () => (await sha256Of(temporary)) === file.tags.sha256;
    try {
      if (!(await client.download(root + file.path, temporary, file.size))) return false;
      // A second download: the first may have been damaged on its way.
      if (!(await isIntact())) {
        await client.download(root + file.path, temporary, file.size);
        // A verification takes the file as it is, and says how it differs.
        if (checks && !(await isIntact())) return false;
      }
      renameSync(temporary, path);
      copy.drop(path);
      copy.used(path);
      return true;
    } finally {
      rmSync(temporary, { force: true });
    }
  };

  const storage: TableStorage = {
    fencing: options.fencing,
    upload: async (files) => {
      await inGroups(files, async ({ path, tags }) => {
        const source = join(folder, path);
        await client.put(root + path, Bun.file(source), tags.sha256);
        copy.used(source);
      });
    },
    putCommit: async (version, text) => {
      const key = commitKey(version);
      if (await client.putIfAbsent(key, text, sha256(text))) return;
      // Perhaps an earlier attempt with a lost answer: equal text is this commit, because it has the transaction's id.
      if ((await client.text(key)) !== text) throw new CommitConflict(placeOf(key));
    },
    putCheckpoint: async (version, { parquet, pointer, sidecar }) => {
      const key = keyOf(`${digitsOf(version)}.checkpoint.parquet`);
      if (!(await client.putIfAbsent(key, Bun.file(parquet), await sha256Of(parquet)))) return false;
      await client.put(keyOf("_last_checkpoint"), pointer, sha256(pointer));
      await client.put(keyOf(`.${digitsOf(version)}.checkpoint.json`), sidecar, sha256(sidecar));
      return true;
    },
    fetchLog: async () => {
      const objects = await client.list(keyOf(""));
      const names = objects.map(({ key }) => key.slice(keyOf("").length));
      await inGroups(objects, async ({ key, bytes }) => {
        const version = /^(\d{20})\.checkpoint\.parquet$/.exec(key.slice(keyOf("").length))?.[1];
        if (version !== undefined) await client.download(key, log.checkpointFile(Number(version)), bytes);
      });
      return names;
    },
    fetch: (file) => {
      const running = fetching.get(file.path);
      if (running !== undefined) return running;
      const begun = fetchFile(file)
        .then((isThere) => {
          if (!isThere) options.missed();
          return isThere;
        })
        .finally(() => fetching.delete(file.path));
      fetching.set(file.path, begun);
      return begun;
    },
    used: ({ path }) => copy.used(join(folder, path)),
    pin: (files) => copy.pin(name, new Set([...files].map(({ path }) => join(folder, path)))),
    sweep: async (retained) => {
      const objects = await client.list(root);
      const gone = objects.filter(({ key, age }) => {
        const path = key.slice(root.length);
        return /(^|\/)part-[^/]*\.parquet$/.test(path) && !retained.has(path) && age >= options.orphanAge;
      });
      await inGroups(gone, ({ key }) => client.remove(key));
      return { files: gone.length, bytes: gone.reduce((sum, { bytes }) => sum + bytes, 0) };
    },
    removeLogBefore: async (version) => {
      const names = (await client.list(keyOf(""))).map(({ key }) => key.slice(keyOf("").length));
      if (!names.includes(`.${digitsOf(version)}.checkpoint.json`)) return;
      const isOld = (entry: string) => versionOf(entry) < version;
      const isCommit = (entry: string) => /^\d{20}\.json$/.test(entry);
      // Checkpoints first, then commits upwards, as in a folder: every remaining checkpoint has all later commits.
      await inGroups(
        names.filter((entry) => isOld(entry) && !isCommit(entry)),
        (entry) => client.remove(keyOf(entry)),
      );
      for (const entry of names.filter((name) => isOld(name) && isCommit(name)))
        await client.remove(keyOf(entry));
    },
  };

  return {
    name,
    storage,
    arrivals: openArrivals(options, log, keyOf, placeOf),
    /** Fetches the missing files. Rejects with LakeDamaged when the storage does not have one as its log says. */
    fetchAll: async (adds: readonly Add[]): Promise<void> => {
      const missing = adds.filter(({ path }) => !existsSync(join(folder, path)));
      await inGroups(missing, async (add) => {
        if (!(await storage.fetch(add)))
          throw new LakeDamaged(
            placeOf(root + add.path),
            `does not have its ${statsOf(add).numRecords} rows`,
          );
      });
    },
  };
}
