/** The signed history in a bucket: puts segments under their first sequence, and takes new ones into the copy, many as one file. */

import { sha256 } from "#domain/chain/entry.ts";
import { ChainUnreadable, linesIn, openSegments, SEGMENT, segmentName } from "#store/chain/segments.ts";
import { CommitConflict } from "#store/delta/log.ts";
import type { HistoryStorage } from "#store/delta/storage.ts";
import { numbersIn } from "#store/disk/durable.ts";
import { inGroups } from "./client.ts";
import type { BucketLake } from "./shared-table.ts";

/** A segment in the bucket that the copy lacks. Its text is null until it is read. */
interface Arrival {
  readonly first: number;
  readonly text: string | null;
}

type Segment = Arrival & { readonly text: string };

/** The number of segments in one file of the copy when many arrive, as on a new machine. */
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
  let listed: readonly Arrival[] = [];

  /** Returns the newest file of the copy, and its last sequence; null for an empty copy. Throws ChainUnreadable. */
  const newestHere = () => {
    const first = segments.last();
    const text = segments.textOf(first);
    if (text === null) return null;
    const last = linesIn(text, segmentName(first)).at(-1)?.entry.sequence as number;
    return { first, text, last };
  };

  /** Lists the segments after the newest file of the copy, which must be in the bucket. */
  const gatherAll = async (here: ReturnType<typeof newestHere>): Promise<readonly Arrival[]> => {
    const there = here === null ? "" : await client.text(keyOf(here.first));
    if (here !== null && (there === null || !here.text.startsWith(there))) {
      const what = there === null ? "is missing" : "was changed";
      throw new ChainUnreadable(`${placeOf(here.first)} ${what}: the copy in ${segments.folder} has it`);
    }
    const objects = await client.list(root, here === null ? null : keyOf(here.last));
    const names = objects.map(({ key }) => key.slice(root.length));
    return numbersIn(names, SEGMENT).map((first) => ({ first, text: null }));
  };

  /** Reads the segments after the newest in the copy: one request when there is no new segment. */
  const gatherNext = async (last: number): Promise<readonly Arrival[]> => {
    const arrived: Arrival[] = [];
    for (let first = last + 1; ; ) {
      const text = await client.text(keyOf(first));
      if (text === null) return arrived;
      arrived.push({ first, text });
      first = lastIn(text, first, placeOf(first)) + 1;
    }
  };

  /** Keeps a ChainUnreadable as the fault, and goes on: the segment may be restored, and the copy serves requests meanwhile. */
  const orFault = async <T>(work: () => Promise<T>, otherwise: T): Promise<T> => {
    try {
      return await work();
    } catch (thrown) {
      if (!(thrown instanceof ChainUnreadable)) throw thrown;
      fault = thrown.what;
      return otherwise;
    }
  };

  /** Joins consecutive segments to one file when they are many; an unreadable segment has a file of its own. */
  const takeSome = (arrivals: readonly Segment[], areMany: boolean) => {
    let joined: Segment[] = [];
    const end = () => {
      const [first] = joined;
      const texts = joined.map(({ text }) => text);
      if (first !== undefined) segments.take(first.first, texts);
      joined = [];
    };
    let next = (newestHere()?.last ?? -1) + 1;
    for (const segment of arrivals) {
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
    } catch (thrown) {
      if (!(thrown instanceof ChainUnreadable)) throw thrown;
      return thrown;
    }
  };

  const storage: HistoryStorage = {
    put: async (first, text) => {
      // The segment may come from an earlier attempt of this call with a lost answer: the caller reads it as another process's.
      if (!(await client.putIfAbsent(keyOf(first), text, sha256(text))))
        throw new CommitConflict(placeOf(first));
    },
    fault: () => fault,
    isBehind: () => listed.length > 0 && fault === null,
  };

  return {
    storage,
    /** Gathers what the copy lacks; `isWhole` lists the bucket. A fault of the history does not reject: the tables go on without it. */
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
    take: (arrived: readonly Arrival[]): Promise<void> =>
      orFault(async () => {
        const newest = arrived.at(-1);
        for (let from = 0; from < arrived.length; from += JOINED) {
          const read = await inGroups(arrived.slice(from, from + JOINED), async ({ first, text }) => ({
            first,
            text: text ?? (await client.text(keyOf(first))),
          }));
          const segments = read.filter((one): one is Segment => one.text !== null);
          // The newest segment stays a file of its own: gatherAll compares it with the bucket.
          const before = segments.filter(({ first }) => first !== newest?.first);
          takeSome(before, arrived.length > JOINED);
          takeSome(segments.slice(before.length), false);
        }
        listed = listed.slice(arrived.length);
      }, undefined).catch((thrown: unknown) => {
        // Another process on this machine has just taken a segment; later segments come with the next look.
        if (!(thrown instanceof CommitConflict)) throw thrown;
      }),
  };
}

/** Returns the last sequence of a segment. Throws ChainUnreadable when it does not begin with the sequence in its name. */
function lastIn(text: string, first: number, place: string): number {
  const lines = linesIn(text, place);
  if (lines.some(({ entry }, at) => entry.sequence !== first + at))
    throw new ChainUnreadable(`${place} has other entries than its name says`);
  return first + lines.length - 1;
}
