/** Gauges have what the readers answered at this scrape, and nothing where there was no answer. */

import { describe, expect, test } from "bun:test";
import { EMPTY_BOOK } from "#domain/live/book.ts";
import { type MetricsReaders, READINGS } from "#metrics/gauges.ts";
import { createMetrics } from "#metrics/metrics.ts";
import { until } from "#test/support/until.ts";
import { parseExposition, sampleOf } from "./exposition.ts";
import { NOON, READERS } from "./sample-events.ts";

function scraped(readers: Partial<MetricsReaders>, now = NOON) {
  const metrics = createMetrics({ now: () => now }, "1.2.3");
  metrics.readFrom(readers);
  return { metrics, families: async () => parseExposition(await metrics.text()) };
}

const NAMES = Object.keys(READINGS) as (keyof MetricsReaders)[];
const fedBy = (name: keyof MetricsReaders) =>
  Object.keys(READINGS[name]).map((definition) => definition.split(/[ {]/)[0] as string);
/** A reader as the label of its errors: `hot_book`. */
const labelOf = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const DELAY = "crossrate_event_loop_delay_seconds";

async function present({ families }: ReturnType<typeof scraped>): Promise<readonly string[]> {
  const all = [...(await families()).values()].filter(({ samples }) => samples.length > 0);
  // The delay of the event loop needs a beat of the clock since the last scrape.
  return all.map(({ name }) => name).filter((name) => name !== DELAY);
}

/** Metric, labels, and the sample of READERS at NOON; undefined: there is none. */
const SAMPLES: readonly (readonly [string, Readonly<Record<string, string>>, number | undefined])[] = [
  ["crossrate_official_table_status", { table: "pol_a", status: "ok" }, 1],
  ["crossrate_official_table_status", { table: "mex_fix", status: "ok" }, 0],
  ["crossrate_official_success_age_seconds", { table: "pol_a" }, 600],
  ["crossrate_hot_book_quotes", { feed: "coinbase" }, 2],
  ["crossrate_newest_quote_age_seconds", {}, 20],
  ["crossrate_quote_age_seconds", { currency: "JPY" }, 400],
  ["crossrate_stream_joins_total", { start: "snapshot" }, 7],
  ["crossrate_stream_joins_total", { start: "resumed" }, 5],
  ["crossrate_clock_ahead_seconds", {}, -180],
  // A feed has an age once it has succeeded.
  ["crossrate_feed_last_success_age_seconds", { feed: "coinbase" }, 30],
  ["crossrate_feed_last_success_age_seconds", { feed: "massive" }, undefined],
  ["crossrate_daily_observation_age_seconds", { source: "ecb_daily" }, 3_600],
  ["crossrate_daily_observation_age_seconds", { source: "fred_daily" }, undefined],
  ["crossrate_daily_whole_read_age_seconds", { source: "ecb_daily" }, 86_400],
  ["crossrate_daily_whole_read_age_seconds", { source: "fred_daily" }, undefined],
  ["crossrate_contradicted_figures", { source: "ecb_daily" }, 3],
  ["crossrate_contradicted_figures", { source: "fred_daily" }, 0],
  ["crossrate_usage_waiting_seconds", {}, 0.75],
  ["crossrate_ledger_answer_seconds", {}, 0.004],
  ["crossrate_webhook_due_seconds", {}, 90],
  ["crossrate_billing_reconciled_age_seconds", {}, 1_800],
];

test("a scrape has what the readers answered", async () => {
  const families = await scraped(READERS).families();
  const samples = SAMPLES.map(([name, labels]) => [name, labels, sampleOf(families, name, labels)]);
  expect(samples).toEqual(SAMPLES as never);
});

const EMPTY = { book: EMPTY_BOOK, staleQuotes: 0, unconfirmed: [] } as const;
const COUNTED = { detail: null, callers: 3, crowded: 0 } as const;

/** What one reader answers, and what its metrics are then. */
const ANSWERS: readonly (readonly [
  string,
  Partial<MetricsReaders>,
  Readonly<Record<string, number | undefined>>,
])[] = [
  [
    "a degraded book that is empty has no age",
    { hotBook: () => ({ ...EMPTY, kind: "redis", state: { status: "degraded" } }) },
    {
      crossrate_hot_book_ok: 0,
      crossrate_hot_book_stale_quotes: 0,
      crossrate_newest_quote_age_seconds: undefined,
    },
  ],
  ["a collector", { collecting: () => true }, { crossrate_collecting: 1 }],
  ["a collector that stands by is 0, not absent", { collecting: () => false }, { crossrate_collecting: 0 }],
  [
    "an unreadable lake is 0, not absent",
    { lakeReadable: async () => false },
    { crossrate_lake_readable: 0 },
  ],
  [
    "limits that each replica counts alone",
    { limits: () => ({ ...COUNTED, kind: "redis", status: "degraded" }) },
    { crossrate_limits_ok: 0 },
  ],
  [
    "no usage that waits",
    { usage: () => ({ calls: 0, since: null }) },
    { crossrate_usage_waiting_calls: 0, crossrate_usage_waiting_seconds: 0 },
  ],
  [
    "a ledger that does not answer took no time",
    { ledger: () => ({ kind: "postgres", answeredInSeconds: null }) },
    { crossrate_ledger_ok: 0, crossrate_ledger_answer_seconds: undefined },
  ],
  [
    "no delivery that is due",
    { webhooks: () => ({ due: 0, oldestDueAt: null }) },
    { crossrate_webhook_due_seconds: 0 },
  ],
  [
    "billing that was never reconciled has no age",
    { billing: () => ({ waiting: 0, reconciledAt: null }) },
    { crossrate_billing_notices_waiting: 0, crossrate_billing_reconciled_age_seconds: undefined },
  ],
  [
    "a server that does not listen yet",
    { requestsInFlight: () => null },
    { crossrate_http_requests_in_flight: undefined },
  ],
];

test.each(ANSWERS)("%s", async (_, readers, expected) => {
  const families = await scraped(readers).families();
  const values = Object.keys(expected).map((name) => [name, families.get(name)?.samples[0]?.value]);
  expect(Object.fromEntries(values)).toEqual(expected);
});

test("a quote with a clock ahead of ours has the age 0", async () => {
  const families = await scraped(READERS, NOON - 60_000).families();
  expect(sampleOf(families, "crossrate_quote_age_seconds", { currency: "EUR" })).toBe(0);
});

test("a daily source has exactly one status, and a count for each rule", async () => {
  const families = await scraped(READERS).families();
  const status = families.get("crossrate_daily_source_status")?.samples ?? [];
  const lit = status.filter(({ value }) => value === 1).map(({ labels }) => Object.values(labels).join(" "));
  expect(status.length).toBe(10);
  expect(lit).toEqual(["ecb_daily ok", "fred_daily missing"]);
  const held = families.get("crossrate_daily_figures_held")?.samples ?? [];
  expect(held.filter(({ value }) => value > 0).map(({ labels, value }) => [labels, value])).toEqual([
    [{ source: "ecb_daily", rule: "implausible_jump" }, 2],
  ]);
  expect(held.filter(({ labels }) => labels["source"] === "fred_daily").length).toBeGreaterThan(10);
  const speaking = families.get("crossrate_feed_speaks_for")?.samples ?? [];
  expect(speaking.map(({ value }) => value)).toEqual([0, 0, 0, 0]);
});

describe("a reader", () => {
  test.each(NAMES)("that is not given leaves its metrics out, without an error: %s", async (name) => {
    const { [name]: _, ...others } = READERS;
    const scrape = scraped(others);
    expect((await present(scrape)).filter((metric) => fedBy(name).includes(metric))).toEqual([]);
    const errors = (await scrape.families()).get("crossrate_scrape_errors_total")?.samples ?? [];
    expect(errors.map(({ value }) => value)).toEqual(NAMES.map(() => 0));
  });

  const throwing = () => {
    throw new Error("no");
  };
  const faults = [
    ["throws", throwing],
    ["rejects", () => Promise.reject(new Error("no"))],
    ["answers nonsense", () => Object.defineProperty({}, Symbol.iterator, { get: throwing }) as never],
  ] as const;
  const failing = (["hotBook", "daily"] as const).flatMap((name) =>
    faults.map(([how, fault]) => [name, how, fault] as const),
  );

  test.each(failing)("%s that %s costs its own metrics, is counted, and no other", async (name, _, fault) => {
    const healthy = await present(scraped(READERS));
    const scrape = scraped({ ...READERS, [name]: fault });
    const found = await present(scrape);
    expect(healthy.filter((metric) => !found.includes(metric))).toEqual(
      healthy.filter((metric) => fedBy(name).includes(metric)),
    );
    const errors = (await scrape.families()).get("crossrate_scrape_errors_total")?.samples ?? [];
    for (const { labels, value } of errors) expect(value).toBe(labels["reader"] === labelOf(name) ? 2 : 0);
  });

  test("that fails after it had answered takes its old samples with it, and brings new ones when it is back", async () => {
    const answers = [4, null, 6];
    const scrape = scraped({
      usage: () => {
        const calls = answers.shift();
        if (typeof calls !== "number") throw new Error("no");
        return { calls, since: null };
      },
    });
    const seen: unknown[] = [];
    for (let nth = 0; nth < 3; nth++)
      seen.push(sampleOf(await scrape.families(), "crossrate_usage_waiting_calls"));
    expect(seen).toEqual([4, undefined, 6]);
  });

  test("a currency or feed that is gone has no sample any more", async () => {
    const scrape = scraped(READERS);
    await scrape.families();
    scrape.metrics.readFrom({
      ...READERS,
      hotBook: () => ({ ...EMPTY, kind: "memory", state: { status: "ok" } }),
    });
    const families = await scrape.families();
    expect(families.get("crossrate_quote_age_seconds")?.samples).toEqual([]);
    expect(families.get("crossrate_hot_book_quotes")?.samples).toEqual([]);
  });
});

describe("the process", () => {
  test("reports what is running, since when, with what memory and processor time", async () => {
    const families = await scraped({}).families();
    const build = { version: "1.2.3", runtime: `bun ${Bun.version}` };
    expect(sampleOf(families, "crossrate_build_info", build)).toBe(1);
    const { user, system } = process.cpuUsage();
    const startedAt = NOON / 1000 - process.uptime();
    expect(Math.abs((sampleOf(families, "process_start_time_seconds") ?? 0) - startedAt)).toBeLessThan(1);
    const cpu = sampleOf(families, "process_cpu_seconds_total") ?? 0;
    expect(cpu).toBeWithin(0, (user + system) / 1e6 + 0.001);
    expect(sampleOf(families, "process_resident_memory_bytes")).toBeGreaterThan(1_000_000);
    expect(sampleOf(families, "crossrate_heap_used_bytes")).toBeGreaterThan(10_000);
    if (process.platform === "linux") expect(sampleOf(families, "process_open_fds")).toBeGreaterThan(2);
  });

  test.each([
    ["2026-03-02T12:00:00Z", 1],
    ["2026-03-07T12:00:00Z", 0],
    ["2026-12-25T12:00:00Z", 0],
  ])("the market at %s is %d", async (at, open) => {
    expect(sampleOf(await scraped({}, Date.parse(at)).families(), "crossrate_market_open")).toBe(open);
  });

  test("the runtime's histogram measures how long this process was blocked", async () => {
    const scrape = scraped({});
    const end = performance.now() + 250;
    while (performance.now() < end);
    await new Promise(setImmediate);
    let delay = 0;
    await until("the delay is measured", async () => {
      delay = sampleOf(await scrape.families(), DELAY) ?? 0;
      return delay > 0.15;
    });
    expect(delay).toBeLessThan(10);
  });
});
