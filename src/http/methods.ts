/** What no route took: 405 with Allow where the path exists for another method, a CORS preflight's answer, else 404. */

import { Failure } from "#domain/errors.ts";
import { pathOf } from "./failures.ts";
import type { Route } from "./route.ts";

/** The refusal of a request that no route matched. */
export function refuseUnrouted(request: Request, routes: readonly Route[]): Failure {
  const path = pathOf(request.url);
  const allow = allowedMethods(path, routes);
  if (allow === null || allow.split(", ").includes(request.method)) return new Failure("not_found", { path });
  return new Failure("method_not_allowed", { method: request.method, allow });
}

/** Methods of a path as the Allow header writes them, or null where there is no such path. */
export function allowedMethods(path: string, routes: readonly Route[]): string | null {
  const methods = new Set<string>();
  for (const route of routes) {
    if (!patternOf(route.path).test(path)) continue;
    for (const method of route.method === "GET" ? ["GET", "HEAD"] : ["POST"]) methods.add(method);
  }
  return methods.size === 0 ? null : [...methods, "OPTIONS"].join(", ");
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
    pattern = new RegExp(`^${source}$`);
    patterns.set(path, pattern);
  }
  return pattern;
}
