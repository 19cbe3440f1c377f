/** The listening server as it runs: what its metrics report of connections, caches and answers, and bodies larger than any call takes. */

import { expect, test } from "bun:test";
import { rawExchange } from "#test/api/request/raw-exchange.ts";
import { distributionOf, parseExposition, sampleOf } from "#test/metrics/exposition.ts";
import { freePort } from "#test/support/free-port.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { startServe } from "./process.ts";

const metricsPort = freePort();
const server = await startServe({
  DATA_DIR: temporaryDirectory(),
  LIVE_FEED: "off",
  UPSTREAM_BASE: "http://127.0.0.1:9",
  METRICS_PORT: String(metricsPort),
});

test("metrics report requests in flight, cache contents, and answer durations", async () => {
  const { byteLength } = await (await fetch(`${server.url}/health`)).arrayBuffer();
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  const families = parseExposition(text);
  expect(sampleOf(families, "crossrate_http_requests_in_flight")).toBe(0);
  expect(families.get("crossrate_cache_bytes")?.samples.length).toBeGreaterThan(0);
  expect(families.get("crossrate_cache_limit_bytes")?.samples[0]?.value).toBeGreaterThan(1_000_000);
  const health = { route: "/health" };
  expect(distributionOf(families, "crossrate_http_request_duration_seconds", health)?.count).toBe(1);
  expect(distributionOf(families, "crossrate_http_response_size_bytes", health)?.sum).toBe(byteLength);
});

test("a body that is announced far above every limit is refused before it arrives", async () => {
  const answer = await rawExchange(
    Number(new URL(server.url).port),
    "POST /v1/convert HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: 300000\r\n\r\n",
  );
  expect(answer).toStartWith("HTTP/1.1 413");
  // The runtime's own: ours would come after a turn, with the body stored meanwhile.
  expect(answer).not.toContain("payload_too_large");
});
