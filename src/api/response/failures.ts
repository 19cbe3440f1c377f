/**
 * Renders refusals. A Failure becomes the documented envelope, or the form of an imitated service: Frankfurter (v1, v2) or
 * Open Exchange Rates. Anything else is an internal error, which is logged and not sent.
 */

import { setLimitHeaders } from "#api/request/metering.ts";
import { type ERRORS, Failure, Rejection } from "#domain/faults/errors.ts";
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
function sendRefusal(body: object, status: number, headers: Headers): Response {
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

/** A refusal without a code of ours: its status and body are the other service's. */
export class Refusal extends Rejection {
  readonly status: number;
  readonly body: object;

  constructor(status: number, body: object) {
    super(`refused with ${status}`);
    this.name = "Refusal";
    this.status = status;
    this.body = body;
  }
}

/** Converts a refusal of our use cases to the form of a service. */
export type Dialect = (failure: Failure) => Refusal;

/** `{message}`: 404 for missing data, 422 for an invalid request. */
export const frankfurterV1: Dialect = (failure) => {
  const [status, message] = frankfurter(failure);
  return new Refusal(status, { message });
};

/** `{status, message}` with the same statuses as v1. */
export const frankfurterV2: Dialect = (failure) => {
  const [status, message] = frankfurter(failure);
  return new Refusal(status, { status, message });
};

function frankfurter(failure: Failure): readonly [status: number, message: string] {
  switch (failure.code) {
    case "unsupported_base":
    case "no_data_for_date":
    case "not_found":
      return [404, "not found"];
    case "bad_date":
      return [422, "invalid date"];
    default:
      return [isAboutCaller(failure) || failure.status >= 500 ? failure.status : 422, failure.message];
  }
}

/** Callers and limits are this server's own matter, and versions and parts those of HTTP: these statuses stay. */
const KEPT: ReadonlySet<number> = new Set([401, 403, 412, 416, 429]);

function isAboutCaller({ status }: Failure): boolean {
  return KEPT.has(status);
}

/** `{error, status, message, description}`; `message` is a code, `description` advises. */
export const openExchangeRates: Dialect = (failure) => {
  const { code, status, message } = failure;
  switch (code) {
    case "unsupported_base":
      return oxrRefusal("invalid_base", `${message}; see currencies.json`);
    case "bad_date":
      return oxrRefusal("not_available", `The date you requested is invalid: ${message}.`);
    case "no_data_for_date":
      return oxrRefusal(
        "not_available",
        `Rates are not available here: ${message}. Coverage runs from 1999-01-04 to today, UTC.`,
      );
    case "invalid_pair":
      return oxrRefusal("invalid_currency", `${message.split(";")[0]}; see currencies.json`);
    case "not_found":
      return oxrRefusal("not_found", "There is no such resource here; see /openapi.json.", 404);
    case "invalid_api_key":
      return oxrRefusal("invalid_app_id", message, 401);
    case "plan_gated":
      return oxrRefusal("not_allowed", message, 403);
    case "rate_limited":
    case "ip_rate_limited":
    case "quota_exceeded":
      return oxrRefusal("access_restricted", message, 429);
    default:
      return oxrRefusal(code, message, isAboutCaller(failure) || status >= 500 ? status : 400);
  }
};

export function oxrRefusal(message: string, description: string, status = 400): Refusal {
  return new Refusal(status, { error: true, status, message, description });
}

/**
 * Renders a thrown value in a dialect. Headers, the request's id and the line of the log are those of any refusal;
 * status and body are not.
 */
export function renderIn(dialect: Dialect, deps: FailureDeps, request: Request, thrown: unknown): Response {
  // The client never reads it.
  if (isClientGone(thrown, request.signal)) return renderFailure(deps, request, thrown);
  if (thrown instanceof Refusal) {
    const failure = new Failure("invalid_request", { reason: thrown.message });
    failure.quota = thrown.quota;
    return restate(renderFailure(deps, request, failure), thrown);
  }
  const failure = thrown instanceof Failure ? thrown : new Failure("internal_error", {}, thrown);
  return restate(renderFailure(deps, request, failure), dialect(failure));
}

function restate(plain: Response, { status, body }: Refusal): Response {
  const headers = new Headers(plain.headers);
  headers.set("Content-Type", "application/json; charset=utf-8");
  if (status === 503 && !headers.has("Retry-After")) headers.set("Retry-After", "30");
  return sendRefusal(body, status, headers);
}

const PREFIXES: readonly (readonly [prefix: string, dialect: Dialect])[] = [
  ["/compat/frankfurter/v1/", frankfurterV1],
  ["/compat/frankfurter/", frankfurterV2],
  ["/v2/", frankfurterV2],
  ["/compat/oxr/", openExchangeRates],
];

/** Answers a request without a route: a 404 below a service's prefix is written in its dialect, all else stays. */
export function compatUnrouted(request: Request, plain: Response): Response {
  if (plain.status !== 404) return plain;
  const path = pathOf(request.url);
  const dialect = PREFIXES.find(([prefix]) => path.startsWith(prefix))?.[1];
  return dialect === undefined ? plain : restate(plain, dialect(new Failure("not_found", { path })));
}
