/** Every event is counted, once, in the right place; labels stay few and hold only the code's own values. */

import { describe, expect, test } from "bun:test";
import { createMetrics, type Metrics } from "#metrics/metrics.ts";
import { distributionOf, parseExposition, sampleOf } from "./exposition.ts";
import { NOON, SAMPLE_EVENTS, UNBOUNDED } from "./sample-events.ts";

const fresh = () => createMetrics({ now: () => NOON }, "0.0.0");
const read = async (metrics: Metrics) => parseExposition(await metrics.text());

describe("telemetry", () => {
  test("every event is counted by its kind, and with what it says where that has a metric", async () => {
    const metrics = fresh();
    for (const event of Object.values(SAMPLE_EVENTS)) metrics.emit(event);
    const families = await read(metrics);
    const counted = families.get("crossrate_events_total")?.samples ?? [];
    expect(counted.map(({ labels, value }) => [labels["event"], value])).toEqual(
      Object.keys(SAMPLE_EVENTS).map((kind) => [kind, 1]),
    );
    const source = "ecb_daily";
    for (const [name, labels, value] of [
      ["crossrate_collections_total", { source, result: "changed" }, 1],
      ["crossrate_collections_total", { source, result: "failed" }, 1],
      // A revision is accepted, too.
      ["crossrate_observations_total", { source, change: "added" }, 28],
      ["crossrate_observations_total", { source, change: "revised" }, 2],
      // An event with two kinds of faults.
      ["crossrate_route_failures_total", { source, route: "daily XML", fault: "timeout" }, 1],
      ["crossrate_route_failures_total", { source, route: "daily XML", fault: "status" }, 1],
      ["crossrate_history_build_seconds_total", {}, 1.5],
      ["crossrate_dataset_observations", {}, 250],
      ["crossrate_damage_total", { part: "lake" }, 1],
      ["crossrate_quotes_shown_total", { feed: "massive" }, 17],
      ["crossrate_feed_switches_total", { from: "none", to: "coinbase", reason: "first" }, 1],
      ["crossrate_official_versions_total", { table: "pol_a", change: "corrected" }, 1],
    ] as const)
      expect([name, sampleOf(families, name, labels)]).toEqual([name, value]);
  });

  test("no sentence, path, identity, figure or address becomes a label", async () => {
    const metrics = fresh();
    for (const event of Object.values(SAMPLE_EVENTS)) metrics.emit(event);
    expect(await metrics.text()).not.toContain(UNBOUNDED);
  });

  test("failure counters of a daily source are 0 from the start, those of a feed from its first event", async () => {
    const metrics = fresh();
    const before = await read(metrics);
    expect(sampleOf(before, "crossrate_collections_total", { source: "fred_daily", result: "failed" })).toBe(
      0,
    );
    expect(before.get("crossrate_feed_failures_total")?.samples).toEqual([]);
    metrics.emit({ kind: "quotes_collected", feed: "oanda", shown: 1, refused: 0 });
    const after = await read(metrics);
    expect(
      sampleOf(after, "crossrate_feed_failures_total", { feed: "oanda", fault: "broken_document" }),
    ).toBe(0);
    expect(sampleOf(after, "crossrate_quotes_held_total", { feed: "oanda", rule: "decimal_slip" })).toBe(0);
    const feeds = after.get("crossrate_feed_failures_total")?.samples.map(({ labels }) => labels["feed"]);
    expect(new Set(feeds)).toEqual(new Set(["oanda"]));
    metrics.emit(SAMPLE_EVENTS.official_collected);
    const failed = { table: SAMPLE_EVENTS.official_collected.table, result: "failed" };
    expect(sampleOf(await read(metrics), "crossrate_official_collections_total", failed)).toBe(0);
  });

  test("a clock that was set back takes nothing from a sum", async () => {
    const metrics = fresh();
    metrics.emit({ kind: "history_built", version: "v", observations: 1, milliseconds: -5 });
    expect(sampleOf(await read(metrics), "crossrate_history_build_seconds_total")).toBe(0);
  });
});

