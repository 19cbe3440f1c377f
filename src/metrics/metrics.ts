/**
 * Metrics for operators. Their listener has a separate port: they are never public by accident. Events and requests are
 * counted as they happen, everything else is read at a scrape.
 */

import { Registry } from "prom-client";
import { hostNameOf, isNoPublicName, settingHostName } from "#domain/net/message.ts";
import type { Clock } from "#ports.ts";
import type { Emit } from "#telemetry.ts";
import { countAccounts } from "./accounts.ts";
import { countEvents, countRequests } from "./events.ts";
import { type MetricsReaders, READINGS } from "./gauges.ts";
import { counters, type Shown, shown } from "./instruments.ts";
import { PROCESS, processReader } from "./process.ts";

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
    readFrom: (given: Partial<MetricsReaders>): void => {
      readers = given;
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
