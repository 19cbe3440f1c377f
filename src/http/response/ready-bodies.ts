/** Ready bodies by key, all of one dataset. */

import type { CacheBudget } from "#domain/cache/budget.ts";
import type { Dataset } from "#domain/history/dataset.ts";

export interface Shelf<Item> {
  get(key: string): Item | undefined;
  keep(key: string, item: Item): void;
}

/** Of the cache budget: the whole history on one base is about 31 MB. */
const SHARE = 0.7;
/** Address, headers' tag and bookkeeping of one ready body. */
const KEEPING_BYTES = 450;
const LONGEST_KEY = 512;

/** Empties itself whenever the dataset is another one. */
export function newShelf<Item extends { readonly bytes: Uint8Array }>(
  caches: CacheBudget,
  newestDataset: () => Dataset | null,
): Shelf<Item> {
  const items = caches.cache<string, Item>("ready_bodies", { share: SHARE });
  let dataset: Dataset | null = null;
  return {
    get: (key) => {
      const newest = newestDataset();
      if (newest !== dataset) {
        items.clear();
        dataset = newest;
      }
      return items.get(key);
    },
    keep: (key, item) => {
      if (key.length <= LONGEST_KEY) items.set(key, item, item.bytes.byteLength + KEEPING_BYTES);
    },
  };
}
