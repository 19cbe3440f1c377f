/** Work on many things, a few at once. */

import pLimit from "p-limit";

/**
 * Results in the order of the items. The first fault keeps what has not begun from beginning, and is the outcome once all that had begun
 * has ended.
 */
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
