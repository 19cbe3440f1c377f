/** Spans on their way to a collector: batches, headers, and an outage. */

import { expect, test } from "bun:test";
import { TracerProvider } from "@opentelemetry/sdk-trace";
import type { TelemetryEvent } from "#telemetry.ts";
import { openExport } from "#tracing/tracing.ts";
import { type Collector, startCollector } from "./collector.ts";

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
