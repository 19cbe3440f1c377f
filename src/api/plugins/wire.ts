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

export type RouteTable = ReturnType<typeof openRoutes>;

const DATED = /^\/v1\/:date\b/;

/** `table` returns the application's routes after everything is registered. */
export function openRoutes(table: () => AnyElysia["routes"]) {
  let read: ReturnType<typeof readTable> | null = null;
  const all = () => {
    read ??= readTable(table());
    return read;
  };
  /** Notes the route of a request, once; undefined without a route. */
  const note = (request: RoutedRequest, route: string | undefined): void => {
    if (route === undefined) return;
    request[ROUTED] ??= { route, wire: all().wires.get(`${request.method} ${route}`) ?? {} };
  };
  /** Returns whether a segment below /v1 begins another route: then it is no date. */
  const isTaken = (segment: string): boolean => all().taken.has(segment);
  return {
    note,
    isTaken,
    /** Returns the routes of a path, by any method. */
    at: (path: string) => {
      const isOther = isTaken(path.split("/")[2] ?? "");
      const isOfPath = ({ pattern, path: route, wire }: TableRoute) =>
        pattern.test(bareOf(path)) && !(DATED.test(route) && isOther) && wire.takes?.(path) !== false;
      return all().routes.filter(isOfPath);
    },
    plugin: new Elysia({ name: "routes" }).onTransform({ as: "global" }, ({ request, route }) => {
      note(request, route);
    }),
  };
}

type TableRoute = ReturnType<typeof readTable>["routes"][number];

function readTable(table: AnyElysia["routes"]) {
  const routes = table.map(({ method, path, hooks }) => {
    const wire: Wire = hooks.wire ?? {};
    return { method, path, wire, pattern: patternOf(path) };
  });
  return {
    routes,
    wires: new Map(routes.map(({ method, path, wire }) => [`${method} ${path}`, wire])),
    taken: new Set(routes.map(({ path }) => /^\/v1\/([^/:]+)/.exec(path)?.[1])),
  };
}

function patternOf(route: string): RegExp {
  const segments = bareOf(route).split("/");
  return new RegExp(
    `^${segments.map((one) => (one.startsWith(":") ? "[^/]+" : RegExp.escape(one))).join("/")}$`,
  );
}

/** A slash at the end means nothing. */
function bareOf(path: string): string {
  return path.replace(/(?<=..)\/$/, "");
}
