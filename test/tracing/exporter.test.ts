/** Spans on their way to a collector: batches, patience, a bound, and the count of what was lost. */

import { expect, test } from "bun:test";
import type { TelemetryEvent } from "#telemetry.ts";
import { until } from "#test/support/until.ts";
import { MOST_QUEUED, openExporter } from "#tracing/exporter.ts";
import type { Span } from "#tracing/otlp.ts";
import { type Collector, startCollector } from "./collector.ts";

const BATCH = 512;

function span(nth: number): Span {
  return {
    ...{ traceId: "4bf92f3577b34da6a3ce929d0e0e4736", spanId: nth.toString(16).padStart(16, "0") },
    ...{ parentId: null, isParentRemote: false, kind: "internal", name: "work" },
    ...{ beganAt: nth, endedAt: nth + 1, attributes: {}, isFailed: false },
  };
}

/** An exporter whose timers are the test's. */
function exporterTo({ url }: Pick<Collector, "url">, headers: Readonly<Record<string, string>> = {}) {
  const emitted: TelemetryEvent[] = [];
  const timers: { readonly milliseconds: number; readonly run: () => void }[] = [];
  const exporter = openExporter({
    ...{ url, headers, emit: (event) => void emitted.push(event) },
    resource: { attributes: { "service.name": "test" }, scope: { name: "test", version: "1" } },
    later: (milliseconds, run) => {
      const timer = { milliseconds, run };
      timers.push(timer);
      return () => void timers.splice(timers.indexOf(timer), 1);
    },
  });
  const fire = () => {
    const timer = timers.shift();
    if (timer === undefined) throw new Error("nothing is planned");
    timer.run();
    return timer.milliseconds;
  };
  return { exporter, emitted, timers, fire, kinds: () => emitted.map(({ kind }) => kind) };
}

test("the spans of five seconds go out in one request, with the headers that were given", async () => {
  const collector = startCollector();
  const { exporter, timers, fire } = exporterTo(collector, { authorization: "Bearer of the test" });
  for (let nth = 1; nth <= 20; nth++) exporter.add(span(nth));
  expect(timers.map(({ milliseconds }) => milliseconds)).toEqual([5_000]);
  fire();
  await until("the spans are there", () => exporter.counts().exported === 20);
  expect(collector.requests.map(({ path }) => path)).toEqual(["/v1/traces"]);
  expect(collector.requests[0]?.headers.get("authorization")).toBe("Bearer of the test");
  expect(collector.requests[0]?.headers.get("content-type")).toBe("application/json");
  expect(collector.spans().map(({ spanId }) => Number.parseInt(spanId, 16))).toEqual(
    Array.from({ length: 20 }, (_, nth) => nth + 1),
  );
  expect(timers).toEqual([]);
});

test("a full batch goes out at once, and no request has more than one", async () => {
  const collector = startCollector();
  const { exporter, fire } = exporterTo(collector);
  for (let nth = 1; nth <= BATCH + 1; nth++) exporter.add(span(nth));
  expect(fire()).toBe(0);
  await until("the batch is there", () => exporter.counts().exported === BATCH);
  expect(collector.spans()).toHaveLength(BATCH);
  await exporter.close();
  expect(collector.spans()).toHaveLength(BATCH + 1);
});

test("while the collector is away spans wait, up to a bound: what is more is dropped and counted, and nothing is sent twice", async () => {
  const collector = startCollector();
  const port = Number(new URL(collector.endpoint).port);
  await collector.stop();
  const { exporter, timers, fire, kinds, emitted } = exporterTo(collector);
  for (let nth = 1; nth <= MOST_QUEUED + 300; nth++) exporter.add(span(nth));
  expect(exporter.counts()).toEqual({ exported: 0, dropped: 300, refused: 0 });
  fire();
  await until("it is missed", () => timers.length === 1);
  fire();
  await until("it is missed again", () => timers.length === 1);
  // Reported once, and asked less and less often.
  expect(kinds()).toEqual(["trace_collector_unavailable"]);
  expect(JSON.stringify(emitted)).not.toContain("4bf92f");
  expect(timers[0]?.milliseconds).toBe(20_000);
  expect(exporter.counts()).toEqual({ exported: 0, dropped: 300, refused: 0 });

  const again = startCollector(port);
  for (let batches = 1; batches <= MOST_QUEUED / BATCH; batches++) {
    fire();
    await until("a batch is there", () => exporter.counts().exported === batches * BATCH);
    await until("the next is planned", () => timers.length === 1 || batches === MOST_QUEUED / BATCH);
  }
  expect(kinds()).toEqual(["trace_collector_unavailable", "trace_collector_recovered"]);
  expect(new Set(again.spans().map(({ spanId }) => spanId)).size).toBe(MOST_QUEUED);
  expect(again.spans()).toHaveLength(MOST_QUEUED);
});

test("an answer that asks for patience is no refusal; one that refuses is, and its spans are not sent again", async () => {
  const collector = startCollector();
  const { exporter, timers, fire, kinds } = exporterTo(collector);
  collector.answerWith(() => new Response(null, { status: 503 }));
  exporter.add(span(1));
  fire();
  await until("it is planned again", () => timers.length === 1);
  expect(exporter.counts()).toEqual({ exported: 0, dropped: 0, refused: 0 });
  collector.answerWith(() => new Response(null, { status: 400 }));
  fire();
  await until("it is refused", () => exporter.counts().refused === 1);
  collector.answerWith(() => Response.json({ partialSuccess: { rejectedSpans: "2", errorMessage: "no" } }));
  for (let nth = 1; nth <= 5; nth++) exporter.add(span(nth));
  fire();
  await until("some are taken", () => exporter.counts().exported === 3);
  expect(exporter.counts()).toEqual({ exported: 3, dropped: 0, refused: 3 });
  expect(kinds()).toEqual(["trace_collector_unavailable", "trace_collector_recovered"]);
});

test("an address that leads elsewhere is not followed: headers may have a secret", async () => {
  const other = startCollector();
  const collector = startCollector();
  collector.answerWith(() => Response.redirect(other.url, 307));
  const { exporter, fire } = exporterTo(collector, { "x-secret": "secret" });
  exporter.add(span(1));
  fire();
  await until("it is refused", () => exporter.counts().refused === 1);
  expect(other.requests).toEqual([]);
});

test("closing sends what is there, and counts what can no longer be sent", async () => {
  const collector = startCollector();
  const { exporter } = exporterTo(collector);
  exporter.add(span(1));
  await exporter.close();
  expect(collector.spans()).toHaveLength(1);
  exporter.add(span(2));
  expect(exporter.counts()).toEqual({ exported: 1, dropped: 1, refused: 0 });

  const gone = startCollector();
  await gone.stop();
  const { exporter: unheard } = exporterTo(gone);
  for (let nth = 1; nth <= BATCH + 7; nth++) unheard.add(span(nth));
  await unheard.close();
  expect(unheard.counts()).toEqual({ exported: 0, dropped: BATCH + 7, refused: 0 });
});
