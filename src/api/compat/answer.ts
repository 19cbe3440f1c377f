/** Success answers of the compatible routes: the body of the other service, and our provenance in headers. */

import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { needsLength } from "#api/request/connection.ts";
import { isHead } from "#api/request/inner-request.ts";
import type { ComputeTurns } from "#api/response/compute-turns.ts";
import { etagOf } from "#api/response/conditions.ts";
import { encodingFor, type GzipPieces, newGzipPieces } from "#api/response/content-coding.ts";
import { cacheFor } from "#api/response/headers.ts";
import type { LargeBodies } from "#api/response/large-bodies.ts";
import type { RangedReads } from "#api/response/ranged-reads.ts";
import {
  codedPayload,
  isRanged,
  type Payload,
  partPayload,
  respond,
  respondText,
  taggedFor,
  unknownLength,
} from "#api/response/respond.ts";
import type { Dataset } from "#domain/dataset/dataset.ts";
import { type AsciiWriter, newAsciiWriter } from "#domain/text/ascii-writer.ts";

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

export interface AnswerDeps {
  readonly simulated: boolean;
  readonly dataset: () => Dataset | null;
  readonly turns: ComputeTurns;
  readonly large: LargeBodies;
  readonly reads: RangedReads;
  readonly callerOf: (request: Request) => string;
}

/** 200 with a weak ETag over the whole body, 304 when the caller has it already. */
export function answer(deps: AnswerDeps, request: Request, { text, ...about }: Answer): Response {
  return respondText(request, deps, fieldsOf(deps, about), text);
}

export interface LargeAnswer extends Omit<Answer, "text"> {
  /** Equal for equal bodies, so that nothing has to be printed for a tag. */
  readonly identity: string;
  /** The body in pieces of 16 to 64 KB, null at the end; each is computed in a separate turn. */
  readonly pieces: () => Uint8Array<ArrayBuffer> | null;
  /** A file of lines, which programs read by its URL: its length is always known, and parts of it can be had. */
  readonly isFile?: boolean;
}

/**
 * As `answer`, for a body that may be large: one that is longer than a piece is made while it is read. A file is made whole first where
 * its length is needed: for HEAD, for a part, and where the reader might not see that it was cut short.
 */
export async function answerLarge(
  deps: AnswerDeps,
  request: Request,
  { identity, pieces, isFile = false, ...about }: LargeAnswer,
): Promise<Response> {
  const { turns, callerOf } = deps;
  const isPart = isFile && isRanged(request);
  const isHeadOnly = isHead(request);
  const coding = isPart ? null : encodingFor(request.headers, Number.POSITIVE_INFINITY, ["gzip"]);
  const etag = etagOf(identity);
  const fields = { ...fieldsOf(deps, about), etag, vary: "Accept, Accept-Encoding" };
  const tagged = isFile ? { ...fields, ...taggedFor(coding, etag, fields) } : fields;
  return await respond(request, deps, tagged, async () => {
    if (isFile && coding === null && (isHeadOnly || isPart))
      return partOf(deps, request, tagged.etag, await runSteps(deps, request, whole(pieces)));
    if (isFile && !isHeadOnly && needsLength(request))
      return await wholeFile(deps, request, await runSteps(deps, request, whole(pieces)));
    const caller = callerOf(request);
    await turns.take(caller);
    const first = pieces();
    const second = first === null ? null : pieces();
    if (first === null || second === null) {
      const payload = codedPayload(request, first ?? new Uint8Array());
      return isHeadOnly ? { ...payload, body: null } : payload;
    }
    if (isHeadOnly) return { ...unknownLength(), encoding: coding };
    const next = codedPieces([first, second], pieces, coding === null ? null : newGzipPieces());
    const body = inTurns(() => turns.take(caller, "continues"), next);
    return { body, bytes: Number.NaN, encoding: coding };
  });
}

/** All pieces as one body, a piece a step. */
function* whole(pieces: LargeAnswer["pieces"]): Generator<undefined, Uint8Array<ArrayBuffer>> {
  const made: Uint8Array[] = [];
  for (let piece = pieces(); piece !== null; piece = pieces()) {
    made.push(piece);
    yield undefined;
  }
  return new Uint8Array(Buffer.concat(made));
}

