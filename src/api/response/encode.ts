/** Encodes bodies as JSON bytes: exact digits, ready-made parts copied in, and the position of the serving time. */

import { Digits, RawJson, SERVED_AT } from "#domain/net/message.ts";
import { formatInstant } from "#domain/time/day.ts";

/** A body cut at the places that are not plain text. */
export type Pieces = readonly (string | typeof SERVED_AT | RawJson)[];

/** A string no JSON text can contain: control characters are always escaped. */
const HOLE = "\u0000";

/** Encodes a body that holds SERVED_AT at most once. */
export function encodePieces(body: unknown): Pieces {
  const holes: (typeof SERVED_AT | RawJson)[] = [];
  const texts = encode(body, holes).split(HOLE);
  return texts.flatMap((text, index) => {
    const hole = holes[index];
    return hole === undefined ? [text] : [text, hole];
  });
}

/** Placeholder of the serving time, of the same length without the quotes. */
const NO_STAMP = "0000-00-00T00:00:00Z";
const ENCODER = new TextEncoder();

/** The characters of the serving time. */
export function servedAtBytes(second: number): Uint8Array<ArrayBuffer> {
  return ENCODER.encode(formatInstant(second * 1000));
}

/** Most bytes that the pieces can take. */
export function roomFor(pieces: Pieces): number {
  let room = 0;
  for (const piece of pieces) {
    if (typeof piece === "string") room += piece.length * 3;
    else if (piece instanceof RawJson) for (const part of piece.parts) room += part.byteLength;
    else room += NO_STAMP.length + 2;
  }
  return room;
}

/** Writes the pieces; `stampAt` is where the serving time's characters are to be written, -1 where there is none. */
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

/** A text that is its own JSON, but for the quotes. */
const PLAIN = /^[\w :.,/-]*$/;

function encode(value: unknown, holes: (typeof SERVED_AT | RawJson)[]): string {
  if (typeof value === "string") return PLAIN.test(value) ? `"${value}"` : JSON.stringify(value);
  if (value instanceof Digits) return value.text;
  if (value === SERVED_AT || value instanceof RawJson) {
    holes.push(value as typeof SERVED_AT | RawJson);
    return HOLE;
  }
  if (Array.isArray(value)) return `[${value.map((item) => encode(item, holes)).join(",")}]`;
  if (typeof value === "object" && value !== null) {
    const members: string[] = [];
    for (const name of Object.keys(value)) {
      const member = (value as Record<string, unknown>)[name];
      if (member !== undefined) members.push(`${label(name)}${encode(member, holes)}`);
    }
    return `{${members.join(",")}}`;
  }
  return JSON.stringify(value);
}

/** Member names come from the product itself, so there are few of them. */
const labels = new Map<string, string>();

function label(name: string): string {
  let text = labels.get(name);
  if (text === undefined) {
    text = `${JSON.stringify(name)}:`;
    labels.set(name, text);
  }
  return text;
}
