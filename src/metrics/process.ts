/** What a scrape says of the process: event loop, memory, files. */

import { readdirSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { marketSession } from "#domain/time/calendar.ts";
import type { Clock } from "#ports.ts";
import type { Shown } from "./instruments.ts";

/** Leaves out the library's default metrics: under Bun some are empty, and some measure something else. */
export const PROCESS: Shown<ReturnType<ReturnType<typeof processReader>>> = {
  "crossrate_build_info{version,runtime} Always 1; the labels say what is running.": ({ version }) => [
    [{ version, runtime: `bun ${Bun.version}` }, 1],
  ],
  "crossrate_market_open 1 while the interbank market trades, else 0.": (_, now) =>
    Number(marketSession(now) === "open"),
  "crossrate_event_loop_delay_seconds Longest time since the last scrape by which a timer came late, in seconds.":
    (process) => (process.delayNanoseconds === null ? null : process.delayNanoseconds / 1e9),
  "crossrate_heap_used_bytes Memory in use on the JavaScript heap, in bytes.": (process) => process.heapBytes,
  "process_resident_memory_bytes Resident memory size in bytes.": (process) => process.residentBytes,
  "process_open_fds Number of open file descriptors.": openFiles,
  "process_start_time_seconds Start time of the process since unix epoch in seconds.": (process) =>
    process.startedAt / 1000,
  "process_cpu_seconds_total Total user and system CPU time spent in seconds.": (process) =>
    process.cpuMicroseconds / 1_000_000,
};

export function processReader(clock: Clock, version: string) {
  const startedAt = clock.now() - process.uptime() * 1000;
  // Bun has one histogram for the whole process.
  const delays = monitorEventLoopDelay({ resolution: 20 });
  delays.enable();
  return () => {
    // The longest since the last reading; null before the first beat.
    const delayNanoseconds = delays.count === 0 ? null : delays.max;
    delays.reset();
    const { rss: residentBytes, heapUsed: heapBytes } = process.memoryUsage();
    const { user, system } = process.cpuUsage();
    return { version, startedAt, delayNanoseconds, heapBytes, residentBytes, cpuMicroseconds: user + system };
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
