/** Answers about official publications: read for one request, tagged by their content, and asked about again before they are used again. */

import { sized } from "#http/request/count-request.ts";
import { judgeConditions } from "#http/response/byte-range.ts";
import { chooseEncoding, compress, SMALLEST_COMPRESSED } from "#http/response/content-coding.ts";
import { assemble, encodePieces, roomFor } from "#http/response/encode.ts";
import { COMMON_HEADERS, requestId } from "#http/response/headers.ts";
import type { LargeBodies } from "#http/response/large-bodies.ts";
import { stampBytes } from "#http/response/ready-body.ts";
import type { Clock } from "#ports.ts";

export interface AnswerDeps {
  readonly clock: Clock;
  /** Sent with every answer of the demo. */
  readonly simulated: boolean;
  readonly large: LargeBodies;
}

/** A webhook may just have told of what is asked for: no cache may answer with what it has without asking. */
export const ALWAYS_ASKED = "public, no-cache";

/** 200 with a weak ETag over everything but the serving time, or 304 when the caller has it already. */
export function sendTagged(
  request: Request,
  { clock, simulated, large }: AnswerDeps,
  body: object,
  cacheControl: string,
): Response {
  const pieces = encodePieces(body);
  const room = new Uint8Array(roomFor(pieces));
  const { length, stampAt } = assemble(pieces, room);
  const bytes = room.subarray(0, length);
  const etag = `W/"${Bun.hash(bytes).toString(36)}"`;
  const headers = new Headers(COMMON_HEADERS);
  headers.set("Cache-Control", cacheControl);
  headers.set("ETag", etag);
  headers.set("Vary", "Accept, Accept-Encoding");
  headers.set("X-Request-Id", requestId(request.headers));
  if (simulated) headers.set("X-Data-Mode", "simulated");
  const opaque = etag.slice(2);
  if (judgeConditions(request.headers, opaque) === "unmodified")
    return new Response(null, { status: 304, headers });
  headers.set("Content-Type", "application/json");
  if (stampAt >= 0) bytes.set(stampBytes(Math.floor(clock.now() / 1000)), stampAt);
  const accepted = request.headers.get("accept-encoding");
  const encoding = accepted === null || length < SMALLEST_COMPRESSED ? null : chooseEncoding(accepted);
  if (encoding === null) return sized(new Response(large.own(request, bytes), { headers }), length);
  headers.set("Content-Encoding", encoding);
  const coded = compress(bytes, encoding);
  return sized(new Response(large.own(request, coded), { headers }), coded.byteLength);
}
