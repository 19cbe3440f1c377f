/** A server with its collector of traces: what arrives there of a real run, and that requests do without it. */

import { expect, test } from "bun:test";
import { startSimulator } from "#demo/simulator.ts";
import { openProduct } from "#test/support/product.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { until } from "#test/support/until.ts";
import { nanosecondsOf, startCollector } from "./collector.ts";

/** Of the third year of rates: nothing here depends on how long a history is. */
const NOW = Date.parse("2001-04-17T16:30:00Z");

/** The product, listening, on the simulator; nothing is collected yet. */
async function startServer(environment: Readonly<Record<string, string>>) {
  const clock = { now: () => NOW };
  const simulator = await startSimulator(clock);
  const settings = {
    ...{ DATA_DIR: temporaryDirectory(), UPSTREAM_BASE: simulator.base, ACCESS: "open" },
    ...{ LIVE_FEED: "off", OFFICIAL_TABLES: "off", ...environment },
  };
  const crossrate = await openProduct(settings, { ...clock, version: "1.2.3" });
  const { emitted: events } = crossrate;
  const { url, close } = crossrate.listen();
  return {
    crossrate,
    events,
    url,
    end: async () => {
      await close();
      await simulator.stop();
    },
  };
}

test("requests and exports arrive as spans", async () => {
  const collector = startCollector();
  const server = await startServer({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
    OTEL_EXPORTER_OTLP_HEADERS: "x-tenant=rates%20team",
    OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=test",
  });
  await server.crossrate.backfill(() => {});
  const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
  const headers = { traceparent: `00-${traceId}-00f067aa0ba902b7-01` };
  const query = "base=EUR&symbols=USD&start_date=2001-01-05&end_date=2001-04-10&format=csv&secret=1";
  const answer = await fetch(`${server.url}/v1/range?${query.replace("&secret=1", "")}`, { headers });
  expect(answer.status).toBe(200);
  expect((await answer.text()).length).toBeGreaterThan(100);
  await until("the export is finished", () => server.events.some(({ kind }) => kind === "export_made"));
  await server.end();

  const spans = collector.spans();
  const named = (name: string) => spans.filter((span) => span.name === name);
  const [request] = named("GET /v1/range");
  expect(request).toMatchObject({ traceId, parentSpanId: "00f067aa0ba902b7", kind: 2 });
  // The export is under the request that began it.
  const [made] = named("export");
  expect(made).toMatchObject({ traceId, parentSpanId: request?.spanId as string });
  // A span ends after it began, and an identifier is never used twice.
  for (const span of spans) expect(nanosecondsOf(span).end >= nanosecondsOf(span).start).toBe(true);
  expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(spans.length);
  const [{ headers: sent, body } = { headers: new Headers(), body: "" }] = collector.requests;
  expect(sent.get("x-tenant")).toBe("rates team");
  expect(body).toContain('"key":"deployment.environment.name","value":{"stringValue":"test"}');
  expect(body).toContain('"key":"service.version","value":{"stringValue":"1.2.3"}');
  // Neither the query nor who asked.
  const all = collector.requests.map((each) => each.body).join("");
  expect(all).not.toMatch(/start_date|symbols|127\.0\.0\.1/);
});

// That the outage is reported, and once: tracing.test.ts.
test("while the collector is gone requests are answered as ever, and the server ends in time", async () => {
  const collector = startCollector();
  await collector.stop();
  const server = await startServer({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint });
  for (let sent = 0; sent < 2_600; sent += 100) {
    const answers = await Promise.all(
      Array.from({ length: 100 }, async () => {
        const answer = await fetch(`${server.url}/v1/currencies`);
        await answer.arrayBuffer();
        return answer.status;
      }),
    );
    expect(new Set(answers)).toEqual(new Set([200]));
  }
  const began = performance.now();
  await server.end();
  expect(performance.now() - began).toBeLessThan(8_000);
});
