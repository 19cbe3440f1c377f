/** Requests by route: count by status, duration, size. Plain increments on the request path, samples at a scrape. */

import type { Registry } from "prom-client";
import { type Distribution, newDistribution, observe, registerHistogram } from "./histogram.ts";
import { type Counted, OTHER, tally } from "./instruments.ts";

/**
 * `route` is a pattern such as "/v1/latest/:base", never a requested path; `status` the HTTP status;
 * `milliseconds` from the call of the handler until the answer exists; `bytes` of its body, NaN where that is not known.
 */
export type CountRequest = (route: string, status: number, milliseconds: number, bytes: number) => void;

const CLASSES = [OTHER, "1xx", "2xx", "3xx", "4xx", "5xx"] as const;
/** Routes beyond it count as OTHER: a caller that passes paths by mistake costs no memory. */
export const MOST_ROUTES = 200;

/** From half a millisecond, which most answers stay below, to what a client waits for at the most. */
const MILLISECONDS = [0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000] as const;
const BYTES = [256, 1_024, 4_096, 16_384, 65_536, 262_144, 1_048_576, 8_388_608, 67_108_864] as const;

/** People and their keys: here each status has its own meaning, such as a password that was wrong (401). */
const ACCOUNT_ROUTE = /^\/v1\/(account|auth|billing|consent|keys)(\/|$)/;

interface Counts {
  readonly classes: Float64Array;
  /** By status; null where its class is enough. */
  readonly statuses: Map<number, number> | null;
  readonly durations: Distribution;
  /** Null until a size was known. */
  sizes: Distribution | null;
}

/** Registers the metrics of requests, and returns what moves them. */
export function countRequests(registry: Registry): CountRequest {
  const routes = new Map<string, Counts>();
  register(registry, routes);
  return (route, status, milliseconds, bytes) => {
    const counts = routes.get(route) ?? newRoute(routes, route);
    const { classes, statuses, durations } = counts;
    const place = (status / 100) | 0;
    const isStatus = place > 0 && place < CLASSES.length;
    const of = isStatus ? place : 0;
    classes[of] = (classes[of] as number) + 1;
    if (statuses !== null && isStatus) statuses.set(status, (statuses.get(status) ?? 0) + 1);
    observe(durations, MILLISECONDS, milliseconds);
    if (!(bytes >= 0)) return;
    counts.sizes ??= newDistribution(BYTES);
    observe(counts.sizes, BYTES, bytes);
  };
}

function register(registry: Registry, routes: ReadonlyMap<string, Counts>): void {
  tally(
    registry,
    "crossrate_http_requests_total{route,status} Requests answered by the API, by route and class of status.",
    () => [...routes].flatMap(([route, { classes }]) => classesOf(route, classes)),
  );
  tally(
    registry,
    "crossrate_account_answers_total{route,status} Requests about accounts, sign-in, keys and billing that were answered, by route and status.",
    () =>
      [...routes].flatMap(([route, { statuses }]) =>
        [...(statuses ?? [])].map(([status, count]) => [{ route, status }, count] as const),
      ),
  );
  registerHistogram({
    registry,
    name: "crossrate_http_request_duration_seconds",
    help: "Time from the call of a route's handler until its answer exists, in seconds.",
    label: "route",
    bounds: MILLISECONDS,
    perUnit: 1_000,
    read: () => [...routes].map(([route, { durations }]) => [route, durations] as const),
  });
  registerHistogram({
    registry,
    name: "crossrate_http_response_size_bytes",
    help: "Size of the bodies of answers whose length is known when they begin, as sent, in bytes.",
    label: "route",
    bounds: BYTES,
    perUnit: 1,
    read: () =>
      [...routes].flatMap(([route, { sizes }]) => (sizes === null ? [] : [[route, sizes] as const])),
  });
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
    durations: newDistribution(MILLISECONDS),
    sizes: null,
  };
  routes.set(name, counts);
  return counts;
}
