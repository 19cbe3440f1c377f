/** Compressed bodies, for everybody who asks within the second that is written in them. */

import type { CacheBudget } from "#domain/cache/budget.ts";
import { compress, type Encoding } from "./content-coding.ts";

/** Of the cache budget. What does not fit is compressed for each who asks; the next second starts anew. */
const SHARE = 0.05;

/** The body in a coding. `etag` stands for everything in it but `second`, the one in which it is sent. */
export type CodedBody = (
  body: { readonly bytes: Uint8Array; readonly etag: string },
  encoding: Encoding,
  second: number,
) => Uint8Array<ArrayBuffer>;

export function newCodedBodies(caches: CacheBudget): CodedBody {
  const kept = caches.cache<string, Uint8Array<ArrayBuffer>>("coded_bodies", { share: SHARE });
  let keptSecond = Number.NaN;
  return ({ bytes, etag }, encoding, second) => {
    if (second !== keptSecond) {
      kept.clear();
      keptSecond = second;
    }
    const key = encoding + etag;
    const known = kept.get(key);
    if (known !== undefined) return known;
    const coded = compress(bytes, encoding);
    kept.set(key, coded, coded.byteLength);
    return coded;
  };
}
