/** Which spans there are of requests, what they say, and what they never say. */

import { expect, test } from "bun:test";
import { SpanKind, SpanStatusCode } from "@opentelemetry/api";
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import type { TelemetryEvent } from "#telemetry.ts";
import { openTestApp } from "#test/api/harness.ts";
import { SAMPLE_EVENTS } from "#test/metrics/sample-events.ts";
import { createTracing, openExport, type SamplerName } from "#tracing/tracing.ts";
import { type Collector, startCollector } from "./collector.ts";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const PARENT = "00f067aa0ba902b7";

/** The application under traces, and the spans that it makes. */
function traced(
  changes: Parameters<typeof openTestApp>[0] = {},
  sampler: SamplerName = "parentbased_always_on",
  ratio = 1,
) {
  const exporter = new InMemorySpanExporter();
  const events: TelemetryEvent[] = [];
  const tracing = createTracing({
    processor: new SimpleSpanProcessor({ exporter }),
    ...{ sampler, ratio, version: "1.2.3", resource: { "service.name": "crossrate" } },
    publicUrl: "https://rates.example:8443",
  });
  const emit = tracing.emitting((event) => void events.push(event));
  const countRequest = tracing.countRequest;
  const answer = tracing.answering(openTestApp({ emit, countRequest, ...changes }).answer);
  const ask = async (path: string, headers: Record<string, string> = {}, method = "GET") =>
    await answer(
      new Request(`http://localhost${path}`, { method, headers: { host: "localhost", ...headers } }),
    );
  const spans = () =>
    exporter.getFinishedSpans().map((span) => ({
      ...{ name: span.name, kind: span.kind, attributes: span.attributes },
      isFailed: span.status.code === SpanStatusCode.ERROR,
      ...{ traceId: span.spanContext().traceId, spanId: span.spanContext().spanId },
      parentId: span.parentSpanContext?.spanId,
      isParentRemote: span.parentSpanContext?.isRemote === true,
    }));
  return { tracing, spans, events, emit, ask };
}

test("a request is a span by the conventions of HTTP, named after its route", async () => {
  const { spans, ask } = traced();
  await ask("/v1/latest/EUR?symbols=USD");
  expect(spans()).toHaveLength(1);
  expect(spans()[0]).toMatchObject({
    name: "GET /v1/latest/:path_base",
    kind: SpanKind.SERVER,
    parentId: undefined,
    isFailed: false,
  });
  expect(spans()[0]?.attributes).toEqual({
    ...{ "url.scheme": "https", "server.address": "rates.example", "http.request.method": "GET" },
    ...{ "http.route": "/v1/latest/:path_base", "http.response.status_code": 200 },
  });
});

test("an answer that was ready has its span, too", async () => {
  const { spans, ask } = traced();
  for (let nth = 0; nth < 3; nth++) await ask("/v1/latest/EUR");
  expect(spans().map(({ name }) => name)).toEqual(
    Array.from({ length: 3 }, () => "GET /v1/latest/:path_base"),
  );
  expect(new Set(spans().map(({ traceId }) => traceId)).size).toBe(3);
});

test("a path of no route and a method of no standard leave no words of the caller's", async () => {
  const { spans, ask } = traced();
  await ask("/people/jane@example.com?key=secret");
  await ask("/v1/latest/EUR", {}, "PROPFIND");
  expect(spans().map(({ name }) => name)).toEqual(["GET", "HTTP /v1/latest/:path_base"]);
  expect(spans()[1]?.attributes["http.request.method"]).toBe("_OTHER");
  expect(JSON.stringify(spans())).not.toMatch(/jane|secret/i);
});

test("a caller's trace goes on here, and the caller decides whether it is sent", async () => {
  const { spans, ask } = traced();
  await ask("/health", { traceparent: `00-${TRACE}-${PARENT}-00` });
  expect(spans()).toEqual([]);
  await ask("/health", { traceparent: `00-${TRACE}-${PARENT}-01` });
  expect(spans()).toMatchObject([{ traceId: TRACE, parentId: PARENT, isParentRemote: true }]);
  expect(spans()[0]?.spanId).not.toBe(PARENT);
});

