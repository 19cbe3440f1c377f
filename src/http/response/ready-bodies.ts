/** Caches within the cache budget: bodies by URL, all of one dataset, and their compressed forms of one second. */

import type { CacheBudget } from "#domain/cache/budget.ts";
import type { Dataset } from "#domain/history/dataset.ts";
import { compress } from "./content-coding.ts";
import type { Encoding } from "./negotiation.ts";

export interface ReadyBodies<Item> {
  get(key: string): Item | undefined;
  add(key: string, item: Item): void;
}

/** Of the cache budget: the whole history on one base is about 31 MB. */
const SHARE = 0.7;
/** Address, headers' tag and bookkeeping of one ready body. */
const ENTRY_BYTES = 450;
const LONGEST_KEY = 512;

/** Empties itself whenever the dataset is another one. */
export function newReadyBodies<Item extends { readonly bytes: Uint8Array }>(
  caches: CacheBudget,
  newestDataset: () => Dataset | null,
): ReadyBodies<Item> {
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
    add: (key, item) => {
      if (key.length <= LONGEST_KEY) items.set(key, item, item.bytes.byteLength + ENTRY_BYTES);
    },
  };
}

/** Of the cache budget. What does not fit is compressed for each request; the next second starts anew. */
const CODED_SHARE = 0.05;

/** The body in a coding. `etag` stands for everything in it but `second`, the one in which it is sent. */
export type CodedBody = (
  body: { readonly bytes: Uint8Array; readonly etag: string },
  encoding: Encoding,
  second: number,
) => Uint8Array<ArrayBuffer>;

/** Compressed bodies, shared by all who request them within the second that is written in them. */
export function newCodedBodies(caches: CacheBudget): CodedBody {
  const cached = caches.cache<string, Uint8Array<ArrayBuffer>>("coded_bodies", { share: CODED_SHARE });
  let cachedSecond = Number.NaN;
  return ({ bytes, etag }, encoding, second) => {
    if (second !== cachedSecond) {
      cached.clear();
      cachedSecond = second;
    }
    const key = encoding + etag;
    const known = cached.get(key);
    if (known !== undefined) return known;
    const coded = compress(bytes, encoding);
    cached.set(key, coded, coded.byteLength);
    return coded;
  };
}
