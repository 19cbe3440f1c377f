/** Spans on their way to a collector: batches, headers, a bound, and the count of what was lost. */

import { expect, setDefaultTimeout, test } from "bun:test";
import { TracerProvider } from "@opentelemetry/sdk-trace";
import type { TelemetryEvent } from "#telemetry.ts";
import { MOST_WAITING, openExport } from "#tracing/export.ts";
import { type Collector, startCollector } from "./collector.ts";

setDefaultTimeout(30_000);

function exportTo({ url }: Pick<Collector, "url">, headers: Readonly<Record<string, string>> = {}) {
  const emitted: TelemetryEvent[] = [];
  const { processor, counts } = openExport({
    ...{ url, headers, emit: (event) => void emitted.push(event), timeoutMilliseconds: 500 },
  });
  const tracer = new TracerProvider({ spanProcessors: [processor] }).getTracer("test");
  return {
    counts,
    add: (spans: number) => {
      for (let nth = 0; nth < spans; nth++) tracer.startSpan("work").end();
    },
    /** Sends what waits; a failure is counted, and is not the test's. */
    flush: () => processor.forceFlush().catch(() => {}),
    close: () => processor.shutdown(),
    kinds: () => emitted.map(({ kind }) => kind),
  };
}

test("spans go out together, with the headers that were given", async () => {
  const collector = startCollector();
  const { add, flush, counts } = exportTo(collector, { authorization: "Bearer of the test" });
  add(20);
  await flush();
  expect(counts()).toEqual({ exported: 20, dropped: 0, refused: 0 });
  expect(collector.requests.map(({ path }) => path)).toEqual(["/v1/traces"]);
  expect(collector.requests[0]?.headers.get("authorization")).toBe("Bearer of the test");
});

test("an outage is reported once, what it loses is counted, and so is its end", async () => {
  const collector = startCollector();
  const { port } = new URL(collector.url);
  await collector.stop();
  const { add, flush, counts, kinds } = exportTo(collector);
  add(MOST_WAITING + 300);
  expect(counts()).toEqual({ exported: 0, dropped: 300, refused: 0 });
  await flush();
  add(5);
  await flush();
  expect(counts()).toEqual({ exported: 0, dropped: MOST_WAITING + 305, refused: 0 });
  expect(kinds()).toEqual(["trace_collector_unavailable"]);

  const again = startCollector(Number(port));
  add(7);
  await flush();
  expect(again.spans()).toHaveLength(7);
  expect(counts().exported).toBe(7);
  expect(kinds()).toEqual(["trace_collector_unavailable", "trace_collector_recovered"]);
});

test("spans that the collector does not accept are refused; while it asks for patience they are dropped", async () => {
  const collector = startCollector();
  const { add, flush, counts } = exportTo(collector);
  collector.answerWith(() => new Response(null, { status: 400 }));
  add(2);
  await flush();
  expect(counts()).toEqual({ exported: 0, dropped: 0, refused: 2 });
  collector.answerWith(() => new Response(null, { status: 503 }));
  add(3);
  await flush();
  expect(counts()).toEqual({ exported: 0, dropped: 3, refused: 2 });
});

test("an address that leads elsewhere is not followed: headers may have a secret", async () => {
  const other = startCollector();
  const collector = startCollector();
  collector.answerWith(() => Response.redirect(other.url, 307));
  const { add, flush, counts } = exportTo(collector, { "x-secret": "secret" });
  add(1);
  await flush();
  expect(counts().exported).toBe(0);
  expect(other.requests).toEqual([]);
});

test("closing sends what is there", async () => {
  const collector = startCollector();
  const { add, close, counts } = exportTo(collector);
  add(1);
  await close();
  expect(collector.spans()).toHaveLength(1);
  expect(counts()).toEqual({ exported: 1, dropped: 0, refused: 0 });
});
