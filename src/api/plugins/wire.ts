/** Facts of a request's route for the code that crosses all routes. */

import { type AnyElysia, Elysia } from "elysia";
import type { Charge } from "#api/request/metering.ts";
import type { Dialect } from "#api/response/failures.ts";
import type { Basis } from "#api/response/ready.ts";

export interface Wire {
  /** Calls count against the caller's limits, also when refused before admission. */
  readonly isMetered?: boolean;
  /** Refusals have the form of another service. */
  readonly dialect?: Dialect;
  /** The answer continues until the reader leaves. */
  readonly isEndless?: boolean;
  /** False shuts out pages of other sites: neither answers nor preflights permit them anything. */
  readonly isCrossOrigin?: boolean;
  /** Reads the key from another place than the header; null without a key. */
  authorization?(request: Request): string | null;
  /** Returns false for a path that matches the pattern and is not the route's. */
  takes?(path: string): boolean;
}

interface RoutedRequest extends Request {
  [ROUTED]?: Routed;
}

export interface Routed {
  readonly route: string;
  readonly wire: Wire;
  charge?: Charge;
  /** The figures that a shared answer is made from. */
  basis?: Basis;
}

const ROUTED = Symbol("route of the request");

export function routed(request: RoutedRequest): Routed | undefined {
  return request[ROUTED];
}

/** `table` returns the application's routes after everything is registered. */
export function openRoutes(table: () => AnyElysia["routes"]) {
  let wires: Map<string, Wire> | null = null;
  const wireOf = (method: string, route: string): Wire => {
    wires ??= new Map(table().map((one) => [`${one.method} ${one.path}`, wireOfRoute(one)]));
    return wires.get(`${method} ${route}`) ?? {};
  };
  /** Notes the route of a request, once; undefined without a route. */
  const note = (request: RoutedRequest, route: string | undefined): void => {
    if (route !== undefined) request[ROUTED] ??= { route, wire: wireOf(request.method, route) };
  };
  return {
    note,
    plugin: new Elysia({ name: "routes" }).onTransform({ as: "global" }, ({ request, route }) => {
      note(request, route);
    }),
  };
}

export function wireOfRoute({ hooks }: AnyElysia["routes"][number]): Wire {
  return hooks.wire ?? {};
}
