/**
 * Renders refusals. A Failure becomes the documented envelope; anything else is an internal error, which is logged and not sent.
 * Requests without a route are refused here too.
 */

import { type ERRORS, Failure } from "#domain/faults/errors.ts";
import type { QuotaStatus } from "#domain/limits/taken.ts";
import { CLIENT_GONE, isClientGone } from "#domain/net/message.ts";
import { redact, redactTokens } from "#domain/net/redact.ts";
import { type Meter, setLimitHeaders } from "#http/request/metering.ts";
import type { Route } from "#http/request/route.ts";
import { allowedMethods } from "#http/request/router.ts";
import type { Emit } from "#telemetry.ts";
import { headersOf, requestId } from "./headers.ts";
import { respondEmpty } from "./respond.ts";

export interface FailureDeps {
  readonly emit: Emit;
  readonly simulated: boolean;
}

/**
 * Envelope `{result, code, message, …}`, or the same facts as RFC 9457 when the caller prefers application/problem+json.
 * Where the client has gone nothing is logged, and the answer, which is never read, has the status CLIENT_GONE.
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

/**
 * A refusal's body. It repeats parts of the request, but never a key that was put into the address, because an answer goes
 * wherever answers go.
 */
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

/** Path without the query: queries can carry what a log must not contain. The URL of a request without a Host begins with its path. */
export function pathOf(url: string): string {
  const start = url.startsWith("/") ? 0 : url.indexOf("/", url.indexOf("//") + 2);
  const end = url.indexOf("?", start);
  return start < 0 ? "/" : url.slice(start, end < 0 ? undefined : end);
}

/** The method as a refusal names it: HEAD is answered as GET to the last byte. */
export function methodOf({ method }: Request): string {
  return method === "HEAD" ? "GET" : method;
}

/**
 * The answer to a request that no route took, on a path with these `routes` of other methods: 204 to a preflight where there
 * are any, else a refusal. `quota` is the caller's status where that is known already; else `refused` notes it beside the
 * refusal of a method on a metered path. `place` is where to go instead, where that can be guessed.
 */
export async function answerUnrouted(
  deps: FailureDeps & { readonly meter: Pick<Meter, "refused"> },
  request: Request,
  routes: readonly Route[],
  { quota, place }: { readonly quota: QuotaStatus | null; readonly place: string | null },
): Promise<Response> {
  const path = pathOf(request.url);
  const allow = allowedMethods(routes);
  if (allow !== null && request.method === "OPTIONS") {
    const isOpen = routes[0]?.isCrossOrigin !== false;
    return preflight(deps, request, allow, isOpen);
  }
  // The method may be right and still nothing was found: a resource that does not exist under this path.
  const refusal =
    allow === null || allow.split(", ").includes(request.method)
      ? new Failure("not_found", place === null ? { path } : { path, place, wording: ELSEWHERE })
      : new Failure("method_not_allowed", { method: methodOf(request), allow });
  if (quota !== null) refusal.quota = quota;
  else if (routes.some(({ isMetered }) => isMetered === true)) await deps.meter.refused(request, refusal);
  return renderFailure(deps, request, refusal);
}

const ELSEWHERE = "no such resource: {path}; try {place}, and see /openapi.json for all paths";

/** CORS: any origin may read, without credentials; the answer holds for a day. */
function preflight(deps: FailureDeps, request: Request, allow: string, open: boolean): Response {
  const headers = { Allow: allow, ...(open ? { ...LEAVE, "Access-Control-Allow-Methods": allow } : {}) };
  const exposed = open ? {} : { exposed: null };
  return respondEmpty(request, deps, { status: 204, cacheControl: "no-store", headers, ...exposed });
}

const LEAVE = {
  "Access-Control-Allow-Headers":
    "Authorization, Content-Type, If-Match, If-None-Match, If-Range, Last-Event-ID, Mcp-Method, Mcp-Name, Mcp-Protocol-Version, Range, X-Request-Id",
  "Access-Control-Max-Age": "86400",
};
