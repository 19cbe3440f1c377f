/**
 * Renders everything that is thrown, and answers requests without a route: with the documented envelope, a page for
 * people, or the dialect of a compatible path. Other methods of a path get 405, preflights 204.
 */

import { Elysia } from "elysia";
import { publicFault } from "#accounts/identity/sessions.ts";
import { type Meter, settleThrown } from "#api/request/metering.ts";
import { compatUnrouted, type FailureDeps, pathOf, renderFailure, renderIn } from "#api/response/failures.ts";
import { respondEmpty } from "#api/response/respond.ts";
import { Failure } from "#domain/faults/errors.ts";
import type { QuotaStatus } from "#domain/limits/quota-status.ts";
import { type RouteTable, routed } from "./wire.ts";

export interface EnvelopeDeps extends FailureDeps {
  readonly meter: Pick<Meter, "refused">;
  readonly routes: Pick<RouteTable, "at" | "note">;
  readonly refusalPage: (request: Request, plain: Response) => Promise<Response> | null;
}

export const envelope = (deps: EnvelopeDeps) => {
  const sent = async (request: Request, plain: Response): Promise<Response> => {
    try {
      return (await deps.refusalPage(request, plain)) ?? plain;
    } catch (thrown) {
      // Not even a page can be made: the plain form remains.
      return renderFailure(deps, request, thrown);
    }
  };
  /** Answers a request without a route: 204 to a preflight, else a refusal with the caller's `quota`. */
  const unrouted = async (request: Request, quota: QuotaStatus | null): Promise<Response> => {
    const path = pathOf(request.url);
    const routes = deps.routes.at(path);
    const allow = allowedMethods(routes);
    if (allow !== null && request.method === "OPTIONS")
      return preflight(deps, request, allow, routes[0]?.wire.isCrossOrigin !== false);
    // The path may allow the method: then its route has found no resource.
    const refusal =
      allow === null || allow.split(", ").includes(request.method)
        ? new Failure("not_found", { path })
        : new Failure("method_not_allowed", { method: request.method, allow });
    const metered = routes.find(({ wire }) => wire.isMetered === true)?.wire;
    if (quota !== null) refusal.quota = quota;
    else if (metered !== undefined)
      await deps.meter.refused(request, refusal, metered.authorization?.(request));
    return await sent(request, compatUnrouted(request, renderFailure(deps, request, refusal)));
  };
  const refused = async (request: Request, raw: unknown): Promise<Response> => {
    const { charge, wire } = routed(request) ?? {};
    const thrown = charge === undefined ? publicFault(raw) : settleThrown(charge, request, raw);
    // A refusal before admission is charged to the caller, and shows the rest of the quota.
    if (wire?.isMetered === true && thrown instanceof Failure && thrown.quota === null)
      await deps.meter.refused(request, thrown, wire.authorization?.(request));
    if (wire?.dialect !== undefined) return renderIn(wire.dialect, deps, request, thrown);
    // A refusal with its own text keeps that text.
    const isPlain = thrown instanceof Failure && thrown.details.wording === undefined;
    if (isPlain && thrown.code === "not_found") return await unrouted(request, thrown.quota);
    return await sent(request, renderFailure(deps, request, thrown));
  };
  return new Elysia({ name: "envelope" }).onError(
    { as: "global" },
    async ({ code, error, request, route, set }) => {
      // Elysia would write the error's status into a page with status 200.
      set.status = 200;
      try {
        // A refusal of a parser comes before any hook.
        deps.routes.note(request, route);
        if (code === "NOT_FOUND") return await unrouted(request, null);
        // Elysia wraps what a parser throws.
        const thrown = code === "PARSE" && error.cause instanceof Failure ? error.cause : error;
        return await refused(request, thrown);
      } catch (other) {
        return await sent(request, renderFailure(deps, request, other));
      }
    },
  );
};

function allowedMethods(routes: ReturnType<RouteTable["at"]>): string | null {
  const methods = new Set(routes.flatMap(({ method }) => (method === "GET" ? ["GET", "HEAD"] : [method])));
  return methods.size === 0 ? null : [...methods, "OPTIONS"].join(", ");
}

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
