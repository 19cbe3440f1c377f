/** Every event is counted, once, in the right place; labels stay few and hold only the code's own values. */

import { describe, expect, test } from "bun:test";
import { MOST_ROUTES } from "#metrics/events.ts";
import { LONGEST_LABEL, MOST_SERIES, OTHER } from "#metrics/instruments.ts";
import { createMetrics, type Metrics } from "#metrics/metrics.ts";
import type { TelemetryEvent } from "#telemetry.ts";
import { seededRandom } from "#test/support/seeded-random.ts";
import { parseExposition, type Sample, sampleOf } from "./exposition.ts";
import { NOON, SAMPLE_EVENTS, UNBOUNDED } from "./sample-events.ts";

const KINDS = Object.values(SAMPLE_EVENTS);

function fresh(): Metrics {
  const metrics = createMetrics({ clock: { now: () => NOON }, version: "0.0.0" });
  metrics.close();
  return metrics;
}

async function read(metrics: Metrics) {
  return parseExposition(await metrics.text());
}

/** Everything that telemetry moves, by series. */
async function movable(metrics: Metrics): Promise<ReadonlyMap<string, number>> {
  const samples = [...(await read(metrics)).values()].flatMap((family) => family.samples);
  const ofTelemetry = samples.filter(({ name }) => !/^process_|heap_used|event_loop/.test(name));
  return new Map(ofTelemetry.map((sample) => [seriesOf(sample), sample.value]));
}

function seriesOf({ name, labels }: Pick<Sample, "name" | "labels">): string {
  return `${name} ${JSON.stringify(Object.entries(labels).sort())}`;
}

describe("telemetry", () => {
  test.each(KINDS.map((example) => [example.event.kind, example] as const))(
    "%s moves exactly its own series",
    async (kind, { event, moves }) => {
      const metrics = fresh();
      const before = await movable(metrics);
      metrics.emit(event);
      const after = await movable(metrics);
      const moved = [...after].filter(([series, value]) => value !== (before.get(series) ?? 0));
      const expected = [["crossrate_events_total", { event: kind }, 1] as const, ...moves];
      expect(new Map(moved.map(([series, value]) => [series, value - (before.get(series) ?? 0)]))).toEqual(
        new Map(expected.map(([name, labels, rise]) => [seriesOf({ name, labels }), rise])),
      );
    },
  );

  test("counts add up over many events in any order", async () => {
    const metrics = fresh();
    const random = seededRandom(7);
    const times = new Map<string, number>();
    const expected = new Map<string, number>();
    for (let nth = 0; nth < 2_000; nth++) {
      const { event, moves } = KINDS[Math.floor(random() * KINDS.length)] as (typeof KINDS)[number];
      metrics.emit(event);
      times.set(event.kind, (times.get(event.kind) ?? 0) + 1);
      for (const [name, labels, rise] of moves) {
        if (!name.endsWith("_total")) continue;
        const series = seriesOf({ name, labels });
        expected.set(series, (expected.get(series) ?? 0) + rise);
      }
    }
    const families = await read(metrics);
    for (const [event, count] of times) {
      expect(sampleOf(families, "crossrate_events_total", { event })).toBe(count);
    }
    const found = await movable(metrics);
    for (const [series, count] of expected) expect(found.get(series), series).toBeCloseTo(count, 6);
  });

  test("no sentence, path, identity, figure or address becomes a label", async () => {
    const metrics = fresh();
    for (const { event } of KINDS) metrics.emit(event);
    expect(await metrics.text()).not.toContain(UNBOUNDED);
  });

  test("an operator's release and a later figure's are counted separately", async () => {
    const metrics = fresh();
    const { event } = SAMPLE_EVENTS.figure_released;
    for (const by of ["command", "the released figure", "a later figure"])
      metrics.emit({ ...event, by } as TelemetryEvent);
    const families = await read(metrics);
    const released = (by: string) =>
      sampleOf(families, "crossrate_figures_released_total", { source: "ecb_daily", by });
    expect([released("command"), released("figure")]).toEqual([1, 2]);
  });

  test("failure counters of a daily source are 0 from the start, those of a feed from its first event", async () => {
    const metrics = fresh();
    const before = await read(metrics);
    expect(sampleOf(before, "crossrate_collections_total", { source: "fred_daily", result: "failed" })).toBe(
      0,
    );
    expect(
      sampleOf(before, "crossrate_figures_held_total", { source: "ecb_daily", rule: "decimal_slip" }),
    ).toBe(0);
    expect(before.get("crossrate_feed_failures_total")?.samples).toEqual([]);
    metrics.emit({ kind: "quotes_collected", feed: "oanda", shown: 1, refused: 0 });
    const after = await read(metrics);
    expect(
      sampleOf(after, "crossrate_feed_failures_total", { feed: "oanda", fault: "broken_document" }),
    ).toBe(0);
    expect(sampleOf(after, "crossrate_quotes_held_total", { feed: "oanda", rule: "decimal_slip" })).toBe(0);
    const feeds = after.get("crossrate_feed_failures_total")?.samples.map(({ labels }) => labels["feed"]);
    expect(new Set(feeds)).toEqual(new Set(["oanda"]));
  });

  test("labels of any text survive the format", async () => {
    const metrics = fresh();
    const job = 'a "quoted" \\ one\nof two lines';
    metrics.emit({ kind: "job_failed", job, error: "" });
    expect(sampleOf(await read(metrics), "crossrate_job_failures_total", { job })).toBe(1);
  });

  test("series have a ceiling: labels beyond it are one, nothing is lost, and known ones still count", async () => {
    const metrics = fresh();
    const failed = (job: string) => metrics.emit({ kind: "job_failed", job, error: "" });
    for (let nth = 0; nth < MOST_SERIES + 50; nth++) failed(`job ${nth}`);
    failed("job 3");
    const families = await read(metrics);
    expect(families.get("crossrate_job_failures_total")?.samples.length).toBe(MOST_SERIES + 1);
    expect(sampleOf(families, "crossrate_job_failures_total", { job: OTHER })).toBe(50);
    expect(sampleOf(families, "crossrate_job_failures_total", { job: "job 3" })).toBe(2);
  });

  test("a label is cut to a bounded length", async () => {
    const metrics = fresh();
    metrics.emit({ kind: "job_failed", job: "j".repeat(10_000), error: "" });
    const [sample] = (await read(metrics)).get("crossrate_job_failures_total")?.samples ?? [];
    expect(sample?.labels["job"]).toBe("j".repeat(LONGEST_LABEL));
  });

  test("a value that is not a number neither throws nor spoils a counter", async () => {
    const metrics = fresh();
    for (const milliseconds of [Number.NaN, Number.POSITIVE_INFINITY, -5]) {
      metrics.emit({ kind: "history_built", version: "v", observations: Number.NaN, milliseconds });
    }
    const families = await read(metrics);
    expect(sampleOf(families, "crossrate_history_builds_total")).toBe(3);
    expect(sampleOf(families, "crossrate_history_build_seconds_total")).toBe(0);
    expect(sampleOf(families, "crossrate_dataset_observations")).toBeUndefined();
  });

  test("two sets of metrics share nothing", async () => {
    const [one, other] = [fresh(), fresh()];
    one.emit(SAMPLE_EVENTS.lake_repaired.event);
    expect(sampleOf(await read(other), "crossrate_lake_repairs_total")).toBe(0);
  });
});

