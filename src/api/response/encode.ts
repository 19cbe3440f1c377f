/** Encodes bodies as JSON bytes: exact digits, ready parts copied in, and the position of the serving time. */

import { FILLED_IN_LATER, RawJson, SERVED_AT } from "#domain/net/message.ts";
import { formatInstant } from "#domain/time/day.ts";

/** A body cut at the places that are not plain text. */
export type Pieces = readonly (string | typeof SERVED_AT | RawJson)[];

/** Encodes a body with at most one SERVED_AT, and with ready parts only as its direct members. */
export function encodePieces(body: object): Pieces {
  const ready = Object.values(body).filter((member) => member instanceof RawJson);
  return JSON.stringify(body)
    .split(FILLED_IN_LATER)
    .map((piece, nth) => {
      if (nth % 2 === 0) return piece;
      return piece === SERVED_AT.rawJSON ? SERVED_AT : (ready.shift() as RawJson);
    });
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
    else if (piece instanceof RawJson) for (const part of piece.parts) room += part.byteLength;
    else room += NO_STAMP.length + 2;
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
    if (typeof piece === "string") at += ENCODER.encodeInto(piece, target.subarray(at)).written;
    else if (piece instanceof RawJson) {
      for (const part of piece.parts) {
        target.set(part, at);
        at += part.byteLength;
      }
    } else {
      stampAt = at + 1;
      at += ENCODER.encodeInto(`"${NO_STAMP}"`, target.subarray(at)).written;
    }
  }
  return { length: at, stampAt };
}
