/**
 * Renders refusals. A Failure becomes the documented envelope, or the form of an imitated service: Frankfurter (v1, v2) or
 * Open Exchange Rates. Anything else is an internal error, which is logged and not sent.
 */

import { setLimitHeaders } from "#api/request/metering.ts";
import { type ErrorCode, Failure, Rejection } from "#domain/faults/errors.ts";
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
  const { code, status, message, details, quota, retryAfterSeconds } = failure;
  const isProblem = request.headers.get("accept")?.includes(PROBLEM) ?? false;
  const headers = headersOf(id, deps.simulated, { cacheControl: "no-store" });
  const facts = {
    "WWW-Authenticate": status === 401 ? "Bearer" : undefined,
    Allow: details.allow,
    "Accept-Encoding": details.acceptEncoding,
    "Content-Range": details.contentRange,
    "Retry-After": retryAfterSeconds?.toString(),
    "Content-Type": isProblem ? PROBLEM : "application/json",
  };
  for (const [name, value] of Object.entries(facts)) if (value !== undefined) headers.set(name, value);
  if (quota !== null) setLimitHeaders(headers, quota);
  const envelope = isProblem
    ? { type: `urn:crossrate:error:${code}`, title: code.replaceAll("_", " "), status, detail: message, code }
    : { result: "error", code, message };
  return sendRefusal({ ...envelope, ...details.members }, status, headers);
}

const PROBLEM = "application/problem+json";

/** Sends a refusal's body. It repeats parts of the request, but never a key from the address, because answers are passed on and logged. */
function sendRefusal(body: object, status: number, headers: Headers): Response {
  const text = redactTokens(JSON.stringify(body));
  headers.set("Content-Length", String(Buffer.byteLength(text)));
  return new Response(text, { status, headers });
}

/** Gives a page the headers of the refusal that it shows, and returns it. */
export function withFacts(page: Response, plain: Response): Response {
  for (const name of ["X-Request-Id", "Retry-After", "Allow"]) {
    const value = plain.headers.get(name);
    if (value !== null) page.headers.set(name, value);
  }
  return page;
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
  const { code, message } = failure;
  if (["unsupported_base", "no_data_for_date", "not_found"].includes(code)) return [404, "not found"];
  if (code === "bad_date") return [422, "invalid date"];
  return [keptStatus(failure) ?? 422, message];
}

/** Returns a status that stays as it is, or null: those about callers, limits, faults, versions and parts stay. */
function keptStatus({ status }: Failure): number | null {
  return status >= 500 || [401, 403, 412, 416, 429].includes(status) ? status : null;
}

const OXR: Partial<Record<ErrorCode, (message: string) => Parameters<typeof oxrRefusal>>> = {
  unsupported_base: (message) => ["invalid_base", `${message}; see currencies.json`],
  bad_date: (message) => ["not_available", `The date you requested is invalid: ${message}.`],
  no_data_for_date: (message) => [
    "not_available",
    `Rates are not available here: ${message}. Coverage runs from 1999-01-04 to today, UTC.`,
  ],
  invalid_pair: (message) => ["invalid_currency", `${message.split(";")[0]}; see currencies.json`],
  not_found: () => ["not_found", "There is no such resource here; see /openapi.json.", 404],
  invalid_api_key: (message) => ["invalid_app_id", message, 401],
  plan_gated: (message) => ["not_allowed", message, 403],
  rate_limited: (message) => ["access_restricted", message, 429],
  ip_rate_limited: (message) => ["access_restricted", message, 429],
  quota_exceeded: (message) => ["access_restricted", message, 429],
};

/** `{error, status, message, description}`; `message` is a code, `description` advises. */
export const openExchangeRates: Dialect = (failure) => {
  const { code, message } = failure;
  return oxrRefusal(...(OXR[code]?.(message) ?? [code, message, keptStatus(failure) ?? 400]));
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
