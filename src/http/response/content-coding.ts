/** Compression on request: which coding the client prefers of ours, and the coded bytes. */

import { type BrotliOptions, brotliCompressSync, constants, gzipSync, zstdCompressSync } from "node:zlib";

export type Encoding = "br" | "zstd" | "gzip";

/** Below this a coded answer is hardly smaller and costs more than it saves. */
export const SMALLEST_COMPRESSED = 1024;

/** The first of ours that the client accepts; a zero quality refuses. Null sends the text as it is. */
export function chooseEncoding(accepted: string): Encoding | null {
  const offers = accepted.toLowerCase().split(",");
  const quality = (name: string): number | null => {
    for (const offer of offers) {
      const [token = "", ...parameters] = offer.split(";");
      if (token.trim() !== name) continue;
      const q = parameters
        .map((parameter) => parameter.trim())
        .find((parameter) => parameter.startsWith("q="));
      return q === undefined ? 1 : Number(q.slice(2)) || 0;
    }
    return null;
  };
  let best: Encoding | null = null;
  let bestQuality = 0;
  for (const encoding of ["br", "zstd", "gzip"] as const) {
    const offered = quality(encoding) ?? quality("*") ?? 0;
    if (offered > bestQuality) {
      best = encoding;
      bestQuality = offered;
    }
  }
  return best;
}

const BROTLI: BrotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };

/** The body in a coding, at a level that costs less than a millisecond for a page of a range. */
export function compress(text: string | Uint8Array, encoding: Encoding): Uint8Array<ArrayBuffer> {
  if (encoding === "br") return new Uint8Array(brotliCompressSync(text, BROTLI));
  return new Uint8Array(encoding === "zstd" ? zstdCompressSync(text) : gzipSync(text, { level: 5 }));
}
