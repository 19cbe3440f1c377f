/** What no route took: 405 with Allow where the path exists for another method, a CORS preflight's answer, else 404. */

import { noteStanding } from "#accounts/limits/admit.ts";
import { Failure } from "#domain/faults/errors.ts";
import type { Standing } from "#domain/limits/taken.ts";
import type { Meter } from "#http/request/metering.ts";
import type { Route } from "#http/request/route.ts";
import { type FailureDeps, pathOf, renderFailure } from "./failures.ts";
import { COMMON_HEADERS, requestId } from "./headers.ts";

/**
 * The answer to a request that no route took: 204 to a preflight of a path that exists, else a refusal. `standing` is how things
 * stand with the caller, where that is known already; else `refused` notes it beside the refusal of a method on a metered path.
 */
export async function answerUnrouted(
  deps: FailureDeps & { readonly meter: Pick<Meter, "refused"> },
  request: Request,
  routes: readonly Route[],
  standing: Standing | null,
): Promise<Response> {
  const path = pathOf(request.url);
  const allow = allowedMethods(path, routes);
  if (allow !== null && request.method === "OPTIONS")
    return preflight(deps, request, allow, isOpen(path, routes));
  // The method may be right and still nothing was found: a resource that does not exist under this path.
  const refusal =
    allow === null || allow.split(", ").includes(request.method)
      ? new Failure("not_found", { path })
      : new Failure("method_not_allowed", { method: request.method, allow });
  if (standing !== null) noteStanding(refusal, standing);
  else if (allow !== null && routesOf(path, routes).some(({ isMetered }) => isMetered === true))
    await deps.meter.refused(request, refusal);
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
  return routesOf(path, routes)[0]?.isCrossOrigin !== false;
}

/** Methods of a path as the Allow header writes them, or null where there is no such path. */
export function allowedMethods(path: string, routes: readonly Route[]): string | null {
  const methods = new Set<string>();
  for (const route of routesOf(path, routes)) {
    for (const method of route.method === "GET" ? ["GET", "HEAD"] : [route.method]) methods.add(method);
  }
  return methods.size === 0 ? null : [...methods, "OPTIONS"].join(", ");
}

/** The pattern of the route that answers a path, or null where none does. */
export function routeOf(path: string, routes: readonly Route[]): string | null {
  return routesOf(path, routes)[0]?.path ?? null;
}

/** The routes of a path, whatever their methods. What begins with another route's word is never taken for a date. */
function routesOf(path: string, routes: readonly Route[]): readonly Route[] {
  const [, , word = ""] = path.split("/");
  return routes.filter(
    (route) => patternOf(route.path).test(path) && !(DATED.test(route.path) && isTaken(word, routes)),
  );
}

const DATED = /^\/v1\/:date\b/;

/** Whether a word below /v1 is the beginning of a route, so that it stands for no date. */
export function isTaken(word: string, routes: readonly Route[]): boolean {
  let words = taken.get(routes);
  if (words === undefined) {
    const below = routes
      .filter(({ path }) => path.startsWith("/v1/"))
      .map(({ path }) => path.split("/")[2] ?? "");
    words = new Set(below.filter((one) => !one.startsWith(":")));
    taken.set(routes, words);
  }
  return words.has(word);
}

const taken = new WeakMap<readonly Route[], ReadonlySet<string>>();

const patterns = new Map<string, RegExp>();

function patternOf(path: string): RegExp {
  let pattern = patterns.get(path);
  if (pattern === undefined) {
    const source = path.replaceAll(".", "\\.").replace(/:\w+/g, "[^/]+").replace("*", ".+");
    // The router takes a slash at the end for nothing.
    pattern = new RegExp(`^${source}${source.endsWith("/") ? "" : "/?"}$`);
    patterns.set(path, pattern);
  }
  return pattern;
}
