/** The listener for Prometheus: a separate port, so that operators' figures are never public by accident. */

import { hostNameOf, isNoPublicName, LOOPBACK_NAMES, settingHostName } from "#domain/net/message.ts";
import type { Emit } from "#telemetry.ts";
import type { Metrics } from "./metrics.ts";

export interface MetricsServerOptions {
  /** 0 takes any free one. */
  readonly port: number;
  /** Loopback by default. */
  readonly host?: string;
  /** Names to answer for besides those of the loopback address and `host`. */
  readonly allowedHosts?: readonly string[];
  readonly metrics: Pick<Metrics, "text" | "contentType">;
  readonly emit: Emit;
}

export interface MetricsServer {
  readonly url: string;
  /** Resolves when nothing listens any more; scrapes under way are cut off. */
  stop(): Promise<void>;
}

const LOOPBACK = "127.0.0.1";
const ALLOWED = "GET, HEAD";
/** No body is ever read; this much may come, so that a wrong method is answered as that. */
const LARGEST_BODY_BYTES = 4_096;

/** Serves GET /metrics and GET /health. Throws when the port is taken. */
export function startMetricsServer(options: MetricsServerOptions): MetricsServer {
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

/**
 * Whether a Host means this listener. A page of another site that had its name point here sends that name. A listener for other machines is
 * asked by their names for it, too.
 */
function isOwnName(
  { host = LOOPBACK, allowedHosts = [] }: MetricsServerOptions,
  name: string | null,
): boolean {
  if (name === null) return false;
  const listens = settingHostName(host) ?? LOOPBACK;
  if (LOOPBACK_NAMES.has(name) || name === listens || allowedHosts.includes(name)) return true;
  return !LOOPBACK_NAMES.has(listens) && isNoPublicName(name);
}

function plain(status: number, text: string, headers: Record<string, string> = {}): Response {
  return new Response(`${text}\n`, {
    status,
    headers: { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store", ...headers },
  });
}
