/** Compressed bodies, for everybody who asks within the second that is written in them. */

import { compress, type Encoding } from "./content-coding.ts";

/** Beyond this a body is compressed for each who asks; the next second starts anew. */
const KEPT_BYTES = 1024 * 1024;
const KEEPING_BYTES = 300;

/** The body in a coding. `etag` stands for everything in it but `second`, the one in which it is sent. */
export type CodedBody = (
  body: { readonly bytes: Uint8Array; readonly etag: string },
  encoding: Encoding,
  second: number,
) => Uint8Array<ArrayBuffer>;

export function newCodedBodies(): CodedBody {
  const kept = new Map<string, Uint8Array<ArrayBuffer>>();
  let keptBytes = 0;
  let keptSecond = Number.NaN;
  return ({ bytes, etag }, encoding, second) => {
    if (second !== keptSecond) {
      kept.clear();
      keptBytes = 0;
      keptSecond = second;
    }
    const key = encoding + etag;
    const known = kept.get(key);
    if (known !== undefined) return known;
    const coded = compress(bytes, encoding);
    keptBytes += coded.byteLength + KEEPING_BYTES;
    if (keptBytes <= KEPT_BYTES) kept.set(key, coded);
    return coded;
  };
}
