/** What no route took: 405 with Allow where the path exists for another method, a CORS preflight's answer, else 404. */

import { Failure } from "#domain/errors.ts";
import { type FailureDeps, pathOf, renderFailure } from "./failures.ts";
import { COMMON_HEADERS, requestId } from "./headers.ts";
import type { Route } from "./route.ts";

/** The answer to a request that no route took: 204 to a preflight of a path that exists, else a refusal. */
export function answerUnrouted(deps: FailureDeps, request: Request, routes: readonly Route[]): Response {
  const path = pathOf(request.url);
  const allow = allowedMethods(path, routes);
  if (allow === null) return renderFailure(deps, request, new Failure("not_found", { path }));
  if (request.method === "OPTIONS") return preflight(deps, request, allow, isOpen(path, routes));
  // The method is right and still nothing was found: a resource that does not exist under this path.
  const exists = !allow.split(", ").includes(request.method);
  const refusal = exists
    ? new Failure("method_not_allowed", { method: request.method, allow })
    : new Failure("not_found", { path });
  return renderFailure(deps, request, refusal);
}

/** CORS: any origin may read, without credentials; the answer holds for a day. */
function preflight(deps: FailureDeps, request: Request, allow: string, open: boolean): Response {
  const headers = open ? new Headers(COMMON_HEADERS) : new Headers();
  headers.set("Allow", allow);
  if (open) {
    headers.set("Access-Control-Allow-Methods", allow);
    headers.set(
      "Access-Control-Allow-Headers",
      "Authorization, Content-Type, If-Match, If-None-Match, If-Range, Last-Event-ID, Range, X-Request-Id",
    );
    headers.set("Access-Control-Max-Age", "86400");
  }
  headers.set("Cache-Control", "no-store");
  headers.set("X-Request-Id", requestId(request.headers));
  if (deps.simulated) headers.set("X-Data-Mode", "simulated");
  return new Response(null, { status: 204, headers });
}

/** Whether pages of other sites may call it. */
function isOpen(path: string, routes: readonly Route[]): boolean {
  return routes.find((route) => patternOf(route.path).test(path))?.isCrossOrigin !== false;
}

/** Methods of a path as the Allow header writes them, or null where there is no such path. */
export function allowedMethods(path: string, routes: readonly Route[]): string | null {
  const methods = new Set<string>();
  for (const route of routes) {
    if (!patternOf(route.path).test(path)) continue;
    for (const method of route.method === "GET" ? ["GET", "HEAD"] : [route.method]) methods.add(method);
  }
  return methods.size === 0 ? null : [...methods, "OPTIONS"].join(", ");
}

/** The pattern of the route that answers a path, or null where none does. */
export function routeOf(path: string, routes: readonly Route[]): string | null {
  return routes.find((route) => patternOf(route.path).test(path))?.path ?? null;
}

const patterns = new Map<string, RegExp>();

function patternOf(path: string): RegExp {
  let pattern = patterns.get(path);
  if (pattern === undefined) {
    // A date segment is digits and dashes: other words below /v1 are no resource.
    const source = path
      .replaceAll(".", "\\.")
      .replace(/\/:date\b/, "/[\\d-]+")
      .replace(/:\w+/g, "[^/]+")
      .replace("*", ".+");
    // The router takes a slash at the end for nothing.
    pattern = new RegExp(`^${source}${source.endsWith("/") ? "" : "/?"}$`);
    patterns.set(path, pattern);
  }
  return pattern;
}
