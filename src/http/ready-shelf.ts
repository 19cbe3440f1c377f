/** Ready bodies by key, all of one dataset, within a bound: the one that was made first goes first. */

import type { Dataset } from "#domain/dataset.ts";

export interface Shelf<Item> {
  get(key: string): Item | undefined;
  keep(key: string, item: Item): void;
}

/** Bytes of ready bodies kept, with what keeping one costs; the whole history on one base is about 31 MB. */
const READY_BYTES = 32 * 1024 * 1024;
/** Address, headers' tag and bookkeeping of one ready body. */
const KEEPING_BYTES = 600;
const LONGEST_KEY = 512;

/** Empties itself whenever the dataset is another one. */
export function newShelf<Item extends { readonly bytes: Uint8Array }>(
  newestDataset: () => Dataset | null,
): Shelf<Item> {
  const items = new Map<string, Item>();
  let bytes = 0;
  let dataset: Dataset | null = null;
  const drop = (key: string) => {
    const held = items.get(key);
    if (held === undefined) return;
    items.delete(key);
    bytes -= held.bytes.byteLength + KEEPING_BYTES;
  };
  return {
    get: (key) => {
      const newest = newestDataset();
      if (newest !== dataset) {
        items.clear();
        bytes = 0;
        dataset = newest;
      }
      return items.get(key);
    },
    keep: (key, item) => {
      if (key.length > LONGEST_KEY) return;
      drop(key);
      items.set(key, item);
      bytes += item.bytes.byteLength + KEEPING_BYTES;
      for (const oldest of items.keys()) {
        if (bytes <= READY_BYTES) break;
        drop(oldest);
      }
    },
  };
}
