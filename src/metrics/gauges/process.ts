/** Gauges of the process itself and of what it holds for clients: event loop, memory, connections, caches. Read at a scrape. */

import { readdirSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { Counter, type Registry } from "prom-client";
import type { Instant } from "#domain/time/day.ts";
import { marketSession } from "#domain/time/session.ts";
import { gauge } from "#metrics/instruments.ts";
import type { MetricsReaders } from "#metrics/readers.ts";
import { group, type ReaderGroup } from "#metrics/scrape.ts";

export interface ProcessGauges {
  refresh(now: Instant): void;
  stop(): void;
}

/**
 * The library's own default metrics are left out: under Bun they are partly empty, and partly another runtime's name
 * for something else.
 */
export function processGauges(registry: Registry, startedAt: Instant, version: string): ProcessGauges {
  const build = gauge(registry, "crossrate_build_info", "Always 1; the labels say what is running.", [
    "version",
    "runtime",
  ]);
  const open = gauge(registry, "crossrate_market_open", "1 while the interbank market trades, else 0.");
  const lag = gauge(
    registry,
    "crossrate_event_loop_delay_seconds",
    "Longest time in the last one to two minutes by which a timer came late, in seconds.",
  );
  const heap = gauge(
    registry,
    "crossrate_heap_used_bytes",
    "Memory in use on the JavaScript heap, in bytes.",
  );
  const resident = gauge(registry, "process_resident_memory_bytes", "Resident memory size in bytes.");
  const files = gauge(registry, "process_open_fds", "Number of open file descriptors.");
  const start = gauge(
    registry,
    "process_start_time_seconds",
    "Start time of the process since unix epoch in seconds.",
  );
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
  const loop = watchEventLoop();
  build.set({ version, runtime: `bun ${Bun.version}` }, 1);
  start.set({}, startedAt / 1000);
  return {
    refresh(now) {
      const { rss, heapUsed } = process.memoryUsage();
      open.set({}, marketSession(now) === "open" ? 1 : 0);
      lag.set({}, loop.longest());
      heap.set({}, heapUsed);
      resident.set({}, rss);
      files.set({}, openFiles());
    },
    stop: loop.stop,
  };
}

/** The part of the runtime's histogram that is read here; delays in nanoseconds. */
export interface DelayHistogram {
  readonly count: number;
  readonly max: number;
  reset(): void;
}

/**
 * Longest delay of a window that slides in halves, so that reading it changes nothing and two scrapers see the same. `turn` is
 * to be called every half window; `longest` is in seconds, null before the first measurement.
 */
export function delayWindow(histogram: DelayHistogram) {
  let previous: number | null = null;
  const current = () => (histogram.count === 0 ? null : histogram.max / NANOSECONDS);
  histogram.reset();
  return {
    turn: () => {
      previous = current();
      histogram.reset();
    },
    longest: () => {
      const now = current();
      return now === null ? previous : Math.max(now, previous ?? 0);
    },
  };
}

const NANOSECONDS = 1e9;
const HALF_WINDOW_MILLISECONDS = 60_000;

/**
 * Measures this process until stopped; does not keep it alive. Bun has one histogram for the whole process: it stays enabled,
 * for another set of metrics may read it.
 */
function watchEventLoop() {
  const histogram = monitorEventLoopDelay({ resolution: 20 });
  histogram.enable();
  const { turn, longest } = delayWindow(histogram);
  const timer = setInterval(turn, HALF_WINDOW_MILLISECONDS);
  timer.unref();
  return { longest, stop: () => clearInterval(timer) };
}

/** Without the one that listing them takes; null where the system does not list them. */
function openFiles(): number | null {
  try {
    return readdirSync("/proc/self/fd").length - 1;
  } catch {
    return null;
  }
}

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
