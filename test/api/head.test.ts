/** HEAD of every GET route, asked over a socket: the status and the headers of GET, and the length of its body or none. */

import { describe, expect, test } from "bun:test";
import { createMetrics, startMetricsServer } from "#metrics/metrics.ts";
import { sampleApp } from "#test/api/sample-world.ts";
import { atEnd } from "#test/support/at-end.ts";
import { listen } from "#test/support/listen.ts";
import { assertSameHead, type Given } from "./head.ts";

const app = sampleApp();
const server = listen(app.answer);
const metrics = createMetrics({ now: () => 0 }, "1.2.3");
const metricsServer = startMetricsServer({ port: 0, metrics, emit: () => {} });
atEnd(metricsServer.stop);

/** What stands for a parameter of any route. */
const PARAMETERS: Readonly<Record<string, string>> = {
  path_base: "EUR",
  from_ccy: "EUR",
  to_ccy: "USD",
  from: "EUR",
  to: "USD",
  base: "EUR",
  quote: "USD",
  amount: "2",
  value: "2",
  slug: "eur-usd",
  pair: "eur-usd",
  country: "pol",
  type: "a",
  publication_id: "latest",
  publication: "latest",
  source: "ecb_daily",
  year: "year=2026",
  partition: "date=2026-04-10",
  file: "rates.parquet",
  id: "none",
  code: "EUR",
  period: "2026-04-09..",
  "date.json": "2026-04-10.json",
  date: "2026-04-10",
};
const filled = (path: string) =>
  path.replace(/:(date\.json|\w+)/g, (_, name: string) => PARAMETERS[name] ?? name);

const WINDOW = "symbols=EUR,GBP&start_date=2026-04-09&end_date=2026-04-13";
/** Queries without which a route has nothing to say, and forms that a query or a header asks for. */
const QUERIES: Readonly<Record<string, readonly string[]>> = {
  "/v1/latest": ["", "?format=csv"],
  "/v1/:date": ["", "?format=csv", "?format=csv&symbols=EUR", "?symbols=XXX"],
  "/v1/range": [
    "",
    `?${WINDOW}`,
    ...["csv", "parquet", "ndjson", "arrow"].map((format) => `?${WINDOW}&format=${format}`),
  ],
  "/v2/rates": ["", "?from=2026-04-09", "?from=2026-04-09&base=USD&quotes=EUR"],
  "/v2/rates.csv": ["", "?from=2026-04-09"],
  "/compat/frankfurter/v2/rates.csv": ["", "?from=2026-04-09"],
  "/compat/oxr/time-series.json": ["", "?start=2026-04-09&end=2026-04-13"],
  "/compat/oxr/ohlc.json": ["", "?start_date=2026-04-09T00:00:00Z&period=1d&symbols=EUR"],
};
const HEADERS: readonly Given[] = [
  {},
  { "accept-encoding": "gzip, br" },
  { accept: "text/csv" },
  { accept: "text/html" },
  { range: "bytes=0-9" },
  { "if-none-match": "*" },
];

const ROUTES = app.routes
  .filter(({ method }) => method === "GET")
  .flatMap(({ path }) => (QUERIES[path] ?? [""]).map((query) => `${filled(path)}${query}`));

describe("of the API", () => {
  test("there are such routes", () => {
    expect(ROUTES.length).toBeGreaterThan(100);
  });
  test.each([...new Set(ROUTES), "/nowhere", "/v1/nowhere", "/v1/convert", "/v1/rates"])(
    "%s",
    async (path) => {
      for (const headers of HEADERS) await assertSameHead(`${server.url}${path}`, headers);
    },
  );
});

test.each(["/metrics", "/health", "/nowhere"])("of the listener for Prometheus: %s", async (path) => {
  // Its figures move between two requests, and with them its length.
  for (const headers of HEADERS)
    await assertSameHead(`${metricsServer.url}${path}`, headers, { moves: path === "/metrics" });
});
