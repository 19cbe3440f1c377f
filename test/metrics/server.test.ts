/** The listener over real HTTP: a scrape, a probe, refusals, and a port of its own. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { type Metrics, type MetricsServer, startMetricsServer } from "#metrics/metrics.ts";
import type { TelemetryEvent } from "#telemetry.ts";
import { rawExchange } from "#test/api/request/raw-exchange.ts";
import { everything } from "./everything.ts";
import { parseExposition, sampleOf } from "./exposition.ts";

let metrics: Metrics;
let server: MetricsServer;
let emitted: TelemetryEvent[];

beforeEach(() => {
  emitted = [];
  metrics = everything();
  server = startMetricsServer({ port: 0, metrics, emit: (event) => emitted.push(event) });
});

afterEach(async () => {
  await server.stop();
});

describe("GET /metrics", () => {
  test("is the text format with its version, complete and well-formed", async () => {
    const response = await fetch(`${server.url}/metrics`);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
    expect(response.headers.get("cache-control")).toBe("no-store");
    const families = parseExposition(await response.text());
    expect(sampleOf(families, "crossrate_http_requests_total", { route: "/v1/latest", status: "2xx" })).toBe(
      1,
    );
    for (const { name, type, samples } of families.values()) {
      expect(name).toMatch(/^(crossrate|process)_[a-z0-9_]+$/);
      expect(name.endsWith("_total"), name).toBe(type === "counter");
      expect(samples.length, name).toBeLessThan(100);
    }
  });

  test("has a query and a HEAD", async () => {
    expect((await fetch(`${server.url}/metrics?debug=1`)).status).toBe(200);
    const head = await fetch(`${server.url}/metrics`, { method: "HEAD" });
    expect([head.status, await head.text()]).toEqual([200, ""]);
  });
});

test("GET /health answers without reading anything", async () => {
  metrics.readFrom({ lakeReadable: () => new Promise<never>(() => {}) });
  const response = await fetch(`${server.url}/health`);
  expect([response.status, await response.json()]).toEqual([200, { status: "ok" }]);
});

test.each(["/", "/metrics/", "/v1/latest", "/metricsx", "/metrics/health"])(
  "%s is not here: 404",
  async (path) => {
    const response = await fetch(`${server.url}${path}`);
    expect(response.status).toBe(404);
  },
);

test.each(["POST", "PUT", "DELETE", "OPTIONS", "PATCH"])(
  "%s is not allowed: 405 with Allow",
  async (method) => {
    for (const path of ["/metrics", "/health"]) {
      const response = await fetch(`${server.url}${path}`, {
        method,
        body: method === "OPTIONS" ? null : "a body",
      });
      expect([response.status, response.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
    }
  },
);

async function statusOf(listener: MetricsServer, lines: string): Promise<number> {
  const answer = await rawExchange(Number(new URL(listener.url).port), `${lines}\r\n\r\n`);
  return Number(/^HTTP\/1.1 (\d{3}) /.exec(answer)?.[1]);
}
const asked = (listener: MetricsServer, host: string, path = "/metrics") =>
  statusOf(listener, `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close`);

test.each(["[", "a b", "", "a/b"])("the malformed Host %p harms nothing", async (host) => {
  expect([400, 421]).toContain(await asked(server, host));
  expect((await fetch(`${server.url}/health`)).status).toBe(200);
});

describe("a name that was made to point to this listener", () => {
  test.each(["evil.example", "evil.example:9464", "127.0.0.1.evil.example"])(
    "%s gets nothing",
    async (host) => {
      expect([await asked(server, host), await asked(server, host, "/health")]).toEqual([421, 421]);
    },
  );
  test.each([
    "LOCALHOST:1",
    "localhost.",
    "127.0.0.1",
    "192.0.2.7",
    "[0:0::1]",
    "[2001:db8::1]:9464",
    "crossrate:9464",
  ])("%s is no name that another site can own", async (host) => {
    expect(await asked(server, host)).toBe(200);
  });
  test("names of ALLOWED_HOSTS are answered", async () => {
    const own = startMetricsServer({ port: 0, metrics, emit: () => {}, allowedHosts: ["rates.example"] });
    expect(await asked(own, "Rates.Example.:9464")).toBe(200);
    expect(await asked(own, "evil.example")).toBe(421);
    await own.stop();
  });
  test("the check of a balancer needs no Host, a scrape does", async () => {
    expect(await statusOf(server, "GET /health HTTP/1.0")).toBe(200);
    expect(await statusOf(server, "GET /metrics HTTP/1.0")).toBe(421);
  });
});

test("a rendering that fails is a 500 without its reason, which is reported to the operator", async () => {
  const broken = { contentType: metrics.contentType, text: () => Promise.reject(new Error("the reason")) };
  const other = startMetricsServer({ port: 0, metrics: broken, emit: (event) => emitted.push(event) });
  const response = await fetch(`${other.url}/metrics`);
  expect(response.status).toBe(500);
  expect(await response.text()).not.toContain("the reason");
  expect(emitted).toContainEqual({ kind: "job_failed", job: "metrics", error: "the reason" });
  await other.stop();
});

test("it listens on loopback and reports its address; a port that is taken is refused at once; after stop nothing listens", async () => {
  expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect(emitted).toContainEqual({
    ...{ kind: "listener_started", listener: "metrics" },
    url: `${server.url}/metrics`,
  });
  const port = Number(new URL(server.url).port);
  expect(() => startMetricsServer({ port, metrics, emit: () => {} })).toThrow();
  const other = startMetricsServer({ port: 0, metrics, emit: () => {} });
  await other.stop();
  expect(fetch(`${other.url}/health`)).rejects.toThrow();
});
