/** Notes on every request which route took it, and what that route says of itself. */

import { type AnyElysia, Elysia } from "elysia";
import { noteRoute, routed, type Wire } from "./wire.ts";

/** `table` gives the application's routes when everything is registered. */
export function openRoutes(table: () => AnyElysia["routes"]) {
  let wires: Map<string, Wire> | null = null;
  const wireOf = (method: string, route: string): Wire => {
    wires ??= new Map(table().map((one) => [`${one.method} ${one.path}`, wireOfRoute(one)]));
    return wires.get(`${method} ${route}`) ?? {};
  };
  /** Notes the route of a request, once; undefined where no route took it. */
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

/** What a route of the table says of itself. */
export function wireOfRoute({ hooks }: AnyElysia["routes"][number]): Wire {
  return hooks.wire ?? {};
}
