/** Requests by route and class of status: counted by plain increments on the hot path, made into samples only at a scrape. */

import { Counter, type Registry } from "prom-client";
import { OTHER } from "./bounded-counter.ts";

/** `route` is a pattern such as "/v1/latest/:base", never a path that was asked for; `status` the HTTP status. */
export type CountRequest = (route: string, status: number) => void;

const CLASSES = [OTHER, "1xx", "2xx", "3xx", "4xx", "5xx"] as const;
/** Routes beyond it count as OTHER: a caller that passes paths by mistake costs no memory. */
export const MOST_ROUTES = 200;

/** Registers `crossrate_http_requests_total` and returns what moves it. */
export function countRequests(registry: Registry): CountRequest {
  const routes = new Map<string, Float64Array>();
  new Counter({
    name: "crossrate_http_requests_total",
    help: "Requests answered by the API, by route and class of status.",
    labelNames: ["route", "status"],
    registers: [registry],
    collect() {
      this.reset();
      for (const [route, counts] of routes) {
        for (const [place, status] of CLASSES.entries()) {
          const count = counts[place] as number;
          if (count > 0) this.inc({ route, status }, count);
        }
      }
    },
  });
  return (route, status) => {
    const counts = routes.get(route) ?? newRoute(routes, route);
    const place = (status / 100) | 0;
    const of = place > 0 && place < CLASSES.length ? place : 0;
    counts[of] = (counts[of] as number) + 1;
  };
}

function newRoute(routes: Map<string, Float64Array>, route: string): Float64Array {
  const name = routes.size < MOST_ROUTES ? route : OTHER;
  const counts = routes.get(name) ?? new Float64Array(CLASSES.length);
  routes.set(name, counts);
  return counts;
}
