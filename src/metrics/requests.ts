/** Requests by route: count by status, duration, size. */

import { Counter, Histogram, type Registry } from "prom-client";
import { OTHER } from "./instruments.ts";

/**
 * `route` is a pattern such as "/v1/latest/:base", never a requested path; `status` the HTTP status;
 * `milliseconds` from the call of the handler until the answer exists; `bytes` of its body, NaN where that is not known.
 */
export type CountRequest = (route: string, status: number, milliseconds: number, bytes: number) => void;

const CLASSES = [OTHER, "1xx", "2xx", "3xx", "4xx", "5xx"];
/** Routes beyond it count as OTHER: a caller that passes paths by mistake costs no memory. */
export const MOST_ROUTES = 200;

/** From half a millisecond, which most answers stay below, to what a client waits for at the most. */
const SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const BYTES = [256, 1_024, 4_096, 16_384, 65_536, 262_144, 1_048_576, 8_388_608, 67_108_864];

/** People and their keys: here each status has its own meaning, such as a password that was wrong (401). */
const ACCOUNT_ROUTE = /^\/v1\/(account|auth|billing|consent|keys)(\/|$)/;

/** Registers the metrics of requests, and returns what moves them. */
export function countRequests(registry: Registry): CountRequest {
  const registers = [registry];
  const requests = new Counter({
    registers,
    name: "crossrate_http_requests_total",
    help: "Requests answered by the API, by route and class of status.",
    labelNames: ["route", "status"],
  });
  const accounts = new Counter({
    registers,
    name: "crossrate_account_answers_total",
    help: "Requests about accounts, sign-in, keys and billing that were answered, by route and status.",
    labelNames: ["route", "status"],
  });
  const durations = new Histogram({
    registers,
    name: "crossrate_http_request_duration_seconds",
    help: "Time from the call of a route's handler until its answer exists, in seconds.",
    labelNames: ["route"],
    buckets: SECONDS,
  });
  const sizes = new Histogram({
    registers,
    name: "crossrate_http_response_size_bytes",
    help: "Size of the bodies of answers whose length is known when they begin, as sent, in bytes.",
    labelNames: ["route"],
    buckets: BYTES,
  });
  const routes = new Set<string>();
  return (pattern, status, milliseconds, bytes) => {
    if (!routes.has(pattern) && routes.size < MOST_ROUTES) routes.add(pattern);
    const route = routes.has(pattern) ? pattern : OTHER;
    const place = Math.floor(status / 100);
    const isStatus = place > 0 && place < CLASSES.length;
    requests.inc({ route, status: CLASSES[isStatus ? place : 0] as string });
    if (isStatus && ACCOUNT_ROUTE.test(route)) accounts.inc({ route, status });
    // What is no finite time counts as 0: a sum never falls.
    const isTime = milliseconds > 0 && milliseconds < Number.POSITIVE_INFINITY;
    durations.observe({ route }, isTime ? milliseconds / 1000 : 0);
    if (bytes >= 0) sizes.observe({ route }, bytes);
  };
}