describe("requests", () => {
  test("are counted by route and class of status", async () => {
    const metrics = fresh();
    for (const status of [200, 206, 304, 400, 404, 429, 500, 503, 503])
      metrics.countRequest("/v1/latest", status, 1, 100);
    metrics.countRequest("/v1/convert/:from/:to", 200, 1, 100);
    const families = await read(metrics);
    const found = families.get("crossrate_http_requests_total")?.samples ?? [];
    expect(found.map(({ labels, value }) => [labels["route"], labels["status"], value])).toEqual([
      ["/v1/latest", "2xx", 2],
      ["/v1/latest", "3xx", 1],
      ["/v1/latest", "4xx", 3],
      ["/v1/latest", "5xx", 3],
      ["/v1/convert/:from/:to", "2xx", 1],
    ]);
  });

  test("about accounts are counted by status, too; others are not", async () => {
    const metrics = fresh();
    for (const status of [200, 401, 401, 429, 503]) metrics.countRequest("/v1/auth/sign-in", status, 1, 100);
    metrics.countRequest("/v1/keys", 200, 1, 100);
    metrics.countRequest("/v1/latest", 429, 1, 100);
    metrics.countRequest("/v1/accounting", 200, 1, 100);
    const found = (await read(metrics)).get("crossrate_account_answers_total")?.samples ?? [];
    expect(found.map(({ labels, value }) => [labels["route"], labels["status"], value])).toEqual([
      ["/v1/auth/sign-in", "200", 1],
      ["/v1/auth/sign-in", "401", 2],
      ["/v1/auth/sign-in", "429", 1],
      ["/v1/auth/sign-in", "503", 1],
      ["/v1/keys", "200", 1],
    ]);
  });

  test("a scrape takes nothing away and adds nothing", async () => {
    const metrics = fresh();
    metrics.countRequest("/health", 200, 1, 100);
    await Promise.all([metrics.text(), metrics.text()]);
    const families = await read(metrics);
    expect(sampleOf(families, "crossrate_http_requests_total", { route: "/health", status: "2xx" })).toBe(1);
  });

  test("with a status that is none are counted all the same", async () => {
    const metrics = fresh();
    for (const status of [0, 99, 600, Number.NaN, -1]) metrics.countRequest("/health", status, 1, 100);
    const families = await read(metrics);
    expect(sampleOf(families, "crossrate_http_requests_total", { route: "/health", status: OTHER })).toBe(5);
  });

  test("a caller that passes paths in place of routes fills no memory", async () => {
    const metrics = fresh();
    for (let nth = 0; nth < MOST_ROUTES + 300; nth++) metrics.countRequest(`/v1/${nth}`, 200, 1, 100);
    const families = await read(metrics);
    expect(families.get("crossrate_http_requests_total")?.samples.length).toBe(MOST_ROUTES + 1);
    expect(sampleOf(families, "crossrate_http_requests_total", { route: OTHER, status: "2xx" })).toBe(300);
  });
});
