/**
 * Metrics for operators. Their listener has a separate port: they are never public by accident. Events and requests are
 * counted as they happen, everything else is read at a scrape.
 */

import { readdirSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { Registry } from "prom-client";
import { hostNameOf, isNoPublicName, settingHostName } from "#domain/net/message.ts";
import { marketSession } from "#domain/time/calendar.ts";
import type { Clock } from "#ports.ts";
import type { Emit } from "#telemetry.ts";
import { countAccounts } from "./accounts.ts";
import { countEvents, countRequests } from "./events.ts";
import { type MetricsReaders, READINGS } from "./gauges.ts";
import { counters, type Shown, shown } from "./instruments.ts";

export type Metrics = ReturnType<typeof createMetrics>;

/** Two sets of metrics share nothing. */
export function createMetrics(clock: Clock, version: string) {
  const registry = new Registry();
  const readProcess = processReader(clock, version);
  const showProcess = shown(registry, PROCESS);
  const countRequest = countRequests(registry);
  const emit = countEvents(registry);
  const accounts = countAccounts(registry);
  const { errors } = counters(registry, {
    errors:
      "crossrate_scrape_errors_total{reader} Times a scrape had to leave metrics out because their reader failed.",
  });
  const all = Object.entries(READINGS).map(([name, metrics]) => {
    // `hot_book` of `hotBook`.
    const reader = name.replace(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`);
    errors.inc({ reader }, 0);
    return { name: name as keyof MetricsReaders, reader, show: shown(registry, metrics as Shown<unknown>) };
  });
  let readers: Partial<MetricsReaders> = {};

  return {
    emit,
    countRequest,
    accounts,
    /** From now on scrapes call these readers; a metric without a reader has no samples. */
    readFrom: (opened: Partial<MetricsReaders>): void => {
      readers = opened;
    },
    text: async (): Promise<string> => {
      const now = clock.now();
      showProcess(readProcess(), now);
      const refreshed = all.map(async ({ name, reader, show }) => {
        try {
          show(await readers[name]?.(), now);
        } catch {
          show(undefined, now);
          errors.inc({ reader });
        }
      });
      await Promise.all(refreshed);
      return await registry.metrics();
    },
    contentType: registry.contentType,
  };
}

/** Leaves out the library's default metrics: under Bun some are empty, and some measure something else. */
const PROCESS: Shown<ReturnType<ReturnType<typeof processReader>>> = {
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

function processReader(clock: Clock, version: string) {
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

export interface MetricsServerOptions {
  readonly port: number;
  readonly host?: string;
  /** Further Host names to answer for, beside those of the loopback address and `host`. */
  readonly allowedHosts?: readonly string[];
  readonly metrics: Pick<Metrics, "text" | "contentType">;
  readonly emit: Emit;
}

const LOOPBACK = "127.0.0.1";
const ALLOWED = "GET, HEAD";
/** No body is read. A wrong method with a small body gets 405, not 413. */
const LARGEST_BODY_BYTES = 4_096;

export type MetricsServer = ReturnType<typeof startMetricsServer>;

/** Serves GET /metrics and GET /health. Throws when the port is taken. */
export function startMetricsServer(options: MetricsServerOptions) {
  const { port, host = LOOPBACK, emit } = options;
  const server = Bun.serve({
    port,
    hostname: host,
    reusePort: false,
    development: false,
    maxRequestBodySize: LARGEST_BODY_BYTES,
    fetch: (request) => answer(options, request),
    error: (fault) => {
      emit({ kind: "job_failed", job: "metrics", error: fault.message });
      return plain(500, "the metrics could not be rendered, see the log");
    },
  });
  const url = `http://${host.includes(":") ? `[${host}]` : host}:${server.port}`;
  emit({ kind: "listener_started", listener: "metrics", url: `${url}/metrics` });
  /** `stop` resolves when nothing listens any more. */
  return { url, stop: () => server.stop(true) };
}

async function answer(options: MetricsServerOptions, request: Request): Promise<Response> {
  // Without a Host the URL is a path alone.
  const path = URL.parse(request.url, `http://${LOOPBACK}`)?.pathname;
  const host = request.headers.get("host") ?? "";
  const isProbe = host === "" && path === "/health";
  if (!isProbe && !isOwnName(options, hostNameOf(host)))
    return plain(
      421,
      "this listener does not answer for that Host; the operator can add a name to ALLOWED_HOSTS",
    );
  if (path !== "/metrics" && path !== "/health") return plain(404, "not found; try /metrics");
  if (request.method !== "GET" && request.method !== "HEAD") {
    return plain(405, `only ${ALLOWED}`, { Allow: ALLOWED });
  }
  if (path === "/health")
    return Response.json({ status: "ok" }, { headers: { "Cache-Control": "no-store" } });
  const { metrics } = options;
  return new Response(await metrics.text(), {
    headers: { "Content-Type": metrics.contentType, "Cache-Control": "no-store" },
  });
}

/** Returns whether a Host means this listener. Another site can point a name of its own here, and its pages then send that name. */
function isOwnName({ host = LOOPBACK, allowedHosts = [] }: MetricsServerOptions, name: string | null) {
  if (name === null) return false;
  return isNoPublicName(name) || name === settingHostName(host) || allowedHosts.includes(name);
}

function plain(status: number, text: string, headers: Record<string, string> = {}): Response {
  return new Response(`${text}\n`, {
    status,
    headers: { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store", ...headers },
  });
}
