/** Renders refusals. A Failure becomes the documented envelope; anything else is an internal error, which is logged and not sent. */

import { setLimitHeaders } from "#api/request/metering.ts";
import { type ERRORS, Failure } from "#domain/faults/errors.ts";
import { CLIENT_GONE, isClientGone } from "#domain/net/message.ts";
import { redact, redactTokens } from "#domain/net/redact.ts";
import type { Emit } from "#telemetry.ts";
import { headersOf, requestId } from "./headers.ts";

export interface FailureDeps {
  readonly emit: Emit;
  readonly simulated: boolean;
}

/**
 * Renders `{result, code, message, …}`, or the same facts as RFC 9457 for callers that prefer application/problem+json.
 * For a client that has left nothing is logged, and the answer, which no one reads, has the status CLIENT_GONE.
 */
export function renderFailure(deps: FailureDeps, request: Request, thrown: unknown): Response {
  if (isClientGone(thrown, request.signal)) return new Response(null, { status: CLIENT_GONE });
  const failure = thrown instanceof Failure ? thrown : new Failure("internal_error", {}, thrown);
  const id = requestId(request.headers);
  if (failure.code === "internal_error") {
    const cause =
      failure.cause instanceof Error ? (failure.cause.stack ?? failure.cause.message) : String(failure.cause);
    const path = redact(pathOf(request.url));
    deps.emit({ kind: "request_failed", requestId: id, path, error: redact(cause) });
  }
  const headers = headersOf(id, deps.simulated, { cacheControl: "no-store" });
  if (failure.status === 401) headers.set("WWW-Authenticate", "Bearer");
  if (failure.details.allow !== undefined) headers.set("Allow", failure.details.allow);
  const { acceptEncoding } = failure.details;
  if (acceptEncoding !== undefined) headers.set("Accept-Encoding", acceptEncoding);
  if (failure.details.contentRange !== undefined) headers.set("Content-Range", failure.details.contentRange);
  if (failure.quota !== null) setLimitHeaders(headers, failure.quota);
  const wait = failure.retryAfterSeconds;
  if (wait !== undefined) headers.set("Retry-After", String(wait));

  const { code, status, details } = failure;
  if (prefersProblem(request.headers.get("accept"))) {
    headers.set("Content-Type", "application/problem+json");
    const problem = {
      type: `urn:crossrate:error:${code}`,
      title: titleOf(code),
      status,
      detail: failure.message,
      code,
      ...details.members,
    };
    return sendRefusal(problem, status, headers);
  }
  headers.set("Content-Type", "application/json");
  const { message } = failure;
  return sendRefusal({ result: "error", code, message, ...details.members }, status, headers);
}

/** Sends a refusal's body. It repeats parts of the request, but never a key from the address, because answers are passed on and logged. */
export function sendRefusal(body: object, status: number, headers: Headers): Response {
  const text = redactTokens(JSON.stringify(body));
  headers.set("Content-Length", String(Buffer.byteLength(text)));
  return new Response(text, { status, headers });
}

function prefersProblem(accept: string | null): boolean {
  return accept?.includes("application/problem+json") ?? false;
}

function titleOf(code: keyof typeof ERRORS): string {
  return code.replaceAll("_", " ");
}

/** Returns the path without the query, which may be secret. The URL of a request without a Host begins with its path. */
export function pathOf(url: string): string {
  const start = url.startsWith("/") ? 0 : url.indexOf("/", url.indexOf("//") + 2);
  const end = url.indexOf("?", start);
  return start < 0 ? "/" : url.slice(start, end < 0 ? undefined : end);
}
