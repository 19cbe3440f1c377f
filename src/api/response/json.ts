/**
 * Encodes JSON bodies: exact digits, copied ready parts, and the position of the serving time. Sends answers that are
 * made for one request; ready.ts sends the frequent ones.
 */

import { RawJson, READY, SERVED_AT } from "#domain/net/message.ts";
import { formatInstant, type Instant } from "#domain/time/day.ts";
import type { Clock } from "#ports.ts";
import type { ComputeTurns } from "./compute-turns.ts";
import { etagOf } from "./conditions.ts";
import { isRealBody, REAL_MODE } from "./headers.ts";
import type { LargeBodies } from "./large-bodies.ts";
import { type AnswerFields, codedPayload, type RespondDeps, respond } from "./respond.ts";

/** Stands in an encoded body until the second of its answer is known: SERVED_AT differs from process to process. */
const NO_STAMP = new TextEncoder().encode("0000-00-00T00:00:00Z");
const READY_TEXT = JSON.stringify(READY);
const ENCODER = new TextEncoder();

/** A body in parts: text, and ready parts. */
export interface Parts {
  readonly parts: readonly (Uint8Array<ArrayBuffer> | RawJson)[];
  /** The sum of all parts, in bytes. */
  readonly length: number;
  /** Position of the 20 characters of the serving time, or -1. */
  readonly stampAt: number;
}

/** Prints a body with at most one SERVED_AT, and with ready parts only as its direct members. */
export function partsOf(body: object): Parts {
  const ready: RawJson[] = [];
  let printed: Record<string, unknown> = body as Record<string, unknown>;
  for (const name in body) {
    const member = printed[name];
    if (!(member instanceof RawJson)) continue;
    // A placeholder text, and no toJSON: JSON.stringify takes three times as long for a body that has one.
    if (ready.length === 0) printed = { ...body };
    printed[name] = READY;
    ready.push(member);
  }
  const parts: (Uint8Array<ArrayBuffer> | RawJson)[] = [];
  let length = 0;
  let stampAt = -1;
  const text = JSON.stringify(printed);
  for (const [nth, piece] of (ready.length === 0 ? [text] : text.split(READY_TEXT)).entries()) {
    if (nth > 0) {
      const before = ready[nth - 1] as RawJson;
      parts.push(before);
      for (const { byteLength } of before.parts) length += byteLength;
    }
    const bytes = ENCODER.encode(piece);
    const at = piece.indexOf(SERVED_AT);
    if (at >= 0) {
      stampAt = Buffer.byteLength(piece.slice(0, at));
      bytes.set(NO_STAMP, stampAt);
      stampAt += length;
    }
    parts.push(bytes);
    length += bytes.byteLength;
  }
  return { parts, length, stampAt };
}

/** Writes parts one after the other, from the beginning of `bytes`. */
export function join(parts: Iterable<Uint8Array>, bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  let end = 0;
  for (const part of parts) {
    bytes.set(part, end);
    end += part.byteLength;
  }
  return bytes;
}

export interface Encoded {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Position of the 20 characters of the serving time, or -1. */
  readonly stampAt: number;
}

/** Encodes a body, with room for the serving time. `take` allocates a body with ready parts: every byte is written. */
export function encodeBody(
  { parts, length, stampAt }: Parts,
  take: (length: number) => Uint8Array<ArrayBuffer> = Buffer.allocUnsafeSlow,
): Encoded {
  const [first] = parts;
  if (parts.length === 1 && first instanceof Uint8Array) return { bytes: first, stampAt };
  return {
    bytes: join(
      parts.flatMap((part) => (part instanceof RawJson ? part.parts : [part])),
      take(length),
    ),
    stampAt,
  };
}

/** The text of the newest second: many bodies are sent in one. */
let newest = { second: Number.NaN, text: new Uint8Array() };

/** Writes the serving time into a body, to the second. */
export function stamp({ bytes, stampAt }: Encoded, now: Instant): void {
  const second = Math.floor(now / 1000);
  if (newest.second !== second) newest = { second, text: ENCODER.encode(formatInstant(second * 1000)) };
  if (stampAt >= 0) bytes.set(newest.text, stampAt);
}

export interface JsonDeps extends RespondDeps {
  readonly clock: Clock;
}

/** Answers a body that no other request shares, such as a batch or a probe: caches never store it. */
export function respondJson(request: Request, deps: JsonDeps, body: object, status = 200): Response {
  const headers = status === 503 ? { "Retry-After": "5" } : {};
  return send(request, deps, body, encodeBody(partsOf(body)), { cacheControl: "no-store", status, headers });
}

/** Answers with a weak ETag over everything but the serving time; 304 when the caller has that content already. */
export function respondTagged(
  request: Request,
  deps: JsonDeps & { readonly large: LargeBodies },
  cacheControl: string,
  body: object,
): Response {
  const made = encodeBody(partsOf(body));
  const etag = etagOf(made.bytes);
  return send(request, deps, body, made, { cacheControl, etag, vary: "Accept, Accept-Encoding" });
}

function send(
  request: Request,
  deps: JsonDeps & { readonly large?: LargeBodies },
  body: object,
  made: Encoded,
  { headers, ...fields }: Omit<AnswerFields, "mime">,
): Response {
  const real = isRealBody(deps.simulated, body) ? REAL_MODE : {};
  const described = { ...fields, mime: "application/json", headers: { ...real, ...headers } };
  return respond(request, deps, described, () => {
    stamp(made, deps.clock.now());
    return codedPayload(request, made.bytes, deps.large);
  });
}

export interface TurnDeps extends JsonDeps {
  readonly large: LargeBodies;
  readonly turns: ComputeTurns;
}
