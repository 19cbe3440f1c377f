/** The signed history in a bucket: segments put under their first sequence, and taken into the copy, where many of them are one file. */

import { ChainUnreadable, linesIn, openSegments, segmentName } from "#store/chain/segments.ts";
import { CommitConflict } from "#store/delta/log.ts";
import type { HistoryStorage } from "#store/delta/storage.ts";
import { inGroups } from "./client.ts";
import type { BucketLake } from "./shared-table.ts";

/** A segment in the bucket that the copy lacks. Null where only its name is known yet. */
interface Arrival {
  readonly first: number;
  readonly text: string | null;
}

type Segment = Arrival & { readonly text: string };

/** So many segments become one file of the copy when many arrive, as on a machine that has nothing yet. */
const JOINED = 64;

/** One look takes at most `atOnce` segments: a start does not wait for a long history. */
export function openSharedHistory(
  { directory, client, prefix, address, checks }: BucketLake,
  atOnce: number,
) {
  const segments = openSegments(directory);
  const root = `${prefix}chain/`;
  const keyOf = (first: number) => root + segmentName(first);
  const placeOf = (first: number) => `${address}/chain/${segmentName(first)}`;
  let fault: string | null = null;
  /** What the last listing has found and the copy lacks. */
  let listed: readonly Arrival[] = [];

  /** The newest file of the copy, and its last sequence. Throws ChainUnreadable. */
  const newestHere = () => {
    const first = segments.last();
    const text = segments.textOf(first);
    if (text === null) return null;
    const last = linesIn(text, segmentName(first)).at(-1)?.entry.sequence as number;
    return { first, text, last };
  };

  /** Everything after the newest file of the copy, which has to be in the bucket. */
  const gatherAll = async (here: ReturnType<typeof newestHere>): Promise<readonly Arrival[]> => {
    const there = here === null ? "" : await client.text(keyOf(here.first));
    if (here !== null && (there === null || !here.text.startsWith(there))) {
      const what = there === null ? "is missing" : "was changed";
      throw new ChainUnreadable(`${placeOf(here.first)} ${what}: the copy in ${segments.folder} has it`);
    }
    const objects = await client.list(root, here === null ? null : keyOf(here.last));
    return objects.flatMap(({ key }) => {
      const digits = /^(\d{20})\.ndjson$/.exec(key.slice(root.length))?.[1];
      return digits === undefined ? [] : [{ first: Number(digits), text: null }];
    });
  };

  /** The segments after the newest one of the copy: one request when there is none. */
  const gatherNext = async (last: number): Promise<readonly Arrival[]> => {
    const arrived: Arrival[] = [];
    for (let first = last + 1; ; ) {
      const text = await client.text(keyOf(first));
      if (text === null) return arrived;
      arrived.push({ first, text });
      first = lastIn(text, first, placeOf(first)) + 1;
    }
  };

  /** What cannot be read is not taken: it may be restored. Requests are served from what the copy has. */
  const orFault = async <T>(work: () => Promise<T>, otherwise: T): Promise<T> => {
    try {
      return await work();
    } catch (found) {
      if (!(found instanceof ChainUnreadable)) throw found;
      fault = found.what;
      return otherwise;
    }
  };

  /** Those that follow each other become one file where there are many; what cannot be read never shares a file. */
  const takeSome = (found: readonly Segment[], areMany: boolean) => {
    let joined: Segment[] = [];
    const end = () => {
      const [first] = joined;
      const texts = joined.map(({ text }) => text);
      if (first !== undefined) segments.take(first.first, texts);
      joined = [];
    };
    let next = (newestHere()?.last ?? -1) + 1;
    for (const segment of found) {
      const broken = faultIn(segment, next);
      if (broken !== null || !areMany) end();
      if (broken !== null && checks) throw broken;
      joined.push(segment);
      if (broken !== null) end();
      next = segment.first + segment.text.split("\n").length - 1;
    }
    end();
  };

  const faultIn = ({ first, text }: Segment, next: number): ChainUnreadable | null => {
    if (first > next) return new ChainUnreadable(`${placeOf(next)} is missing, and later ones are there`);
    try {
      lastIn(text, first, placeOf(first));
      return null;
    } catch (found) {
      if (!(found instanceof ChainUnreadable)) throw found;
      return found;
    }
  };

  const storage: HistoryStorage = {
    put: async (first, text) => {
      const sha256 = new Bun.CryptoHasher("sha256").update(text).digest("hex");
      // Also by an attempt of this call whose answer was lost: the caller reads it like another process's.
      if (!(await client.putIfAbsent(keyOf(first), text, sha256))) throw new CommitConflict(placeOf(first));
    },
    fault: () => fault,
    isBehind: () => listed.length > 0 && fault === null,
  };

  return {
    storage,
    /** What the copy lacks; `isWhole` lists the bucket. A fault of the history is no rejection: the tables go on without it. */
    gather: (isWhole: boolean): Promise<readonly Arrival[]> =>
      orFault(async () => {
        const here = newestHere();
        const isBroken = fault !== null;
        listed = listed.filter(({ first }) => first > (here?.last ?? -1));
        if (listed.length === 0 || isBroken)
          listed = here === null || isWhole || isBroken ? await gatherAll(here) : await gatherNext(here.last);
        fault = null;
        return listed.slice(0, atOnce);
      }, []),
    /** Takes what arrived into the copy, oldest first. */
    take: (arrived: readonly Arrival[]): Promise<void> =>
      orFault(async () => {
        const newest = arrived.at(-1);
        for (let from = 0; from < arrived.length; from += JOINED) {
          const read = await inGroups(arrived.slice(from, from + JOINED), async ({ first, text }) => ({
            first,
            text: text ?? (await client.text(keyOf(first))),
          }));
          const found = read.filter((one): one is Segment => one.text !== null);
          // The newest one stays as it is in the bucket, and is compared with it.
          const before = found.filter(({ first }) => first !== newest?.first);
          takeSome(before, arrived.length > JOINED);
          takeSome(found.slice(before.length), false);
        }
        listed = listed.slice(arrived.length);
      }, undefined).catch((found: unknown) => {
        // Another process on this machine has just taken it; what is after it comes with the next look.
        if (!(found instanceof CommitConflict)) throw found;
      }),
  };
}

/** The last sequence of a segment. Throws ChainUnreadable where it is not one with this name. */
function lastIn(text: string, first: number, place: string): number {
  const lines = linesIn(text, place);
  if (lines.some(({ entry }, at) => entry.sequence !== first + at))
    throw new ChainUnreadable(`${place} has other entries than its name says`);
  return first + lines.length - 1;
}
