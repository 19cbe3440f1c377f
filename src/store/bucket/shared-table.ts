/** One table in a bucket: its commits put under their versions, its data files both ways, and what is removed there. */

import { existsSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Add, statsOf } from "#store/delta/actions.ts";
import { LakeDamaged, sha256Of } from "#store/delta/damage.ts";
import { CommitConflict, digitsOf, openLog } from "#store/delta/log.ts";
import type { Fencing, StoredFile, TableStorage } from "#store/delta/storage.ts";
import { makeFolder } from "#store/disk/durable.ts";
import { openArrivals } from "./arrivals.ts";
import { type BucketClient, inGroups } from "./client.ts";
import type { Copy } from "./copy.ts";

export interface SharedTableOptions {
  readonly name: string;
  /** The lake's directory, which has the copy. */
  readonly directory: string;
  readonly client: BucketClient;
  /** Of the lake in the bucket; empty or with a slash at its end. */
  readonly prefix: string;
  /** For messages: `s3://bucket/prefix`. */
  readonly address: string;
  readonly copy: Copy;
  /** Data files that no commit names are removed when they are older, in milliseconds. */
  readonly orphanAge: number;
  /** Whether entries and files are looked at before they are taken; verification takes them as they are. */
  readonly checks: boolean;
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
  const underWay = new Map<string, Promise<boolean>>();

  const fetchFile = async (file: StoredFile): Promise<boolean> => {
    const path = join(folder, file.path);
    const temporary = join(dirname(path), `.${crypto.randomUUID()}.tmp`);
    makeFolder(dirname(path));
    const isIntact = async () => (await sha256Of(temporary)) === file.tags.sha256;
    try {
      if (!(await client.download(root + file.path, temporary, file.size))) return false;
      // Once more: what is wrong may have been the way, not the storage.
      if (!(await isIntact())) {
        await client.download(root + file.path, temporary, file.size);
        // A verification looks at what there is, and says how it differs.
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
      // Perhaps an attempt of ours whose answer was lost: its text names its own transaction.
      if ((await client.text(key)) !== text) throw new CommitConflict(placeOf(key));
    },
    putCheckpoint: async (version, { parquet, pointer, sidecar }) => {
      const key = keyOf(`${digitsOf(version)}.checkpoint.parquet`);
      if (!(await client.putIfAbsent(key, Bun.file(parquet), await sha256Of(parquet)))) return false;
      await client.put(keyOf("_last_checkpoint"), pointer, sha256(pointer));
      await client.put(keyOf(`.${digitsOf(version)}.checkpoint.json`), sidecar, sha256(sidecar));
      return true;
    },
    fetchCheckpoint: async (version) => {
      const key = keyOf(`${digitsOf(version)}.checkpoint.parquet`);
      const [object] = await client.list(key);
      if (object !== undefined) await client.download(key, log.checkpointFile(version), object.bytes);
    },
    fetch: (file) => {
      const known = underWay.get(file.path);
      if (known !== undefined) return known;
      const fetching = fetchFile(file)
        .then((isThere) => {
          if (!isThere) options.missed();
          return isThere;
        })
        .finally(() => underWay.delete(file.path));
      underWay.set(file.path, fetching);
      return fetching;
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
      const isOld = (entry: string) => Number(/^\.?(\d{20})\./.exec(entry)?.[1] ?? version) < version;
      const isCommit = (entry: string) => /^\d{20}\.json$/.test(entry);
      // Checkpoints first and then upwards, as in a folder: a checkpoint that is left has all the commits after it.
      await inGroups(
        names.filter((entry) => isOld(entry) && !isCommit(entry)),
        (entry) => client.remove(keyOf(entry)),
      );
      for (const entry of names.filter((found) => isOld(found) && isCommit(found)))
        await client.remove(keyOf(entry));
    },
  };

  return {
    name,
    storage,
    /** Takes new versions into the copy. */
    arrivals: openArrivals({ client, log, checks, keyOf, placeOf }),
    /** Rejects with LakeDamaged for a file that the storage does not have as its log says. */
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

function sha256(text: string): string {
  return new Bun.CryptoHasher("sha256").update(text).digest("hex");
}
