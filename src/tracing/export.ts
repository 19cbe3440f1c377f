/** Finished spans on their way to the collector: OpenTelemetry's queue and exporter, with counts of what was lost. */

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

/** About 1 MB. */
export const MOST_WAITING = 2_048;
const TIMEOUT_MILLISECONDS = 10_000;
const CLOSE_MILLISECONDS = 3_000;

export function openExport({
  url,
  headers,
  emit,
  timeoutMilliseconds: timeoutMillis = TIMEOUT_MILLISECONDS,
}: ExportOptions) {
  const exporter = new OTLPTraceExporter({ url, headers: { ...headers }, timeoutMillis });
  /** Spans accepted, lost while the collector was away, or refused. */
  const counts = { exported: 0, dropped: 0, refused: 0 };
  let waiting = 0;
  let isAway = false;

  const settle = (spans: number, { code, error }: ExportResult): void => {
    waiting -= spans;
    if (code === ExportResultCode.SUCCESS) {
      counts.exported += spans;
      if (isAway) emit({ kind: "trace_collector_recovered" });
      isAway = false;
      return;
    }
    // The exporter retries these four statuses: after them spans are lost, not refused.
    const status = (error as { readonly code?: unknown } | undefined)?.code;
    const isRefused = typeof status === "number" && ![429, 502, 503, 504].includes(status);
    counts[isRefused ? "refused" : "dropped"] += spans;
    const detail = typeof status === "number" ? `the collector answered ${status}` : String(error?.message);
    if (!isAway) emit({ kind: "trace_collector_unavailable", detail });
    isAway = true;
  };
  const batches = new BatchSpanProcessor({
    maxQueueSize: MOST_WAITING,
    exporter: {
      export: (spans, done) =>
        exporter.export(spans, (result) => {
          settle(spans.length, result);
          done(result);
        }),
      forceFlush: () => exporter.forceFlush(),
      shutdown: () => exporter.shutdown(),
    },
  });
  const processor: SpanProcessor = {
    onStart: (span, parent) => batches.onStart(span, parent),
    onEnd: (span) => {
      if (waiting >= MOST_WAITING) {
        counts.dropped += 1;
        return;
      }
      waiting += 1;
      batches.onEnd(span);
    },
    forceFlush: () => batches.forceFlush(),
    /** Resolves after three seconds at the latest. */
    shutdown: async () => {
      const late = Promise.withResolvers<void>();
      const timer = setTimeout(late.resolve, CLOSE_MILLISECONDS);
      await Promise.race([batches.shutdown().catch(() => {}), late.promise]);
      clearTimeout(timer);
      counts.dropped += waiting;
      waiting = 0;
    },
  };
  return { processor, counts: () => counts };
}
