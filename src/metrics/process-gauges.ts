/** Gauges of the process itself, under the names that Prometheus gives them everywhere. Read at a scrape. */

import { readdirSync } from "node:fs";
import { Counter, type Registry } from "prom-client";
import type { Instant } from "#domain/time/day.ts";
import { marketSession } from "#domain/time/session.ts";
import { watchEventLoop } from "./event-loop.ts";
import { gauge } from "./gauge.ts";

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
      const longest = loop.longest();
      open.set({}, marketSession(now) === "open" ? 1 : 0);
      lag.set({}, longest === null ? null : longest / 1000);
      heap.set({}, heapUsed);
      resident.set({}, rss);
      files.set({}, openFiles());
    },
    stop: loop.stop,
  };
}

/** Without the one that listing them takes; null where the system does not list them. */
function openFiles(): number | null {
  try {
    return readdirSync("/proc/self/fd").length - 1;
  } catch {
    return null;
  }
}
