/** Requests by route and class of status, those of accounts by status: counted by plain increments on the hot path, made into samples only at a scrape. */

import type { Registry } from "prom-client";
import { OTHER } from "./bounded-counter.ts";
import { type Counted, tally } from "./tally.ts";

/** `route` is a pattern such as "/v1/latest/:base", never a path that was asked for; `status` the HTTP status. */
export type CountRequest = (route: string, status: number) => void;

const CLASSES = [OTHER, "1xx", "2xx", "3xx", "4xx", "5xx"] as const;
/** Routes beyond it count as OTHER: a caller that passes paths by mistake costs no memory. */
export const MOST_ROUTES = 200;

/** People and their keys: here each status tells its own story, such as a password that was wrong (401). */
const ACCOUNT_ROUTE = /^\/v1\/(account|auth|billing|consent|keys)(\/|$)/;

interface Counts {
  readonly classes: Float64Array;
  /** By status; null where its class is enough. */
  readonly statuses: Map<number, number> | null;
}

/** Registers `crossrate_http_requests_total` and `crossrate_account_answers_total`, and returns what moves them. */
export function countRequests(registry: Registry): CountRequest {
  const routes = new Map<string, Counts>();
  tally(
    registry,
    "crossrate_http_requests_total",
    "Requests answered by the API, by route and class of status.",
    ["route", "status"],
    () => [...routes].flatMap(([route, { classes }]) => classesOf(route, classes)),
  );
  tally(
    registry,
    "crossrate_account_answers_total",
    "Requests about accounts, sign-in, keys and billing that were answered, by route and status.",
    ["route", "status"],
    () =>
      [...routes].flatMap(([route, { statuses }]) =>
        [...(statuses ?? [])].map(([status, count]) => [{ route, status }, count] as const),
      ),
  );
  return (route, status) => {
    const { classes, statuses } = routes.get(route) ?? newRoute(routes, route);
    const place = (status / 100) | 0;
    const isStatus = place > 0 && place < CLASSES.length;
    const of = isStatus ? place : 0;
    classes[of] = (classes[of] as number) + 1;
    if (statuses !== null && isStatus) statuses.set(status, (statuses.get(status) ?? 0) + 1);
  };
}

function classesOf(route: string, classes: Float64Array): Counted<"route" | "status">[] {
  return CLASSES.map((status, place) => [{ route, status }, classes[place] as number] as const).filter(
    ([, count]) => count > 0,
  );
}

function newRoute(routes: Map<string, Counts>, route: string): Counts {
  const name = routes.size < MOST_ROUTES ? route : OTHER;
  const counts = routes.get(name) ?? {
    classes: new Float64Array(CLASSES.length),
    statuses: ACCOUNT_ROUTE.test(name) ? new Map<number, number>() : null,
  };
  routes.set(name, counts);
  return counts;
}
