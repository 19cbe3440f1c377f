/** Success answers of the compatible routes: a foreign body, and our provenance in headers beside it. */

import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { sized } from "#http/request/count-request.ts";
import type { ComputeTurns } from "#http/response/compute-turns.ts";
import { chooseEncoding, compress, SMALLEST_COMPRESSED } from "#http/response/content-coding.ts";
import { type GzipPieces, newGzipPieces } from "#http/response/gzip-pieces.ts";
import { COMMON_HEADERS, requestId } from "#http/response/headers.ts";
import type { LargeBodies } from "#http/response/large-bodies.ts";

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
  { text, ...about }: Answer,
): Promise<Response> {
  const headers = headersOf(request, simulated, about, text);
  if (isKnown(request.headers.get("if-none-match"), headers.get("ETag") ?? ""))
    return new Response(null, { status: 304, headers });
  headers.set("Content-Type", about.mime ?? JSON_MIME);
  if (request.method === "HEAD") return new Response(null, { headers });
  return encoded(request.headers.get("accept-encoding"), ENCODER.encode(text), headers);
}

export interface LargeAnswer extends Omit<Answer, "text"> {
  /** Equal for equal bodies, so that nothing has to be printed for a tag. */
  readonly identity: string;
  /** The body in pieces of 16 to 64 KB, null at the end; each is computed in a turn of its own. */
  readonly pieces: () => Uint8Array | null;
}

export interface LargeDeps {
  readonly simulated: boolean;
  readonly turns: ComputeTurns;
  readonly large: LargeBodies;
  readonly callerOf: (request: Request) => string;
}

/** As `answer`, for a body that may be large: one that is longer than a piece is made while it is read. */
export async function answerLarge(
  { simulated, turns, large, callerOf }: LargeDeps,
  request: Request,
  { identity, pieces, ...about }: LargeAnswer,
): Promise<Response> {
  const headers = headersOf(request, simulated, about, identity);
  if (isKnown(request.headers.get("if-none-match"), headers.get("ETag") ?? ""))
    return new Response(null, { status: 304, headers });
  headers.set("Content-Type", about.mime ?? JSON_MIME);
  if (request.method === "HEAD") return new Response(null, { headers });
  const caller = callerOf(request);
  const accepted = request.headers.get("accept-encoding");
  await turns.take(caller);
  const first = pieces();
  const second = first === null ? null : pieces();
  if (first === null || second === null) return encoded(accepted, first ?? new Uint8Array(), headers);
  const gzip = accepted !== null && takesGzip(accepted);
  if (gzip) headers.set("Content-Encoding", "gzip");
  const next = codedPieces([first, second], pieces, gzip ? newGzipPieces() : null);
  return new Response(large.computed(request, next), { headers });
}

/** What a computation of several steps gives, each step in its turn; see ComputeTurns. */
export function runSteps<T>(
  { turns, callerOf }: LargeDeps,
  request: Request,
  steps: Iterator<unknown, T>,
): Promise<T> {
  return turns.run(callerOf(request), request.signal, steps);
}

/** The pieces as they are sent, one a call, null at the end. */
function codedPieces(
  first: Uint8Array[],
  rest: () => Uint8Array | null,
  coder: GzipPieces | null,
): () => Uint8Array | null {
  let isOver = false;
  return () => {
    if (isOver) return null;
    const bytes = first.shift() ?? rest();
    if (bytes !== null) return coder === null ? bytes : coder.add(bytes);
    isOver = true;
    return coder === null ? null : coder.end();
  };
}

/** Gives page after page of rows; null at the end. */
export type Pages = () => readonly string[] | null;

/**
 * Pages of rows joined into pieces: what comes before them, between each two, and after them. Pieces are bytes and nothing is held
 * between two, because text that was put together keeps all its parts, and a reader may take its time.
 */
export function joined(
  before: string,
  pages: Pages,
  between: string,
  after: string,
): () => Uint8Array | null {
  let isBegun = false;
  let hasRows = false;
  let isOver = false;
  return () => {
    if (isOver) return null;
    let piece = isBegun ? "" : before;
    isBegun = true;
    while (piece.length < PIECE_CHARACTERS) {
      const rows = pages();
      isOver = rows === null;
      if (rows === null) return ENCODER.encode(piece + after);
      if (rows.length > 0) piece += (hasRows ? between : "") + rows.join(between);
      hasRows ||= rows.length > 0;
    }
    return ENCODER.encode(piece);
  };
}

const ENCODER = new TextEncoder();
const JSON_MIME = "application/json; charset=utf-8";
/** Small, because a reader that does not read holds one or two. */
const PIECE_CHARACTERS = 16 * 1024;

function headersOf(
  request: Request,
  simulated: boolean,
  { origin, maxAgeSeconds, unavailable = [] }: Omit<Answer, "text">,
  tagged: string,
): Headers {
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
  headers.set("ETag", `W/"${Bun.hash(tagged).toString(36)}"`);
  return headers;
}

/** Every client that takes another coding takes gzip too; one that does not gets the text as it is. */
function takesGzip(accepted: string): boolean {
  return chooseEncoding(accepted.replace(/\b(br|zstd)\b/gi, "other")) === "gzip";
}

async function encoded(accepted: string | null, bytes: Uint8Array, headers: Headers): Promise<Response> {
  const best = accepted === null || bytes.byteLength < SMALLEST_COMPRESSED ? null : chooseEncoding(accepted);
  const isSmall = bytes.byteLength <= LARGEST_IN_LINE;
  if (best === null || (!isSmall && !takesGzip(`${accepted}`)))
    return sized(new Response(new Uint8Array(bytes), { headers }), bytes.byteLength);
  headers.set("Content-Encoding", isSmall ? best : "gzip");
  const coded = isSmall ? compress(bytes, best) : new Uint8Array(await gzipAside(bytes, { level: 5 }));
  return sized(new Response(coded, { headers }), coded.byteLength);
}

function isKnown(header: string | null, etag: string): boolean {
  if (header === null) return false;
  return header.split(",").some((candidate) => ["*", etag, etag.slice(2)].includes(candidate.trim()));
}
