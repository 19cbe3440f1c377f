/** New versions of a table in a bucket, taken into the log of the copy: first gathered from the storage, then taken all at once. */

import type { Action, Add } from "#store/delta/actions.ts";
import { LakeDamaged } from "#store/delta/damage.ts";
import { digitsOf, type openLog, tableIdOf } from "#store/delta/log.ts";
import { parseSealed } from "#store/delta/sealed.ts";
import { makeFolder } from "#store/disk/durable.ts";
import { type BucketClient, inGroups } from "./client.ts";

/** New entries of a log, not yet in the copy. */
export interface Arrivals {
  readonly checkpoints: readonly Entry[];
  readonly commits: readonly Entry[];
  /** Data files that these commits add; none is named where the whole log was gathered. */
  readonly added: readonly Add[];
  /** The storage's oldest commit, where the whole log was gathered. */
  readonly oldest: number | null;
}

interface Entry {
  readonly version: number;
  readonly text: string;
}

interface ArrivalsOptions {
  readonly client: BucketClient;
  /** Of the copy. */
  readonly log: ReturnType<typeof openLog>;
  readonly checks: boolean;
  /** Key of an entry of the log; of the empty text that of its folder. */
  readonly keyOf: (entry: string) => string;
  /** How messages name a key. */
  readonly placeOf: (key: string) => string;
}

export function openArrivals({ client, log, checks, keyOf, placeOf }: ArrivalsOptions) {
  const commitKey = (version: number) => keyOf(`${digitsOf(version)}.json`);
  const idHere = (): string | null => log.readHead()?.table ?? null;
  const checked = (entry: Entry, kind: "commitInfo" | "checkpoint", key: string): readonly Action[] =>
    checks ? parseSealed(entry.text, placeOf(key), kind, entry.version, idHere()).actions : [];

  /** Everything in the storage's log that the copy lacks. Rejects with LakeDamaged where the storage has lost versions. */
  const gatherAll = async (): Promise<Arrivals> => {
    const names = (await client.list(keyOf(""))).map(({ key }) => key.slice(keyOf("").length));
    const versionsIn = (pattern: RegExp) =>
      names.flatMap((entry) => pattern.exec(entry)?.[1] ?? []).map(Number);
    const there = versionsIn(/^(\d{20})\.json$/);
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
    const wanted = versionsIn(/^\.(\d{20})\.checkpoint\.json$/).filter(
      (version) => !hasCheckpoint.has(version),
    );
    const checkpoints = await read(wanted, sidecar);
    const commits = await read(
      there.filter((version) => !has.has(version)),
      commitKey,
    );
    for (const entry of checkpoints) checked(entry, "checkpoint", sidecar(entry.version));
    for (const entry of commits) checked(entry, "commitInfo", commitKey(entry.version));
    return { checkpoints, commits, added: [], oldest: there[0] ?? null };
  };

  /** The commits after the newest one of the copy: one request when there is none. */
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
    /** Takes what arrived into the copy, oldest first. */
    take: async ({ checkpoints, commits, oldest }: Arrivals): Promise<void> => {
      if (idHere() === null) {
        // The head comes before the first commit: a log without one has lost it.
        const table = tableOf([...checkpoints, ...commits]);
        if (table !== null) await log.writeHead({ table, version: -1 });
      }
      for (const { version, text } of checkpoints) {
        makeFolder(log.folder);
        await log.takeCheckpoint(version, text);
      }
      for (const { version, text } of commits) log.takeCommit(version, text);
      // At once: after a long sleep there is a gap between what the copy had and what is left in the storage.
      if (oldest !== null && (log.list().commits[0] ?? oldest) < oldest) log.removeBefore(oldest);
      const [head, last] = [log.readHead(), log.list().commits.at(-1) ?? -1];
      if (head !== null && last > head.version) await log.writeHead({ table: head.table, version: last });
    },
  };
}

function tableOf(entries: readonly Entry[]): string | null {
  for (const { text } of entries) {
    const line = text.split("\n").find((one) => one.startsWith('{"metaData"'));
    const id = line === undefined ? null : tableIdOf([parsedOrNothing(line)]);
    if (id !== null) return id;
  }
  return null;
}

/** An entry that is damaged names no table; the reader of the log reports it. */
function parsedOrNothing(line: string): Action {
  try {
    return JSON.parse(line) as Action;
  } catch {
    return {} as Action;
  }
}
