/**
 * A queue with a bounded number at work and bounds on waiting: callers take turns, so no caller starves another. And work on many
 * items, a few at once; and work that runs once at a time for each key.
 */

import pLimit, { type LimitFunction } from "p-limit";

export interface FairQueueOptions {
  readonly atOnce: number;
  /** The most that wait: in all, and of one caller. */
  readonly waiting: number;
  readonly waitingEach: number;
  readonly refusal: (atWork: number, waiting: number) => Error;
}

interface Entry extends PromiseWithResolvers<void> {
  /** Never refused: work that has begun needs this entry to finish. */
  readonly isOwed: boolean;
}

/** A full queue refuses the newest entry of the caller with the most entries, to make room for a caller with fewer. */
export function newFairQueue({ atOnce, waiting, waitingEach, refusal }: FairQueueOptions) {
  /** In the order of the callers' next turns; no list is empty. */
  const lists = new Map<string, Entry[]>();
  let atWork = 0;
  let queued = 0;

  const remove = (caller: string, list: Entry[], at: number): Entry | undefined => {
    const [removed] = list.splice(at, 1);
    queued -= 1;
    if (list.length === 0) lists.delete(caller);
    return removed;
  };
  const end = () => {
    const [next] = lists;
    if (next === undefined) {
      atWork -= 1;
      return;
    }
    const [caller, list] = next;
    // The caller goes to the end of the round.
    lists.delete(caller);
    lists.set(caller, list);
    // The place passes on directly: no later caller overtakes.
    remove(caller, list, 0)?.resolve();
  };
  /** Refuses the newest entry of the longest list, if that has at least two more than `count`; else returns false. */
  const makesRoom = (count: number): boolean => {
    let [caller, longest] = ["", [] as Entry[]];
    for (const [name, list] of lists) if (list.length > longest.length) [caller, longest] = [name, list];
    if (longest.length <= count + 1 || longest.at(-1)?.isOwed) return false;
    remove(caller, longest, longest.length - 1)?.reject(refusal(atWork, queued));
    return true;
  };

  return {
    atWork: () => atWork,
    waiting: () => queued,
    /** Resolves with the function that ends the turn. Rejects with the refusal, or with the signal's reason while it waits. */
    async take(caller: string, signal?: AbortSignal | null, isOwed = false): Promise<() => void> {
      signal?.throwIfAborted();
      if (atWork < atOnce) atWork += 1;
      else {
        const list = lists.get(caller) ?? [];
        const hasRoom = () => list.length < waitingEach && (queued < waiting || makesRoom(list.length));
        if (!isOwed && !hasRoom()) throw refusal(atWork, queued);
        const entry: Entry = { ...Promise.withResolvers<void>(), isOwed };
        list.push(entry);
        queued += 1;
        lists.set(caller, list);
        const leave = () => {
          const at = list.indexOf(entry);
          if (at < 0) return;
          remove(caller, list, at);
          entry.reject(signal?.reason);
        };
        signal?.addEventListener("abort", leave, { once: true });
        await entry.promise.finally(() => signal?.removeEventListener("abort", leave));
      }
      let isEnded = false;
      return () => {
        if (!isEnded) end();
        isEnded = true;
      };
    },
  };
}

/** Results in the order of the items. After a fault no item begins; the fault is thrown once all that had begun have ended. */
export async function inSeveral<T, R>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const limit = pLimit({ concurrency: atOnce, rejectOnClear: true });
  const results = items.map((item) =>
    limit(async () => {
      try {
        return await work(item);
      } catch (fault) {
        limit.clearQueue();
        throw fault;
      }
    }),
  );
  await Promise.allSettled(results);
  return await Promise.all(results);
}

/**
 * Makes a queue. A request equal to one that runs or waits for the same key shares its result. Any other waits until the earlier ones
 * have ended, successfully or not.
 */
export function oneAtATime<Key, Request, Result>(): (
  key: Key,
  request: Request,
  run: () => Promise<Result>,
) => Promise<Result> {
  const turns = new Map<
    Key,
    { readonly inTurn: LimitFunction; readonly results: Map<Request, Promise<Result>> }
  >();
  return (key, request, run) => {
    const { inTurn, results } = turns.get(key) ?? { inTurn: pLimit(1), results: new Map() };
    turns.set(key, { inTurn, results });
    const result = results.get(request) ?? inTurn(run).finally(() => results.delete(request));
    results.set(request, result);
    return result;
  };
}
