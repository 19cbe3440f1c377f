/** The metrics of a server as it runs: its connections, its caches and how long its answers took. */

import { expect, setDefaultTimeout, test } from "bun:test";
import { connect, type Socket } from "node:net";
import { distributionOf, parseExposition, sampleOf } from "#test/metrics/exposition.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { startServe } from "./process.ts";

setDefaultTimeout(30_000);

function freePort(): number {
  const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response() });
  const { port } = server;
  server.stop(true);
  return port as number;
}

test("report connected clients, requests in flight, cache contents, and answer durations", async () => {
  const metricsPort = freePort();
  const server = await startServe({
    DATA_DIR: temporaryDirectory(),
    LIVE_FEED: "off",
    UPSTREAM_BASE: "http://127.0.0.1:9",
    METRICS_PORT: String(metricsPort),
  });
  const clients = await Promise.all(
    [1, 2, 3, 4].map(
      () =>
        new Promise<Socket>((resolve) => {
          const client = connect(Number(new URL(server.url).port), "127.0.0.1", () =>
            // The server accepts a connection only after the client has sent something.
            client.write("GET /health HTTP/1.1\r\n", () => resolve(client)),
          );
        }),
    ),
  );
  const { byteLength } = await (await fetch(`${server.url}/health`)).arrayBuffer();
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  const families = parseExposition(text);
  if (process.platform === "linux")
    expect(sampleOf(families, "crossrate_http_open_connections")).toBeGreaterThanOrEqual(clients.length);
  expect(sampleOf(families, "crossrate_http_requests_in_flight")).toBe(0);
  expect(families.get("crossrate_cache_bytes")?.samples.length).toBeGreaterThan(0);
  expect(families.get("crossrate_cache_limit_bytes")?.samples[0]?.value).toBeGreaterThan(1_000_000);
  const health = { route: "/health" };
  expect(distributionOf(families, "crossrate_http_request_duration_seconds", health)?.count).toBe(1);
  expect(distributionOf(families, "crossrate_http_response_size_bytes", health)?.sum).toBe(byteLength);
  for (const client of clients) client.destroy();
  expect(await server.end()).toBe(0);
});
