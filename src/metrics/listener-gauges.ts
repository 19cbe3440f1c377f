/** Gauges of what the process holds for its clients: connections, requests in flight, caches. */

import type { Registry } from "prom-client";
import { gauge } from "./gauge.ts";
import type { MetricsReaders } from "./readers.ts";
import { group, type ReaderGroup } from "./scrape.ts";

export function listenerGauges(registry: Registry): readonly ReaderGroup<keyof MetricsReaders>[] {
  const connections = gauge(
    registry,
    "crossrate_http_open_connections",
    "Connections to the API's port that are established now.",
  );
  const inFlight = gauge(
    registry,
    "crossrate_http_requests_in_flight",
    "Requests whose answers are being made or sent now, streams among them.",
  );
  const bytes = gauge(registry, "crossrate_cache_bytes", "Memory that a cache holds now, in bytes.", [
    "cache",
  ]);
  const limit = gauge(
    registry,
    "crossrate_cache_limit_bytes",
    "Memory that a cache may hold, in bytes; caches can share one bound.",
    ["cache"],
  );
  return [
    group("listener", [connections, inFlight], (listener) => {
      connections.set({}, listener.connections);
      inFlight.set({}, listener.requestsInFlight);
    }),
    group("caches", [bytes, limit], (caches) => {
      for (const { name, bytes: held, limitBytes } of caches) {
        bytes.set({ cache: name }, held);
        limit.set({ cache: name }, limitBytes);
      }
    }),
  ];
}
