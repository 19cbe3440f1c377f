/**
 * Sends bodies of more than 64 KB, from memory, from a file or as they are made. While few large answers are under way, each is given to the server whole, with its length. While
 * many are, each is sent in pieces: the next piece follows when the reader has taken the one before and its turn has come. A crowd
 * of readers, slow or fast, therefore does not delay short requests.
 */

import { type FileHandle, open } from "node:fs/promises";
import { needsLength } from "#api/request/connection.ts";
import { Failure } from "#domain/faults/errors.ts";
import type { ComputeTurns } from "./compute-turns.ts";
import type { Part } from "./conditions.ts";
import { type AnswersUnderWay, SMALLEST_LARGE } from "./under-way.ts";

export interface LargeBodies {
  /** Bytes of this answer, which may be written over after the call. Failure `service_unavailable` while such bytes of other answers fill their bound. */
  own(request: Request, bytes: Uint8Array<ArrayBuffer>): BodyInit;
  /**
   * The same for bytes that are never sent in pieces, because their length has to be announced. They are held until they are taken, so while many large answers are
   * under way they are refused: failure `service_unavailable`.
   */
  whole(bytes: Uint8Array<ArrayBuffer>): BodyInit;
  /** A part of a file, or all of it; its reader holds a piece of it at the most. */
  file(request: Request, path: string, part: Part): BodyInit;
  /** A stream of pieces. */
  streamed(request: Request, stream: ReadableStream<Uint8Array>): ReadableStream<Uint8Array>;
  /** Pieces that are computed in their turn. */
  computed(request: Request, next: () => Uint8Array | null): ReadableStream<Uint8Array>;
  /** Bytes that answers under way hold for themselves, as far as they are sent a piece at a time. */
  heldBytes(): number;
}

/** Large answers under way from which on they are sent a piece at a time. */
const CROWD = 16;
const PIECE_BYTES = 32 * 1024;
/**
 * Until a reader has taken so much, its pieces are sent in parts. One that takes nothing is stuck with what the system does not hold for
 * it: a part in place of a piece, which the server copies into a buffer of twice the size.
 */
const OPENING_BYTES = 256 * 1024;
const PART_BYTES = 8 * 1024;
/** The runtime has the system send what is larger; of what is not it copies up to 200 KB for each reader. */
export const SENT_BY_SYSTEM_BYTES = 1024 * 1024;
/** Bytes that all answers may hold for themselves. */
const MOST_HELD_BYTES = 48 * 1024 * 1024;
/** Where there is no more room, readers that have taken nothing for so long are cut off, the longest first. */
const BLOCKED_MILLISECONDS = 2_000;
const RETRY_AFTER_SECONDS = 2;

interface Held {
  readonly bytes: number;
  takenAt: number;
  readonly cutOff: () => void;
}

export interface LargeBodiesOptions {
  readonly underWay: Pick<AnswersUnderWay, "count">;
  readonly turns: ComputeTurns;
  readonly callerOf: (request: Request) => string;
  /** Milliseconds of a clock that only goes forward. */
  readonly monotonic?: () => number;
}

