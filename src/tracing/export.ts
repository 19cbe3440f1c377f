/** Finished spans on their way to the collector, by OpenTelemetry's queue and exporter. An outage is an event. */

import { type ExportResult, ExportResultCode } from "@opentelemetry/core";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { BatchSpanProcessor, type SpanProcessor } from "@opentelemetry/sdk-trace";
import type { Emit } from "#telemetry.ts";

export interface ExportOptions {
  /** Complete, with /v1/traces. */
  readonly url: string;
  /** Values may be secret. */
  readonly headers: Readonly<Record<string, string>>;
  readonly emit: Emit;
  readonly timeoutMilliseconds?: number;
}

/** Spans that wait at the most, about 1 MB; further ones are dropped. */
const MOST_WAITING = 2_048;
const TIMEOUT_MILLISECONDS = 10_000;

export function openExport({
  url,
  headers,
  emit,
  timeoutMilliseconds: timeoutMillis = TIMEOUT_MILLISECONDS,
}: ExportOptions): SpanProcessor {
  const exporter = new OTLPTraceExporter({ url, headers: { ...headers }, timeoutMillis });
  let isAway = false;
  const note = ({ code, error }: ExportResult): void => {
    const wasAway = isAway;
    isAway = code !== ExportResultCode.SUCCESS;
    const status = (error as { readonly code?: unknown } | undefined)?.code;
    const detail = typeof status === "number" ? `the collector answered ${status}` : String(error?.message);
    if (isAway && !wasAway) emit({ kind: "trace_collector_unavailable", detail });
    if (!isAway && wasAway) emit({ kind: "trace_collector_recovered" });
  };
  return new BatchSpanProcessor({
    maxQueueSize: MOST_WAITING,
    exporter: {
      export: (spans, done) =>
        exporter.export(spans, (result) => {
          note(result);
          done(result);
        }),
      forceFlush: () => exporter.forceFlush(),
      shutdown: () => exporter.shutdown(),
    },
  });
}
