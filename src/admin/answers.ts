/** Answers of the operators' listener: JSON that nobody keeps, and refusals in the same envelope as the API's. */

import { Failure } from "#domain/faults/errors.ts";
import { redact, redactTokens } from "#domain/net/redact.ts";
import type { Tell } from "#telemetry.ts";

const HEADERS = {
  "Content-Type": "application/json",
  "Cache-Control": "no-store",
  "X-Content-Type-Options": "nosniff",
  "Cross-Origin-Resource-Policy": "same-origin",
} as const;

export interface Answering {
  readonly requestId: string;
  /** Without the query, which may name people. */
  readonly path: string;
  readonly tell: Tell;
}

/** `{"result": "success", …}`. */
export function success(members: Readonly<Record<string, unknown>>, { requestId }: Answering): Response {
  const headers = { ...HEADERS, "X-Request-Id": requestId };
  return new Response(JSON.stringify({ result: "success", ...members }), { headers });
}

/** `{"result": "error", "code", "message", …}`; what is no Failure is told to the log and not shown. */
export function refusal(thrown: unknown, { requestId, path, tell }: Answering): Response {
  const failure = thrown instanceof Failure ? thrown : new Failure("internal_error", {}, thrown);
  const { code, status, details, retryAfterSeconds } = failure;
  if (code === "internal_error") {
    const { cause } = failure;
    const error = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
    tell({ kind: "request_failed", requestId, path: redact(path), error: redact(error) });
  }
  const headers = new Headers({ ...HEADERS, "X-Request-Id": requestId });
  if (status === 401) headers.set("WWW-Authenticate", "Bearer");
  if (details.allow !== undefined) headers.set("Allow", details.allow);
  if (retryAfterSeconds !== undefined) headers.set("Retry-After", String(retryAfterSeconds));
  const message = redactTokens(failure.message);
  return new Response(JSON.stringify({ result: "error", code, message, ...details.members }), {
    status,
    headers,
  });
}