function partOf(
  { reads, large }: AnswerDeps,
  request: Request,
  etag: string,
  file: Uint8Array<ArrayBuffer>,
): Payload {
  const size = file.byteLength;
  const part = reads.partOf(request, etag, size);
  if (part === "whole") return { body: large.own(request, file), bytes: size };
  return partPayload(large.own(request, file.slice(part.start, part.end)), part, size, {});
}

/** A file at once; in gzip, which every client takes that takes another coding, made by a thread. */
async function wholeFile(
  { large }: AnswerDeps,
  request: Request,
  file: Uint8Array<ArrayBuffer>,
): Promise<Payload> {
  const encoding = encodingFor(request.headers, file.byteLength, ["gzip"]);
  const sent = encoding === null ? file : new Uint8Array(await gzipAside(file, { level: 5 }));
  return { body: large.own(request, sent), bytes: sent.byteLength, encoding };
}

/** Pieces that are computed when the reader takes them, each in its turn. What `next` throws breaks the body off: no reader takes it for whole. */
function inTurns(turn: () => Promise<void>, next: () => Uint8Array | null): ReadableStream<Uint8Array> {
  let isLeft = false;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        await turn();
        if (isLeft) return;
        const piece = next();
        if (piece === null) controller.close();
        else controller.enqueue(piece);
      },
      cancel() {
        isLeft = true;
      },
    },
    // Nothing is made before the reader asks for it.
    { highWaterMark: 0 },
  );
}

/** What a computation of several steps gives, each step in its turn; see ComputeTurns. */
export function runSteps<T>(
  { turns, callerOf }: AnswerDeps,
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

/** Writes some of the rows that are left; false at the end. `begin` comes before each row. */
export type Rows = (writer: AsciiWriter, begin: () => void) => boolean;

export interface Frame {
  readonly before: string;
  /** Between two rows. */
  readonly between: string;
  readonly after: string;
}

/**
 * Rows and their frame in pieces, which are made while they are asked for. All ASCII but for `before`. Nothing is held between two,
 * because a reader may take its time.
 */
export function joined({ before, between, after }: Frame, rows: Rows): () => Uint8Array<ArrayBuffer> | null {
  let isBegun = false;
  let hasRows = false;
  let isOver = false;
  const begin = () => {
    if (hasRows) scratch.text(between);
    hasRows = true;
  };
  return () => {
    if (isOver) return null;
    // A piece that could not be made left something there.
    scratch.take();
    if (!isBegun) scratch.bytes(ENCODER.encode(before));
    isBegun = true;
    while (!isOver && scratch.length < PIECE_BYTES) isOver = !rows(scratch, begin);
    if (isOver) scratch.text(after);
    return scratch.take();
  };
}

/** Shared by all answers: a piece is made without a break. */
const scratch = newAsciiWriter();
const ENCODER = new TextEncoder();
const JSON_MIME = "application/json; charset=utf-8";
/** Small, because a reader that does not read holds one or two. */
const PIECE_BYTES = 16 * 1024;

const EXPOSED = "X-Source, X-Data-Updated-At, X-Unavailable-Symbols";

function fieldsOf(
  { dataset }: AnswerDeps,
  { mime = JSON_MIME, origin, maxAgeSeconds, unavailable = [] }: Omit<Answer, "text">,
) {
  // What is left out because it was never collected may be there any moment.
  const isIncomplete = dataset()?.pending !== undefined;
  const lifetime = maxAgeSeconds === 0 ? "no-store" : cacheFor(maxAgeSeconds);
  return {
    mime,
    cacheControl: isIncomplete ? "no-cache" : lifetime,
    exposed: EXPOSED,
    headers: {
      ...(origin.source === null ? {} : { "X-Source": origin.source }),
      ...(origin.dataUpdatedAt === null ? {} : { "X-Data-Updated-At": origin.dataUpdatedAt }),
      ...(unavailable.length === 0 ? {} : { "X-Unavailable-Symbols": unavailable.join(",") }),
    },
  };
}
