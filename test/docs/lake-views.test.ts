/** docs/views.sql: its rows are the lake's, and its macros compute what the API answers. */

import { describe, expect, test } from "bun:test";
import { scheduledPublication } from "#domain/history/schedule.ts";
import { type Day, parseDay } from "#domain/time/day.ts";
import { startDemoWithPast } from "./lake-demo.ts";
import { VIEWS, viewed } from "./lake-recipes.ts";

const demo = await startDemoWithPast();

interface Entry {
  readonly path: string;
  readonly rows: number;
}

async function manifest(folder: string): Promise<readonly Entry[]> {
  return (await demo.get(`/v1/lake/${folder}manifest.json`)).files;
}

describe("views.sql", () => {
  const views = (sql: string) => viewed(demo.directory, sql);

  test("is what the server hands out", async () => {
    const response = await fetch(`${demo.url}/v1/lake/views.sql`);
    expect(response.headers.get("content-type")).toBe("application/sql");
    expect(await response.text()).toBe(VIEWS);
  });

  test("daily, revisions, held, intraday and latest are the rows of the manifests' files", async () => {
    const [counts] = await views(`
      SELECT
        (SELECT count(*) FROM daily) AS daily,
        (SELECT count(*) FROM revisions) AS revisions,
        (SELECT count(*) FROM daily_all_revisions) AS all_revisions,
        (SELECT list(DISTINCT why ORDER BY why) FROM daily_all_revisions WHERE why IS NOT NULL) AS reasons,
        (SELECT count(*) FROM held) AS held,
        (SELECT count(*) FROM intraday) AS quotes,
        (SELECT count(*) FROM latest) - (SELECT count(DISTINCT (source, base, quote)) FROM daily) AS surplus,
        (SELECT count(*) FROM daily JOIN latest USING (source, base, quote) WHERE daily.date > latest.date) AS newer`);
    const daily = await manifest("");
    const rowsIn = (files: readonly Entry[], folder: string) =>
      files.filter(({ path }) => path.startsWith(folder)).reduce((sum, { rows }) => sum + rows, 0);
    const [current, revised] = [rowsIn(daily, "daily/"), rowsIn(daily, "revisions/")];
    expect(counts).toEqual({
      daily: String(current),
      revisions: String(revised),
      all_revisions: String(current + revised),
      reasons: ["revised", "withdrawn"],
      held: "1",
      quotes: String(rowsIn(await manifest("intraday/"), "intraday/")),
      surplus: "0",
      newer: "0",
    } as never);
    expect(current).toBeGreaterThan(3_000);
  });

  test.each(["published", "retrieved"])(
    "as_of() on the basis %s is what the answers as of that instant rest on",
    async (basis) => {
      for (const instant of ["2025-01-02T15:00:00Z", "2026-01-05T15:30:00Z", "2026-01-06T15:30:00Z"]) {
        const rows = await views(
          `SELECT date, quote, value FROM as_of(TIMESTAMPTZ '${instant}', basis := '${basis}') WHERE source = 'ecb_daily' AND date BETWEEN DATE '2024-12-20' AND DATE '2025-01-03'`,
        );
        const answered = await demo.ask(
          `/v1/range?base=EUR&symbols=*&start_date=2024-12-20&end_date=2025-01-03&as_of=${instant}&as_of_basis=${basis}`,
        );
        const { data = [] } = (await answered.json()) as Partial<Page>;
        const expected = data.flatMap(({ date, rates }) =>
          // TWD is of H.10.
          Object.entries(rates).flatMap(([code, rate]) =>
            code === "TWD" ? [] : [`${date} ${code} ${rate}`],
          ),
        );
        const found = rows.map(({ date, quote, value }) => `${date} ${quote} ${value}`);
        expect(found.sort()).toEqual(expected.sort());
        if (instant > "2026" || basis === "published") expect(found.length).toBeGreaterThan(100);
      }
    },
  );

  test("scheduled_publication() is the product's, on every day from 1999 to 2030", async () => {
    const rows = await views(`
      SELECT source, day::DATE AS day, epoch_ms(scheduled_publication(source, day::DATE)) AS at
      FROM generate_series(DATE '1999-01-04', DATE '2030-12-31', INTERVAL 1 day) AS days(day),
        (VALUES ('ecb_daily'), ('fred_daily')) AS sources(source)`);
    const wrong = rows.filter(({ source, day, at }) => {
      const date = parseDay(String(day)) as Day;
      return scheduledPublication(source as "ecb_daily", date) !== Number(at);
    });
    expect(rows.length).toBeGreaterThan(23_000);
    expect(wrong.map(({ source, day }) => `${source} ${day}`)).toEqual([]);
  });

  test.each([
    ["EUR", "USD", "1h"],
    ["USD", "EUR", "15m"],
    ["USD", "GBP", "1d"],
    ["GBP", "JPY", "5m"],
    ["JPY", "EUR", "1h"],
  ] as const)("bars('%s', '%s') are those of /v1/range?interval=%s", async (base, symbol, interval) => {
    // Whole intervals: a day has one.
    const since = interval === "1d" ? "00:00" : "06:00";
    const width = { "5m": "5 minute", "15m": "15 minute", "1h": "1 hour", "1d": "1 day" }[interval];
    const rows = await views(
      `SELECT strftime(start AT TIME ZONE 'UTC', '%Y-%m-%dT%H:%M:%SZ') AS start, open, high, low, close, mean, ticks
       FROM bars('${base}', '${symbol}', INTERVAL ${width}, since := TIMESTAMPTZ '2026-03-02 ${since}:00Z')`,
    );
    const answer: Page = await demo.get(
      `/v1/range?base=${base}&symbols=${symbol}&start_date=2026-03-02&end_date=2026-03-03&interval=${interval}`,
    );
    const expected = answer.data.filter(({ start = "" }) => start >= `2026-03-02T${since}`);
    expect(rows.map(({ start }) => start)).toEqual(expected.map(({ start }) => start) as never);
    expect(rows.length).toBeGreaterThan(0);
    rows.forEach((row, index) => {
      const bar = expected[index]?.bars?.[symbol] as Record<string, number>;
      expect(Number(row["ticks"])).toBe(bar["ticks"] as number);
      for (const name of ["open", "high", "low", "close", "mean"]) near(row[name], bar[name]);
    });
  });

  test("bars() reads no member of a struct by its number, which DuckDB 1.5.0 to 1.5.5 refuse there", () => {
    expect(VIEWS).not.toMatch(/[a-z]\[\d\]/);
  });

  test("bars() rounds a cross on a tie half to even", async () => {
    const rows = await views(`
      CREATE OR REPLACE VIEW intraday AS
      SELECT TIMESTAMPTZ '2026-03-02 08:00:00Z' AS observed_at, observed_at AS retrieved_at, 'oanda' AS feed, *, DATE '2026-03-02' AS date
      FROM (VALUES ('EUR', 'USD', 1.14798, 5::SMALLINT), ('USD', 'JPY', 158.8675, 4::SMALLINT)) AS quotes(base, quote, mid, decimals);
      SELECT open, high, mean FROM bars('EUR', 'JPY', INTERVAL 1 minute)`);
    // 182.37671265
    expect(rows).toEqual([{ open: 182.3767126, high: 182.3767126, mean: 182.3767126 }]);
  });
});

interface Page {
  readonly data: readonly {
    readonly date: string;
    readonly start?: string;
    readonly rates: Record<string, number>;
    readonly bars?: Record<string, Record<string, number>>;
  }[];
}

/** Equal to a relative 1e-12: the same digits. */
function near(found: unknown, expected: number | undefined): void {
  expect(Math.abs(Number(found) / (expected ?? Number.NaN) - 1)).toBeLessThan(1e-12);
}
