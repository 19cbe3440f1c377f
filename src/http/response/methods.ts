/** What no route took: 405 with Allow where the path exists for another method, a CORS preflight's answer, else 404. */

import { Failure } from "#domain/faults/errors.ts";
import type { QuotaStatus } from "#domain/limits/taken.ts";
import type { Meter } from "#http/request/metering.ts";
import type { Route } from "#http/request/route.ts";
import { allowedMethods } from "#http/request/router.ts";
import { type FailureDeps, pathOf, renderFailure } from "./failures.ts";
import { respondEmpty } from "./respond.ts";

/**
 * The answer to a request that no route took, on a path with these `routes` of other methods: 204 to a preflight where there are any, else a
 * refusal. `quota` is how things
 * stand with the caller, where that is known already; else `refused` notes it beside the refusal of a method on a metered path.
 */
export async function answerUnrouted(
  deps: FailureDeps & { readonly meter: Pick<Meter, "refused"> },
  request: Request,
  routes: readonly Route[],
  quota: QuotaStatus | null,
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
      ? new Failure("not_found", { path })
      : new Failure("method_not_allowed", { method: request.method, allow });
  if (quota !== null) refusal.quota = quota;
  else if (routes.some(({ isMetered }) => isMetered === true)) await deps.meter.refused(request, refusal);
  return renderFailure(deps, request, refusal);
}

/** CORS: any origin may read, without credentials; the answer holds for a day. */
function preflight(deps: FailureDeps, request: Request, allow: string, open: boolean): Response {
  const headers = { Allow: allow, ...(open ? { ...LEAVE, "Access-Control-Allow-Methods": allow } : {}) };
  const exposed = open ? {} : { exposed: null };
  return respondEmpty(request, deps, { status: 204, cacheControl: "no-store", headers, ...exposed });
}

const LEAVE = {
  "Access-Control-Allow-Headers":
    "Authorization, Content-Type, If-Match, If-None-Match, If-Range, Last-Event-ID, Range, X-Request-Id",
  "Access-Control-Max-Age": "86400",
};
