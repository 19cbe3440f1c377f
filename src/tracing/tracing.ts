/** Traces of a process: a span for each request, and for the export that it made; finished ones go to the collector. */

import { AsyncLocalStorage } from "node:async_hooks";
import {
  type Attributes,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";
import { type ExportResult, ExportResultCode, parseTraceParent } from "@opentelemetry/core";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  type SpanProcessor,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import type { Emit, TelemetryEvent } from "#telemetry.ts";

type Root = "always_on" | "always_off" | "traceidratio";
export type SamplerName = Root | `parentbased_${Root}`;

export interface TracingOptions {
  readonly processor: SpanProcessor;
  readonly sampler: SamplerName;
  /** Share of traces for a sampler by ratio, 0 to 1. */
  readonly ratio: number;
  readonly version: string;
  /** service.name and other facts of the process. */
  readonly resource: Attributes;
  readonly publicUrl: string;
}

type EventOf<Kind> = Extract<TelemetryEvent, { readonly kind: Kind }>;
type Answer = (request: Request) => Response | Promise<Response>;

/** Another method could be arbitrary text of a caller. */
const METHODS: ReadonlySet<string> = new Set(
  "CONNECT DELETE GET HEAD OPTIONS PATCH POST PUT TRACE".split(" "),
);
const UNMATCHED = "unmatched";

const CLOSE_MILLISECONDS = 3_000;

/** Traces what passes through these functions. */
export function createTracing(options: TracingOptions) {
  const { processor, sampler, ratio, version, resource, publicUrl } = options;
  const { protocol, hostname } = new URL(publicUrl);
  const shared = { "url.scheme": protocol.slice(0, -1), "server.address": hostname };
  const provider = new TracerProvider({
    resource: resourceFromAttributes(resource),
    sampler: samplerOf(sampler, ratio),
    spanProcessors: [processor],
  });
  const tracer = provider.getTracer("crossrate", version);
  const requests = new AsyncLocalStorage<{ readonly span: Span; readonly method: string }>();

  const begin = (request: Request) => {
    const method = METHODS.has(request.method) ? request.method : "_OTHER";
    const parent = parseTraceParent(request.headers.get("traceparent") ?? "");
    const context =
      parent === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, { ...parent, isRemote: true });
    return { span: tracer.startSpan(wordOf(method), { kind: SpanKind.SERVER }, context), method };
  };
  const addExport = (parent: Span, { format, bytes, milliseconds }: EventOf<"export_made">): void => {
    const endedAt = Date.now();
    const attributes = { "crossrate.export.format": format, "crossrate.export.bytes": bytes };
    const startTime = endedAt - milliseconds;
    tracer.startSpan("export", { startTime, attributes }, trace.setSpan(ROOT_CONTEXT, parent)).end(endedAt);
  };

  return {
    answering:
      (answer: Answer): Answer =>
      (request) =>
        requests.run(begin(request), answer, request),
    /** Ends the span when the answer exists. The span has no path, query or caller. */
    countRequest: (route: string, status: number): void => {
      const request = requests.getStore();
      if (request?.span.isRecording() !== true) return;
      const { span, method } = request;
      if (route !== UNMATCHED)
        span.updateName(`${wordOf(method)} ${route}`).setAttribute("http.route", route);
      span.setAttributes({
        ...shared,
        "http.request.method": method,
        "http.response.status_code": status,
        ...(status >= 500 ? { "error.type": String(status) } : {}),
      });
      if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    },
    /** Adds the trace to the event of a failed request, and the span of an export under the request that it was made for. */
    emitting:
      (emit: Emit): Emit =>
      (event) => {
        const span = requests.getStore()?.span;
        if (event.kind === "export_made" && span !== undefined) addExport(span, event);
        const isFailed = event.kind === "request_failed" && span !== undefined;
        emit(isFailed ? { ...event, traceId: span.spanContext().traceId } : event);
      },
    /** Sends what is there, for three seconds at the most. */
    close: async (): Promise<void> => {
      const late = Promise.withResolvers<void>();
      const timer = setTimeout(late.resolve, CLOSE_MILLISECONDS);
      await Promise.race([provider.shutdown().catch(() => {}), late.promise]);
      clearTimeout(timer);
    },
  };
}

function wordOf(method: string): string {
  return method === "_OTHER" ? "HTTP" : method;
}

function samplerOf(name: SamplerName, ratio: number): Sampler {
  if (name.startsWith("parentbased_"))
    return new ParentBasedSampler({ root: samplerOf(name.slice("parentbased_".length) as Root, ratio) });
  if (name === "traceidratio") return new TraceIdRatioBasedSampler(ratio);
  return name === "always_on" ? new AlwaysOnSampler() : new AlwaysOffSampler();
}

// ── Finished spans on their way to the collector ─────────────────────────────────────────────────

interface ExportOptions {
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

/** Sends by OpenTelemetry's queue and exporter. An outage is an event. */
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
