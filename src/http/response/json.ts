/** JSON answers that are made for one request: estimates, bars. What is asked for often goes through reply.ts. */

import { sized } from "#http/request/count-request.ts";
import { COMMON_HEADERS, requestId } from "./headers.ts";
import type { LargeBodies } from "./large-bodies.ts";

const ENCODER = new TextEncoder();

/** 200 with a weak ETag over everything but the serving time, or 304 when the caller has it already. */
export function json(
  request: Request,
  { simulated, large }: { readonly simulated: boolean; readonly large: LargeBodies },
  cacheControl: string,
  body: object,
): Response {
  const text = JSON.stringify(body);
  const headers = new Headers(COMMON_HEADERS);
  headers.set("Cache-Control", cacheControl);
  const content = JSON.stringify({ ...body, timestamp: undefined });
  headers.set("ETag", `W/"${Bun.hash(content).toString(36)}"`);
  headers.set("Vary", "Accept");
  headers.set("X-Request-Id", requestId(request.headers));
  if (simulated) headers.set("X-Data-Mode", "simulated");
  if (request.headers.get("if-none-match") === headers.get("ETag")) {
    return new Response(null, { status: 304, headers });
  }
  headers.set("Content-Type", "application/json");
  if (request.method === "HEAD") return new Response(null, { headers });
  const bytes = ENCODER.encode(text);
  return sized(new Response(large.own(request, bytes), { headers }), bytes.byteLength);
}
