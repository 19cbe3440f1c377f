/** Reports an answer to the metrics: its route, status, duration and size. */

import { CLIENT_GONE } from "#domain/net/message.ts";
import { InnerRequest, isHead } from "./inner-request.ts";

/**
 * `route` is a pattern; `milliseconds` last from the call of the handler until the answer exists; `bytes` of the sent
 * body are NaN when unknown before the end.
 */
export type CountRequest = (route: string, status: number, milliseconds: number, bytes: number) => void;

const BYTES = Symbol("bytes of the body");

interface SizedResponse extends Response {
  [BYTES]?: number;
}

/** Notes the bytes of a body on its answer: reading the headers costs more than the rest of counting it. */
export function sized(response: SizedResponse, bytes: number): Response {
  response[BYTES] = bytes;
  return response;
}

/** Answers with these statuses never have a body. */
const BODILESS: ReadonlySet<number> = new Set([204, 302, 304, CLIENT_GONE]);

/**
 * Returns the sent bytes of a body, compressed or not: the noted ones, else Content-Length. NaN when unknown before the
 * end: a stream, or an export that is still being made.
 */
export function sizeOf(response: SizedResponse, request: Request): number {
  if (request.method === "HEAD" || isHead(request)) return 0;
  const noted = response[BYTES];
  if (noted !== undefined) return noted;
  if (BODILESS.has(response.status)) return 0;
  const announced = response.headers.get("content-length");
  return announced === null ? Number.NaN : Number(announced);
}

/** Counts an answer to a client's request that began at `began`, by `performance.now()`; returns the answer. */
export function countAnswer(
  countRequest: CountRequest | undefined,
  route: string,
  request: Request,
  began: number,
  answer: Response,
): Response {
  if (countRequest !== undefined && !(request instanceof InnerRequest))
    countRequest(route, answer.status, performance.now() - began, sizeOf(answer, request));
  return answer;
}
