/** Gauges of the process: event loop, memory, connections, caches. They are read at a scrape. */

import { promises, readdirSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { Counter, type Registry } from "prom-client";
import { marketSession } from "#domain/time/calendar.ts";
import type { Instant } from "#domain/time/day.ts";
import { gauges, group, type ReaderGroup, totals } from "./instruments.ts";
import type { MetricsReaders } from "./readers.ts";

const NANOSECONDS = 1e9;

/** Leaves out the library's default metrics: under Bun some are empty, and some measure something else. */
export function processGauges(registry: Registry, startedAt: Instant, version: string) {
  const metrics = gauges(registry, {
    build: "crossrate_build_info{version,runtime} Always 1; the labels say what is running.",
    open: "crossrate_market_open 1 while the interbank market trades, else 0.",
    lag: "crossrate_event_loop_delay_seconds Longest time since the last scrape by which a timer came late, in seconds.",
    heap: "crossrate_heap_used_bytes Memory in use on the JavaScript heap, in bytes.",
    resident: "process_resident_memory_bytes Resident memory size in bytes.",
    files: "process_open_fds Number of open file descriptors.",
    start: "process_start_time_seconds Start time of the process since unix epoch in seconds.",
  });
  new Counter({
    name: "process_cpu_seconds_total",
    help: "Total user and system CPU time spent in seconds.",
    registers: [registry],
    collect() {
      const { user, system } = process.cpuUsage();
      this.reset();
      this.inc((user + system) / 1_000_000);
    },
  });
  // Bun has one histogram for the whole process.
  const delays = monitorEventLoopDelay({ resolution: 20 });
  delays.enable();
  metrics.build.set({ version, runtime: `bun ${Bun.version}` }, 1);
  metrics.start.set({}, startedAt / 1000);
  return {
    refresh(now: Instant) {
      const { rss, heapUsed } = process.memoryUsage();
      metrics.open.set({}, marketSession(now) === "open" ? 1 : 0);
      metrics.lag.set({}, delays.count === 0 ? null : delays.max / NANOSECONDS);
      delays.reset();
      metrics.heap.set({}, heapUsed);
      metrics.resident.set({}, rss);
      metrics.files.set({}, openFiles());
    },
  };
}

/** Null where the system does not list them. */
function openFiles(): number | null {
  try {
    return readdirSync("/proc/self/fd").length - 1;
  } catch {
    return null;
  }
}

export function listenerGauges(registry: Registry): readonly ReaderGroup<keyof MetricsReaders>[] {
  const ofListener = gauges(registry, {
    connections: "crossrate_http_open_connections Connections to the API's port that are established now.",
    inFlight:
      "crossrate_http_requests_in_flight Requests with answers that are made or sent now, streams among them.",
  });
  const ofCaches = gauges(registry, {
    bytes: "crossrate_cache_bytes{cache} Memory that a cache holds now, in bytes.",
    limit:
      "crossrate_cache_limit_bytes{cache} Memory that a cache may hold, in bytes; caches can share one bound.",
  });
  const ofTraces = totals(registry, {
    spans: "crossrate_trace_spans_total{outcome} Spans of traces, by what became of them.",
  });
  return [
    group("traces", ofTraces, (spans) => {
      for (const outcome of ["exported", "dropped", "refused"] as const)
        ofTraces.spans.set({ outcome }, spans[outcome]);
    }),
    group("listener", ofListener, ({ connections, requestsInFlight }) => {
      ofListener.connections.set({}, connections);
      ofListener.inFlight.set({}, requestsInFlight);
    }),
    group("caches", ofCaches, (caches) => {
      for (const { name: cache, bytes, limitBytes } of caches) {
        ofCaches.bytes.set({ cache }, bytes);
        ofCaches.limit.set({ cache }, limitBytes);
      }
    }),
  ];
}

/** One list for each protocol; that of IPv6 is missing where the system has none. */
const LISTS = ["/proc/net/tcp", "/proc/net/tcp6"] as const;
const ESTABLISHED = "01";

/**
 * Returns the number of established connections to a TCP port in this network namespace, also of those that wait to be
 * accepted. Null where the system does not list them (it is not Linux).
 */
export async function connectionsOf(port: number): Promise<number | null> {
  const texts = await Promise.all(LISTS.map(textOf));
  const found = texts.filter((text) => text !== null);
  if (found.length === 0) return null;
  return found.reduce((sum, text) => sum + establishedIn(text, port), 0);
}

async function textOf(path: string): Promise<string | null> {
  try {
    return await promises.readFile(path, "latin1");
  } catch (fault) {
    if ((fault as { code?: unknown }).code === "ENOENT") return null;
    throw fault;
  }
}

/**
 * Counts lines with the port on the local side: `sl local:port remote:port state …`, ports in hexadecimal. A client on
 * the same machine has a line with the port on the remote side.
 */
function establishedIn(text: string, port: number): number {
  const own = `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  let count = 0;
  for (const line of text.split("\n")) {
    const [, local = "", , state] = line.trim().split(/ +/, 4);
    if (state === ESTABLISHED && local.endsWith(own)) count += 1;
  }
  return count;
}
