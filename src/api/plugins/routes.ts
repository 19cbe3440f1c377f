/** Notes the route of every request, and the route's own description. */

import { type AnyElysia, Elysia } from "elysia";
import { noteRoute, routed, type Wire } from "./wire.ts";

/** `table` returns the application's routes after everything is registered. */
export function openRoutes(table: () => AnyElysia["routes"]) {
  let wires: Map<string, Wire> | null = null;
  const wireOf = (method: string, route: string): Wire => {
    wires ??= new Map(table().map((one) => [`${one.method} ${one.path}`, wireOfRoute(one)]));
    return wires.get(`${method} ${route}`) ?? {};
  };
  /** Notes the route of a request, once; undefined without a route. */
  const note = (request: Request, route: string | undefined): void => {
    if (route !== undefined && routed(request) === undefined)
      noteRoute(request, route, wireOf(request.method, route));
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