test.each([
  ["no trace", `00-${"0".repeat(32)}-${PARENT}-00`],
  ["a short trace", `00-${TRACE.slice(1)}-${PARENT}-00`],
])("a traceparent that is none begins a trace of its own: %s", async (_, traceparent) => {
  const { spans, ask } = traced();
  await ask("/health", { traceparent });
  expect(spans()).toMatchObject([{ parentId: undefined, isParentRemote: false }]);
  expect(spans()[0]?.traceId).not.toBe(TRACE);
});

test("a sampler by ratio sends its share", async () => {
  const { spans, ask } = traced({}, "traceidratio", 0.25);
  for (let nth = 0; nth < 1_000; nth++) await ask("/health");
  expect(Math.abs(spans().length / 1_000 - 0.25)).toBeLessThan(0.08);
});

test("with a sampler that does not go by callers none of them can have traces sent", async () => {
  const { spans, ask } = traced({}, "always_off");
  await ask("/health", { traceparent: `00-${TRACE}-${PARENT}-01` });
  expect(spans()).toEqual([]);
});

test("a fault of the program is a failed span, and its log line has the trace", async () => {
  const dataset = () => {
    throw new TypeError("a mistake");
  };
  const { spans, events, ask } = traced({ pinned: dataset, recall: dataset as never, dataset });
  const answer = await ask("/v1/currencies", { traceparent: `00-${TRACE}-${PARENT}-01` });
  expect(answer.status).toBe(500);
  expect(spans()).toMatchObject([{ isFailed: true, traceId: TRACE, attributes: { "error.type": "500" } }]);
  expect(events).toMatchObject([{ kind: "request_failed", traceId: TRACE }]);
});

test("a refusal is not the server's fault", async () => {
  const { spans, ask } = traced();
  expect((await ask("/v1/latest/XXX")).status).toBe(400);
  expect(spans()).toMatchObject([{ isFailed: false, attributes: { "http.response.status_code": 400 } }]);
  expect(spans()[0]?.attributes["error.type"]).toBeUndefined();
});

test("events outside of a request make no span", () => {
  const { spans, emit, events } = traced();
  for (const event of Object.values(SAMPLE_EVENTS)) emit(event);
  expect(events).toEqual(Object.values(SAMPLE_EVENTS));
  expect(spans()).toEqual([]);
});

// Spans on their way to a collector: batches, headers, and an outage.
function exportTo({ url }: Pick<Collector, "url">, headers: Readonly<Record<string, string>> = {}) {
  const emitted: TelemetryEvent[] = [];
  const emit = (event: TelemetryEvent) => void emitted.push(event);
  const processor = openExport({ url, headers, emit, timeoutMilliseconds: 500 });
  const tracer = new TracerProvider({ spanProcessors: [processor] }).getTracer("test");
  return {
    /** Sends so many spans; a failure is not the test's. */
    send: async (spans: number) => {
      for (let nth = 0; nth < spans; nth++) tracer.startSpan("work").end();
      await processor.forceFlush().catch(() => {});
    },
    kinds: () => emitted.map(({ kind }) => kind),
  };
}

test("spans go out together, with the headers that were given", async () => {
  const collector = startCollector();
  const { send, kinds } = exportTo(collector, { authorization: "Bearer of the test" });
  await send(20);
  expect(collector.spans()).toHaveLength(20);
  expect(collector.requests.map(({ path }) => path)).toEqual(["/v1/traces"]);
  expect(collector.requests[0]?.headers.get("authorization")).toBe("Bearer of the test");
  expect(kinds()).toEqual([]);
});

test("an outage is reported once, and so is its end", async () => {
  const collector = startCollector();
  const { port } = new URL(collector.url);
  await collector.stop();
  const { send, kinds } = exportTo(collector);
  await send(3);
  await send(5);
  expect(kinds()).toEqual(["trace_collector_unavailable"]);
  const again = startCollector(Number(port));
  await send(7);
  expect(again.spans()).toHaveLength(7);
  expect(kinds()).toEqual(["trace_collector_unavailable", "trace_collector_recovered"]);
});

test("an address that leads elsewhere is not followed: headers may have a secret", async () => {
  const other = startCollector();
  const collector = startCollector();
  collector.answerWith(() => Response.redirect(other.url, 307));
  const { send, kinds } = exportTo(collector, { "x-secret": "secret" });
  await send(1);
  expect(kinds()).toEqual(["trace_collector_unavailable"]);
  expect(other.requests).toEqual([]);
});
