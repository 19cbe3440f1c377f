/** What watches a server: metrics and traces, each where it is configured. Without them everything passes as it is. */

import type { CountRequest } from "#api/request/count-request.ts";
import type { Config } from "#config.ts";
import type { Watch } from "#metrics/watch.ts";
import type { Clock } from "#ports.ts";
import { ENGINE_CHANNEL } from "#store/parquet/engine.ts";
import type { Emit } from "#telemetry.ts";
import type { Tracing } from "#tracing/tracing.ts";
import { UNWATCHED } from "./accounts/metrics.ts";
import { type MetricsSources, openMetrics } from "./metrics.ts";
import { servingSettings } from "./route-deps.ts";

interface ObservationOptions {
  readonly clock: Clock;
  readonly emit: Emit;
  readonly version: string;
  /** Commands are not watched. */
  readonly serves?: boolean;
}

type Answering = { readonly answer: (request: Request) => Response | Promise<Response> };

/** Rejects when the port of the metrics is taken. */
export async function openObservation(config: Config, options: ObservationOptions) {
  const { version, serves = false } = options;
  const { allowedHosts } = config;
  const metrics =
    serves && config.metrics !== null
      ? await openMetrics({ ...config.metrics, allowedHosts }, options)
      : null;
  const emit = metrics?.emit ?? options.emit;
  const tracing = serves && config.traces !== null ? await openTracing(config, version, emit) : null;
  const isWatching = metrics !== null || tracing !== null;
  return {
    emit: tracing?.emitting(emit) ?? emit,
    /** For the HTTP surface. */
    http: isWatching ? { countRequest: countBy(metrics?.countRequest, tracing?.countRequest) } : {},
    /** For the accounts. */
    accounts: isWatching ? { watch: watchBy(metrics?.watch ?? UNWATCHED, tracing) } : {},
    app: <App extends Answering>(app: App): App =>
      tracing === null ? app : { ...app, answer: tracing.answering(app.answer) },
    readFrom: (sources: Omit<MetricsSources, "traces">) =>
      metrics?.readFrom({ ...sources, traces: tracing?.counts ?? null }),
    /** To be called last: spans are made until everything else is closed. */
    close: async () => {
      await metrics?.close();
      await tracing?.close();
    },
  };
}

function countBy(count: CountRequest | undefined, trace: Tracing["countRequest"] | undefined): CountRequest {
  return (route, status, milliseconds, bytes) => {
    count?.(route, status, milliseconds, bytes);
    trace?.(route, status);
  };
}

function watchBy(watch: Watch, tracing: Tracing | null): Watch {
  if (tracing === null) return watch;
  return { ...watch, outbox: (outbox) => tracing.outbox(watch.outbox(outbox)) };
}

/** Loaded only where a collector is named. */
async function openTracing(config: Config, version: string, emit: Emit) {
  const { url, headers, serviceName, resourceAttributes, sampler, ratio } = config.traces as NonNullable<
    Config["traces"]
  >;
  const { createTracing } = await import("#tracing/tracing.ts");
  const { openExport } = await import("#tracing/export.ts");
  const own = { "service.name": serviceName, "service.version": version };
  const { publicUrl } = servingSettings(config);
  const { processor, counts } = openExport({ url, headers, emit });
  const tracing = createTracing({
    ...{ processor, sampler, ratio, version, publicUrl, engineChannel: ENGINE_CHANNEL },
    resource: { "service.instance.id": crypto.randomUUID(), ...resourceAttributes, ...own },
  });
  return { ...tracing, counts };
}
