/** Success answers of the compatible routes: a foreign body, and our provenance in headers beside it. */

import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { chooseEncoding, compress, SMALLEST_COMPRESSED } from "#http/content-coding.ts";
import { COMMON_HEADERS, requestId } from "#http/headers.ts";

/** Beyond this the event loop is left alone and the body is compressed by a thread. */
const LARGEST_IN_LINE = 64 * 1024;

const gzipAside = promisify(gzip);

export interface Origin {
  /** The least fresh contributing source. */
  readonly source: string | null;
  /** Time of the oldest contributing observation, ISO 8601; null where none contributes. */
  readonly dataUpdatedAt: string | null;
}

export const NO_ORIGIN: Origin = { source: null, dataUpdatedAt: null };

export interface Answer {
  readonly text: string;
  /** application/json unless said otherwise. */
  readonly mime?: string;
  readonly origin: Origin;
  /** 0: never stored. */
  readonly maxAgeSeconds: number;
  /** Wanted currencies that are not in the catalog, and so not in the body. */
  readonly unavailable?: readonly string[];
}

/** 200 with a weak ETag over the whole body, 304 when the caller has it already. */
export async function answer(
  request: Request,
  simulated: boolean,
  { text, mime = "application/json; charset=utf-8", origin, maxAgeSeconds, unavailable = [] }: Answer,
): Promise<Response> {
  const headers = new Headers(COMMON_HEADERS);
  headers.set(
    "Access-Control-Expose-Headers",
    `${COMMON_HEADERS["Access-Control-Expose-Headers"]}, X-Source, X-Data-Updated-At, X-Unavailable-Symbols`,
  );
  headers.set(
    "Cache-Control",
    maxAgeSeconds === 0 ? "no-store" : `public, max-age=${maxAgeSeconds}, must-revalidate`,
  );
  headers.set("X-Request-Id", requestId(request.headers));
  headers.set("Vary", "Accept, Accept-Encoding");
  if (simulated) headers.set("X-Data-Mode", "simulated");
  if (origin.source !== null) headers.set("X-Source", origin.source);
  if (origin.dataUpdatedAt !== null) headers.set("X-Data-Updated-At", origin.dataUpdatedAt);
  if (unavailable.length > 0) headers.set("X-Unavailable-Symbols", unavailable.join(","));
  const etag = `W/"${Bun.hash(text).toString(36)}"`;
  headers.set("ETag", etag);
  if (isKnown(request.headers.get("if-none-match"), etag))
    return new Response(null, { status: 304, headers });
  headers.set("Content-Type", mime);
  if (request.method === "HEAD") return new Response(null, { headers });
  return encoded(request.headers.get("accept-encoding"), text, headers);
}

async function encoded(accepted: string | null, text: string, headers: Headers): Promise<Response> {
  const best = accepted === null || text.length < SMALLEST_COMPRESSED ? null : chooseEncoding(accepted);
  if (best === null) return new Response(text, { headers });
  if (text.length <= LARGEST_IN_LINE) {
    headers.set("Content-Encoding", best);
    return new Response(compress(text, best), { headers });
  }
  // Every client that takes another coding takes gzip too; one that does not gets the text as it is.
  if (chooseEncoding(`${accepted}`.replace(/\b(br|zstd)\b/gi, "other")) !== "gzip")
    return new Response(text, { headers });
  headers.set("Content-Encoding", "gzip");
  return new Response(new Uint8Array(await gzipAside(text, { level: 5 })), { headers });
}

function isKnown(header: string | null, etag: string): boolean {
  if (header === null) return false;
  return header.split(",").some((candidate) => ["*", etag, etag.slice(2)].includes(candidate.trim()));
}
