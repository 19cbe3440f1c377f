/**
 * JSON answers: bodies as bytes with exact digits, ready parts copied in, and the position of the serving time; and
 * answers that are made for one request. ready.ts makes the frequent ones.
 */

import { FILLED_IN_LATER, RawJson, SERVED_AT } from "#domain/net/message.ts";
import { formatInstant } from "#domain/time/day.ts";
import type { Clock } from "#ports.ts";
import type { ComputeTurns } from "./compute-turns.ts";
import { etagOf } from "./conditions.ts";
import { isRealBody, REAL_MODE } from "./headers.ts";
import type { LargeBodies } from "./large-bodies.ts";
import { codedPayload, type RespondDeps, respond } from "./respond.ts";

/** A body cut at the places that are not plain text. */
export type Pieces = readonly (string | RawJson)[];

/** Encodes a body with at most one SERVED_AT, and with ready parts only as its direct members. */
export function encodePieces(body: object): Pieces {
  const ready = Object.values(body).filter((member) => member instanceof RawJson);
  return JSON.stringify(body)
    .split(FILLED_IN_LATER)
    .map((piece, nth) => (nth % 2 === 0 || piece === SERVED_AT ? piece : (ready.shift() as RawJson)));
}

/** The placeholder of the serving time, of the same length without the quotes. */
const NO_STAMP = "0000-00-00T00:00:00Z";
const ENCODER = new TextEncoder();

export function servedAtBytes(second: number): Uint8Array<ArrayBuffer> {
  return ENCODER.encode(formatInstant(second * 1000));
}

/** Returns the largest size of the pieces in bytes. */
export function roomFor(pieces: Pieces): number {
  let room = 0;
  for (const piece of pieces) {
    if (typeof piece === "string") room += piece.length * 3;
    else for (const part of piece.parts) room += part.byteLength;
  }
  return room;
}

/** Writes the pieces; `stampAt` is the position of the serving time's characters, or -1. */
export function assemble(
  pieces: Pieces,
  target: Uint8Array,
): { readonly length: number; readonly stampAt: number } {
  let at = 0;
  let stampAt = -1;
  for (const piece of pieces) {
    if (piece === SERVED_AT) {
      stampAt = at + 1;
      at += ENCODER.encodeInto(`"${NO_STAMP}"`, target.subarray(at)).written;
    } else if (typeof piece === "string") at += ENCODER.encodeInto(piece, target.subarray(at)).written;
    else {
      for (const part of piece.parts) {
        target.set(part, at);
        at += part.byteLength;
      }
    }
  }
  return { length: at, stampAt };
}

export interface JsonDeps extends RespondDeps {
  readonly clock: Clock;
}

/** Answers a body that no other request shares, such as a batch or a probe: caches never store it. */
export function respondJson(request: Request, deps: JsonDeps, body: object, status = 200): Response {
  const { bytes, stampAt } = printed(body);
  const fields = { mime: "application/json", cacheControl: "no-store", status };
  const headers = {
    ...(isRealBody(deps.simulated, body) ? REAL_MODE : {}),
    ...(status === 503 ? { "Retry-After": "5" } : {}),
  };
  return respond(request, deps, { ...fields, headers }, () => {
    stamp(bytes, stampAt, deps.clock);
    return codedPayload(request, bytes);
  });
}

/** Answers with a weak ETag over everything but the serving time; 304 when the caller has that content already. */
export function respondTagged(
  request: Request,
  deps: JsonDeps & { readonly large: LargeBodies },
  cacheControl: string,
  body: object,
): Response {
  const { bytes, stampAt } = printed(body);
  const vary = "Accept, Accept-Encoding";
  const headers = isRealBody(deps.simulated, body) ? REAL_MODE : {};
  const fields = { mime: "application/json", cacheControl, vary, etag: etagOf(bytes), headers };
  return respond(request, deps, fields, () => {
    stamp(bytes, stampAt, deps.clock);
    return codedPayload(request, bytes, deps.large);
  });
}

export interface TurnDeps extends JsonDeps {
  readonly large: LargeBodies;
  readonly turns: ComputeTurns;
  readonly callerOf: (request: Request) => string;
}

/** Makes a body that takes long in its turn among all callers. Fails with `service_unavailable`. */
export function respondInTurn(
  request: Request,
  deps: TurnDeps,
  cacheControl: string,
  make: () => Promise<object>,
): Promise<Response> {
  return deps.turns.slot(deps.callerOf(request), async () =>
    respondTagged(request, deps, cacheControl, await make()),
  );
}

function printed(body: object): { readonly bytes: Uint8Array<ArrayBuffer>; readonly stampAt: number } {
  const pieces = encodePieces(body);
  const room = new Uint8Array(roomFor(pieces));
  const { length, stampAt } = assemble(pieces, room);
  return { bytes: room.subarray(0, length), stampAt };
}

function stamp(bytes: Uint8Array, stampAt: number, clock: Clock): void {
  if (stampAt >= 0) bytes.set(servedAtBytes(Math.floor(clock.now() / 1000)), stampAt);
}
