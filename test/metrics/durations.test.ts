/** Durations and sizes of answers, by route: each value is in the right bucket, and unknown ones are in none. */

import { describe, expect, test } from "bun:test";
import { createMetrics } from "#metrics/metrics.ts";
import { distributionOf, parseExposition } from "./exposition.ts";
import { NOON } from "./sample-events.ts";

const DURATIONS = "crossrate_http_request_duration_seconds";
const SIZES = "crossrate_http_response_size_bytes";
const LATEST = { route: "/v1/latest" };

function fresh() {
  const metrics = createMetrics({ clock: { now: () => NOON }, version: "1.2.3" });
  metrics.close();
  return metrics;
}

async function read(metrics: ReturnType<typeof fresh>) {
  return parseExposition(await metrics.text());
}

describe("durations", () => {
  test("are counted in buckets from 0.5 ms to 10 s, a bound included in its bucket", async () => {
    const metrics = fresh();
    for (const milliseconds of [0.02, 0.5, 0.51, 9.9, 10_000, 10_001])
      metrics.countRequest("/v1/latest", 200, milliseconds, 100);
    const found = distributionOf(await read(metrics), DURATIONS, LATEST);
    expect(found?.upTo).toMatchObject({ "0.0005": 2, "0.001": 3, "0.01": 4, "5": 4, "10": 5, "+Inf": 6 });
    expect(found?.count).toBe(6);
    expect(found?.sum).toBeCloseTo(20.01193, 9);
  });

  test("are each route's own", async () => {
    const metrics = fresh();
    metrics.countRequest("/v1/latest", 200, 1, 100);
    metrics.countRequest("/v1/range", 200, 2000, 100);
    const families = await read(metrics);
    expect(distributionOf(families, DURATIONS, LATEST)?.sum).toBe(0.001);
    expect(distributionOf(families, DURATIONS, { route: "/v1/range" })?.sum).toBe(2);
    expect(distributionOf(families, DURATIONS, { route: "/health" })).toBeUndefined();
  });

  test("that are no time count as none taken: a sum never falls", async () => {
    const metrics = fresh();
    for (const milliseconds of [Number.NaN, -5, Number.POSITIVE_INFINITY])
      metrics.countRequest("/v1/latest", 200, milliseconds, 100);
    expect(distributionOf(await read(metrics), DURATIONS, LATEST)).toMatchObject({ sum: 0, count: 3 });
  });
});

describe("sizes", () => {
  test("are counted in buckets, an empty body in the first", async () => {
    const metrics = fresh();
    for (const bytes of [0, 256, 257, 65_536, 1_000_000_000])
      metrics.countRequest("/v1/latest", 200, 1, bytes);
    const found = distributionOf(await read(metrics), SIZES, LATEST);
    expect(found?.upTo).toMatchObject({ "256": 2, "1024": 3, "65536": 4, "+Inf": 5 });
    expect(found?.sum).toBe(1_000_066_049);
  });

  test("that are not known are left out, and a route that has none is absent", async () => {
    const metrics = fresh();
    metrics.countRequest("/v1/latest", 200, 1, Number.NaN);
    metrics.countRequest("/v1/latest", 200, 1, 7);
    metrics.countRequest("/v1/stream", 200, 1, Number.NaN);
    const families = await read(metrics);
    expect(distributionOf(families, SIZES, LATEST)).toMatchObject({ sum: 7, count: 1 });
    expect(distributionOf(families, SIZES, { route: "/v1/stream" })).toBeUndefined();
    expect(distributionOf(families, DURATIONS, LATEST)?.count).toBe(2);
  });
});