describe("accounts", () => {
  const NAMES =
    /^crossrate_(limit_(granted|ref)|key_|mails|webhook_(att|del)|billing_(calls|notices.*total))/;
  const ofAccounts = async (metrics: Metrics) =>
    [...(await read(metrics)).values()].filter(({ name }) => NAMES.test(name));

  test("have their series as 0 once they are open, and none before; those of billing where something is sold", async () => {
    const metrics = fresh();
    const before = await ofAccounts(metrics);
    expect(before).toHaveLength(8);
    expect(before.flatMap(({ samples }) => samples)).toEqual([]);
    metrics.accounts.open(false);
    const empty = (await ofAccounts(metrics)).filter(({ samples }) => samples.length === 0);
    expect(empty.map(({ name }) => name)).toEqual(["crossrate_billing_calls_total"]);
    metrics.accounts.open(true);
    const families = await read(metrics);
    const tooLarge = { caller: "key", reason: "too_large" };
    expect(sampleOf(families, "crossrate_limit_refusals_total", tooLarge)).toBe(0);
    expect(sampleOf(families, "crossrate_billing_notices_total", { status: "duplicate" })).toBe(0);
    const values = (await ofAccounts(metrics)).map(({ samples }) => samples.map(({ value }) => value));
    expect(values.filter((samples) => samples.length === 0)).toEqual([]);
    expect(new Set(values.flat())).toEqual(new Set([0]));
  });
});

describe("requests", () => {
  async function byRouteAndStatus(metrics: Metrics, name: string) {
    const samples = (await read(metrics)).get(name)?.samples ?? [];
    return samples.map(({ labels, value }) => [labels["route"], labels["status"], value]);
  }

  test("are counted by route and class of status", async () => {
    const metrics = fresh();
    for (const status of [200, 206, 304, 400, 404, 429, 500, 503, 503])
      metrics.countRequest("/v1/latest", status, 1, 100);
    metrics.countRequest("/v1/convert/:from/:to", 200, 1, 100);
    expect(await byRouteAndStatus(metrics, "crossrate_http_requests_total")).toEqual([
      ["/v1/latest", "2xx", 2],
      ["/v1/latest", "3xx", 1],
      ["/v1/latest", "4xx", 3],
      ["/v1/latest", "5xx", 3],
      ["/v1/convert/:from/:to", "2xx", 1],
    ]);
  });

  test("about accounts are counted by status, too; others are not", async () => {
    const metrics = fresh();
    const answers = [401, 429].flatMap((status) =>
      ["/v1/auth/sign-in", "/v1/keys/rotate"].map((route) => [route, status] as const),
    );
    for (const [route, status] of [...answers, ["/v1/latest", 401] as const])
      metrics.countRequest(route, status, 1, 100);
    expect(await byRouteAndStatus(metrics, "crossrate_account_answers_total")).toEqual(
      answers.map(([route, status]) => [route, String(status), 1]),
    );
  });

  test("have their durations and sizes in buckets, each route its own; unknown sizes are in none", async () => {
    const metrics = fresh();
    for (const [milliseconds, bytes] of [
      [0.02, 0],
      [0.5, 256],
      [0.51, 257],
      [10_000, 65_536],
      [10_001, Number.NaN],
    ] as const)
      metrics.countRequest("/v1/latest", 200, milliseconds, bytes);
    metrics.countRequest("/v1/stream", 200, 2000, Number.NaN);
    const families = await read(metrics);
    const of = (name: string, route: string) => distributionOf(families, `crossrate_http_${name}`, { route });
    const durations = of("request_duration_seconds", "/v1/latest");
    expect(durations?.upTo).toMatchObject({ "0.0005": 2, "0.001": 3, "5": 3, "10": 4, "+Inf": 5 });
    expect(durations?.sum).toBeCloseTo(20.00203, 9);
    expect(of("request_duration_seconds", "/v1/stream")?.sum).toBe(2);
    expect(of("response_size_bytes", "/v1/latest")?.upTo).toMatchObject({ "256": 2, "1024": 3, "65536": 4 });
    expect(of("response_size_bytes", "/v1/stream")).toBeUndefined();
  });
});
