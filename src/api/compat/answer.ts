/** Success answers of the compatible routes: the other service's body, and our provenance in headers. */

import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { isHead } from "#api/request/inner-request.ts";
import type { ComputeTurns } from "#api/response/compute-turns.ts";
import { etagOf, needsLength, type RangedReads } from "#api/response/conditions.ts";
import { cacheFor, modeOf } from "#api/response/headers.ts";
import type { LargeBodies } from "#api/response/large-bodies.ts";
import type { Encoding } from "#api/response/negotiation.ts";
import {
  encodingFor,
  type GzipPieces,
  newGzipPieces,
  SMALLEST_COMPRESSED,
} from "#api/response/negotiation.ts";
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
import type { Dataset, Simulated } from "#domain/dataset/dataset.ts";

const gzipAside = promisify(gzip);

export interface Origin {
  /** The least fresh contributing source. */
  readonly source: string | null;
  /** Time of the oldest contributing observation, ISO 8601; null without an observation. */
  readonly dataUpdatedAt: string | null;
  /** Which of its rates are simulated; absent where it has no rates. */
  readonly simulated?: Simulated;
}

export const NO_ORIGIN: Origin = { source: null, dataUpdatedAt: null };

export interface Answer {
  readonly text: string;
  /** application/json by default. */
  readonly mime?: string;
  readonly origin: Origin;
  /** With 0 the answer is never stored. */
  readonly maxAgeSeconds: number;
  /** Requested currencies that are not in the catalog, and so not in the body. */
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

/** Answers 200 with a weak ETag over the whole body, or 304 when the caller has it already. */
export function answer(deps: AnswerDeps, request: Request, { text, ...about }: Answer): Response {
  return respondText(request, deps, fieldsOf(deps, about), text);
}

export interface Frame {
  readonly before: string;
  readonly between: string;
  readonly after: string;
}

/** Returns the next rows, null at the end; each call is a step of a few milliseconds. */
export type Rows = () => readonly string[] | null;

export interface LargeAnswer extends Omit<Answer, "text"> {
  /** Equal for equal bodies: the tag needs no printing. */
  readonly identity: string;
  readonly frame: Frame;
  readonly rows: Rows;
  /** A file of lines, which programs read by its URL: it always has a length, and can be sent in parts. */
  readonly isFile?: boolean;
}

/**
 * Answers as `answer`, for a body that may be large: one longer than a piece is made while it is read. A file is first
 * made whole when its length is needed: for HEAD, for a part, and when the reader might not see that it was cut short.
 */
export async function answerLarge(
  deps: AnswerDeps,
  request: Request,
  { identity, frame, rows, isFile = false, ...about }: LargeAnswer,
): Promise<Response> {
  const { turns, callerOf } = deps;
  const isHeadOnly = isHead(request);
  const isPart = isFile && isRanged(request);
  const coding = isPart ? null : encodingFor(request.headers, Number.POSITIVE_INFINITY, ["gzip"]);
  const etag = etagOf(identity);
  const fields = { ...fieldsOf(deps, about), etag, vary: "Accept, Accept-Encoding" };
  const tagged = isFile ? { ...fields, ...taggedFor(coding, etag, fields) } : fields;
  const pieces = piecesOf(frame, rows);
  return await respond(request, deps, tagged, async () => {
    const needsWhole = isHeadOnly ? coding === null : isPart || needsLength(request);
    if (isFile && needsWhole) return await wholeFile(deps, request, tagged.etag, coding, pieces);
    const caller = callerOf(request);
    await turns.take(caller);
    const first = pieces();
    const second = first === null ? null : pieces();
    if (first === null || second === null) {
      const payload = codedPayload(request, first ?? new Uint8Array());
      return isHeadOnly ? { ...payload, body: null } : payload;
    }
    if (isHeadOnly) return { ...unknownLength(), encoding: coding };
    const begun = [first, second];
    const next = codedPieces(() => begun.shift() ?? pieces(), coding === null ? null : newGzipPieces());
    const body = inTurns(() => turns.take(caller, "continues"), next);
    return { body, bytes: Number.NaN, encoding: coding };
  });
}

/** Sends a file or the requested part; a thread compresses it with gzip, which every client with a coding accepts. */
async function wholeFile(
  deps: AnswerDeps,
  request: Request,
  etag: string,
  coding: Encoding | null,
  pieces: () => Uint8Array | null,
): Promise<Payload> {
  const { large, reads } = deps;
  const file = await runSteps(deps, request, whole(pieces));
  const size = file.byteLength;
  if (coding !== null && size >= SMALLEST_COMPRESSED) {
    const sent = new Uint8Array(await gzipAside(file, { level: 5 }));
    return { body: large.own(request, sent), bytes: sent.byteLength, encoding: coding };
  }
  const part = reads.partOf(request, etag, size);
  if (part === "whole") return { body: large.own(request, file), bytes: size };
  return partPayload(large.own(request, file.slice(part.start, part.end)), part, size, {});
}

/** Joins all pieces into one body, a piece per step. */
function* whole(pieces: () => Uint8Array | null): Generator<undefined, Uint8Array<ArrayBuffer>> {
  const made: Uint8Array[] = [];
  for (let piece = pieces(); piece !== null; piece = pieces()) {
    made.push(piece);
    yield undefined;
  }
  return new Uint8Array(Buffer.concat(made));
}

/** Computes each piece when the reader takes it, in its turn. What `next` throws breaks the body off: no reader takes it for complete. */
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

/** Runs a computation of several steps, each in its turn; see ComputeTurns. */
export function runSteps<T>(
  { turns, callerOf }: Pick<AnswerDeps, "turns" | "callerOf">,
  request: Request,
  steps: Iterator<unknown, T>,
): Promise<T> {
  return turns.run(callerOf(request), request.signal, steps);
}

/** Returns rows and their frame in pieces, null at the end. Nothing is kept between two, because readers may be slow. */
function piecesOf({ before, between, after }: Frame, rows: Rows): () => Uint8Array<ArrayBuffer> | null {
  let text = before;
  let hasRows = false;
  let isOver = false;
  return () => {
    if (isOver) return null;
    while (!isOver && text.length < PIECE_CHARACTERS) {
      const next = rows();
      isOver = next === null;
      if (next === null) text += after;
      else if (next.length > 0) {
        text += `${hasRows ? between : ""}${next.join(between)}`;
        hasRows = true;
      }
    }
    const piece = ENCODER.encode(text);
    text = "";
    return piece;
  };
}

/** Returns the pieces as sent, one per call, null at the end. */
function codedPieces(pieces: () => Uint8Array | null, coder: GzipPieces | null): () => Uint8Array | null {
  if (coder === null) return pieces;
  let isOver = false;
  return () => {
    if (isOver) return null;
    const piece = pieces();
    isOver = piece === null;
    return piece === null ? coder.end() : coder.add(piece);
  };
}

const ENCODER = new TextEncoder();
const JSON_MIME = "application/json; charset=utf-8";
/** Small, because a slow reader keeps one or two pieces in memory. */
const PIECE_CHARACTERS = 16 * 1024;

function fieldsOf(
  { dataset }: AnswerDeps,
  { mime = JSON_MIME, origin, maxAgeSeconds, unavailable = [] }: Omit<Answer, "text">,
) {
  // Data that was never collected may arrive at any moment.
  const isIncomplete = dataset()?.pending !== undefined;
  const lifetime = maxAgeSeconds === 0 ? "no-store" : cacheFor(maxAgeSeconds);
  return {
    mime,
    cacheControl: isIncomplete ? "no-cache" : lifetime,
    headers: {
      ...(origin.simulated === undefined ? {} : modeOf(origin.simulated)),
      ...(origin.source === null ? {} : { "X-Source": origin.source }),
      ...(origin.dataUpdatedAt === null ? {} : { "X-Data-Updated-At": origin.dataUpdatedAt }),
      ...(unavailable.length === 0 ? {} : { "X-Unavailable-Symbols": unavailable.join(",") }),
    },
  };
}
