/** Answers that no other request shares, such as batches and probes: made, sent and forgotten. */

import { sized } from "#http/request/count-request.ts";
import type { Clock } from "#ports.ts";
import { chooseEncoding, compress, SMALLEST_COMPRESSED } from "./content-coding.ts";
import { assemble, encodePieces, roomFor } from "./encode.ts";
import { COMMON_HEADERS, requestId } from "./headers.ts";
import { stampBytes } from "./ready-body.ts";

/** Never stored by caches. */
export function sendOnce(
  request: Request,
  deps: { readonly clock: Clock; readonly simulated: boolean },
  body: object,
  status = 200,
): Response {
  const pieces = encodePieces(body);
  const room = new Uint8Array(roomFor(pieces));
  const { length, stampAt } = assemble(pieces, room);
  const bytes = room.subarray(0, length);
  if (stampAt >= 0) bytes.set(stampBytes(Math.floor(deps.clock.now() / 1000)), stampAt);
  const headers = new Headers(COMMON_HEADERS);
  headers.set("Content-Type", "application/json");
  headers.set("Cache-Control", "no-store");
  headers.set("X-Request-Id", requestId(request.headers));
  if (deps.simulated) headers.set("X-Data-Mode", "simulated");
  if (status === 503) headers.set("Retry-After", "5");
  const encoding =
    length < SMALLEST_COMPRESSED ? null : chooseEncoding(request.headers.get("accept-encoding") ?? "");
  if (encoding === null) return sized(new Response(bytes, { status, headers }), length);
  headers.set("Content-Encoding", encoding);
  headers.set("Vary", "Accept-Encoding");
  const coded = compress(bytes, encoding);
  return sized(new Response(coded, { status, headers }), coded.byteLength);
}
