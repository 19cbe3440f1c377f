/** Bodies that never change while the process runs: made when first asked for, tagged, compressed once. They are sent as Blobs,
 * because all answers share a Blob's bytes, while each would carry its own copy of an array.
 */

import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { sized } from "#http/request/count-request.ts";
import { COMMON_HEADERS, requestId } from "./headers.ts";
import type { LargeBodies } from "./large-bodies.ts";
import { type AnswersUnderWay, SMALLEST_LARGE } from "./under-way.ts";

const compress = promisify(gzip);
const SMALLEST_COMPRESSED = 1024;

export interface StaticBody {
  readonly mime: string;
  readonly cacheControl: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Called at most once. */
  readonly load: () => Promise<Uint8Array<ArrayBuffer>>;
}

interface Loaded {
  readonly plain: Blob;
  readonly gzipped: Blob | null;
  readonly etag: string;
}

export interface StaticDeps {
  readonly simulated: boolean;
  readonly underWay: AnswersUnderWay;
  readonly large: LargeBodies;
}

/**
 * Makes the answering function of one body: 200, or 304 for a matching If-None-Match. Failure `rate_limited` for a large one
 * while too many are under way to the address.
 */
export function createStaticBody(
  body: StaticBody,
  { simulated, underWay, large }: StaticDeps,
): (request: Request) => Promise<Response> {
  let loading: Promise<Loaded> | null = null;
  return async (request) => {
    loading ??= load(body).catch((fault: unknown) => {
      loading = null;
      throw fault;
    });
    const { plain, gzipped, etag } = await loading;
    const headers = new Headers({ ...COMMON_HEADERS, ...body.headers });
    headers.set("X-Request-Id", requestId(request.headers));
    headers.set("Cache-Control", body.cacheControl);
    headers.set("ETag", etag);
    headers.set("Vary", "Accept-Encoding");
    if (simulated) headers.set("X-Data-Mode", "simulated");
    if (isKnown(request.headers.get("if-none-match"), etag))
      return new Response(null, { status: 304, headers });
    headers.set("Content-Type", body.mime);
    const isCoded = gzipped !== null && takesGzip(request.headers.get("accept-encoding"));
    if (isCoded) headers.set("Content-Encoding", "gzip");
    const sent = isCoded ? gzipped : plain;
    if (sent.size > SMALLEST_LARGE) underWay.admit(request);
    return sized(new Response(large.shared(request, sent), { headers }), sent.size);
  };
}

async function load(body: StaticBody): Promise<Loaded> {
  const plain = await body.load();
  const gzipped = plain.byteLength < SMALLEST_COMPRESSED ? null : new Blob([await compress(plain)]);
  // Weak: the plain and the compressed body share one tag.
  return { plain: new Blob([plain]), gzipped, etag: `W/"${Bun.hash(plain).toString(36)}"` };
}

function isKnown(header: string | null, etag: string): boolean {
  if (header === null) return false;
  return header.split(",").some((candidate) => ["*", etag, etag.slice(2)].includes(candidate.trim()));
}

function takesGzip(header: string | null): boolean {
  return /(?:^|,)\s*(?:gzip|\*)\s*(?:;\s*q=(?!0(?:\.0*)?\s*(?:,|$))[\d.]+\s*)?(?:,|$)/i.test(header ?? "");
}
