/** Sends a body that is ready but for the second in which it is served: ETag, 304, compression. */

import { formatInstant, type Instant } from "#domain/time/day.ts";
import { sized } from "#http/request/count-request.ts";
import type { CodedBody } from "./coded-bodies.ts";
import { chooseEncoding, SMALLEST_COMPRESSED } from "./content-coding.ts";
import type { LargeBodies } from "./large-bodies.ts";

export interface ReadyBody {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Where the 20 characters of the serving time stand in `bytes`; -1 for a body without one. */
  readonly stampAt: number;
  readonly etag: string;
  /** The second that is written in `bytes` now. */
  second: number;
}

const ENCODER = new TextEncoder();

/** `headers` are those of the plain body. */
export function sendReady(
  { codedBody, large }: { readonly codedBody: CodedBody; readonly large: LargeBodies },
  request: Request,
  ready: ReadyBody,
  headers: Headers,
  now: Instant,
): Response {
  const known = request.headers.get("if-none-match");
  if (known !== null && matches(known, ready.etag)) return notModified(headers);
  const second = Math.floor(now / 1000);
  if (ready.second !== second) stamp(ready, second);
  const accepted = request.headers.get("accept-encoding");
  const small = ready.bytes.byteLength < SMALLEST_COMPRESSED;
  const encoding = accepted === null || small ? null : chooseEncoding(accepted);
  const { byteLength } = ready.bytes;
  if (encoding === null) {
    return sized(new Response(large.own(request, ready.bytes), { headers }), byteLength);
  }
  const body = codedBody(ready, encoding, second);
  const encodedHeaders = new Headers(headers);
  encodedHeaders.set("Content-Encoding", encoding);
  return sized(new Response(large.own(request, body), { headers: encodedHeaders }), body.byteLength);
}

/** Writes the serving second into the body: a Response made earlier has its own copy. */
function stamp(ready: ReadyBody, second: number): void {
  ready.second = second;
  if (ready.stampAt < 0) return;
  ready.bytes.set(stampBytes(second), ready.stampAt);
}

/** The characters of a second, which all answers of that second share. */
export function stampBytes(second: number): Uint8Array {
  if (lastStamp.second !== second)
    lastStamp = { second, bytes: ENCODER.encode(formatInstant(second * 1000)) };
  return lastStamp.bytes;
}

let lastStamp = { second: Number.NaN, bytes: new Uint8Array(0) };

function notModified(headers: Headers): Response {
  const bare = new Headers(headers);
  bare.delete("Content-Type");
  return new Response(null, { status: 304, headers: bare });
}

/** If-None-Match by weak comparison (RFC 9110 §13.1.2). */
function matches(header: string, etag: string): boolean {
  if (header === etag || header.trim() === "*") return true;
  const opaque = etag.slice(2);
  return header.split(",").some((candidate) => candidate.trim().replace(/^W\//, "") === opaque);
}