export function openLargeBodies({
  underWay,
  turns,
  callerOf,
  monotonic = performance.now.bind(performance),
}: LargeBodiesOptions): LargeBodies {
  /** In the order in which they were last taken from. */
  const held = new Set<Held>();
  let heldBytes = 0;

  const letGo = (one: Held) => {
    if (held.delete(one)) heldBytes -= one.bytes;
  };
  const makeRoom = (bytes: number) => {
    const blockedSince = monotonic() - BLOCKED_MILLISECONDS;
    for (const one of held) {
      if (heldBytes + bytes <= MOST_HELD_BYTES || one.takenAt > blockedSince) break;
      letGo(one);
      one.cutOff();
    }
    if (heldBytes + bytes <= MOST_HELD_BYTES) return;
    throw full();
  };
  const isCrowded = () => underWay.count() >= CROWD;

  /**
   * `next` gets the number of bytes that are wanted, and may give more; it gives null at the end. What it throws breaks the body off, so
   * that no reader takes it for whole.
   */
  const paced = (
    request: Request,
    next: (most: number) => Uint8Array | null | Promise<Uint8Array | null>,
    events: { taken?: () => void; gone?: () => void } = {},
  ) => {
    const caller = callerOf(request);
    let isGone = false;
    let sentBytes = 0;
    /** What of a piece was not sent yet. */
    let rest: Uint8Array | null = null;
    let own: ReadableStreamDefaultController<Uint8Array> | undefined;
    const nextPart = async () => {
      const most = sentBytes < OPENING_BYTES ? PART_BYTES : PIECE_BYTES;
      const piece: Uint8Array | null = rest ?? (await next(most));
      if (piece === null) return null;
      const isOpening = most === PART_BYTES && piece.byteLength > most;
      const part = isOpening ? piece.subarray(0, most) : piece;
      rest = isOpening ? piece.subarray(most) : null;
      sentBytes += part.byteLength;
      return part;
    };
    const leave = () => {
      isGone = true;
      events.gone?.();
    };
    const stream = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          own = controller;
        },
        async pull(controller) {
          await turns.take(caller, "continues");
          if (isGone) return;
          try {
            const piece = await nextPart();
            if (isGone) return;
            events.taken?.();
            if (piece !== null) {
              controller.enqueue(piece);
              return;
            }
            leave();
            controller.close();
          } catch (fault) {
            leave();
            throw fault;
          }
        },
        cancel: leave,
      },
      // Nothing is made before the reader asks for it.
      { highWaterMark: 0 },
    );
    const cutOff = () => {
      isGone = true;
      own?.error(new DOMException("the reader took nothing for too long", "AbortError"));
    };
    return { stream, cutOff };
  };

  return {
    own: (request, bytes) => {
      if (bytes.byteLength <= SMALLEST_LARGE || !isCrowded()) return bytes;
      makeRoom(bytes.byteLength);
      const own = bytes.slice();
      let at = 0;
      const next = (most: number) => {
        if (at >= own.byteLength) return null;
        const from = at;
        at += most;
        return own.subarray(from, at);
      };
      const taken = () => {
        held.delete(one);
        one.takenAt = monotonic();
        held.add(one);
      };
      const { stream, cutOff } = paced(request, next, { taken, gone: () => letGo(one) });
      const one: Held = { bytes: bytes.byteLength, takenAt: monotonic(), cutOff };
      held.add(one);
      heldBytes += one.bytes;
      return stream;
    },
    whole: (bytes) => {
      if (bytes.byteLength > SMALLEST_LARGE && isCrowded()) throw full();
      return bytes;
    },
    file: (request, path, { start, end }) => {
      const bytes = end - start;
      // Of what is sent at once the server copies little, and only so does it announce the length.
      const isPaced =
        bytes > SMALLEST_LARGE && bytes <= SENT_BY_SYSTEM_BYTES && isCrowded() && !needsLength(request);
      if (!isPaced) return Bun.file(path).slice(start, end);
      let at = start;
      /** Opened with the first piece, and once: another file under the name is none of this answer. */
      let file: FileHandle | null = null;
      const next = async (most: number) => {
        if (at >= end) return null;
        file ??= await open(path);
        const { buffer, bytesRead } = await file.read(new Uint8Array(Math.min(most, end - at)), 0, null, at);
        if (bytesRead === 0) throw new Error(`${path} is shorter than it was`);
        at += bytesRead;
        return buffer.subarray(0, bytesRead);
      };
      // A piece that is being read is waited for.
      const gone = () => void file?.close();
      return paced(request, next, { gone }).stream;
    },
    streamed: (request, stream) => {
      if (!isCrowded()) return stream;
      const reader = stream.getReader();
      const next = async () => (await reader.read()).value ?? null;
      const gone = () => {
        // A stream that was read to its end, or broke off, has nothing to cancel.
        reader.cancel().catch(() => {});
      };
      return paced(request, next, { gone }).stream;
    },
    computed: (request, next) => paced(request, next).stream,
    heldBytes: () => heldBytes,
  };
}

function full(): Failure {
  return new Failure("service_unavailable", {
    reason: `too many large answers are waiting for their readers; try again in ${RETRY_AFTER_SECONDS} seconds`,
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}
