/** Order, weeks and months, and every symbol at once: the shapes that a range can take as JSON, one without a row too. */

import { describe, expect, test } from "bun:test";
import { formatDay } from "#domain/time/day.ts";
import { openTestApp } from "#test/api/harness.ts";
import { datasetOf, day, ecb } from "#test/domain/history/columns.ts";
import { seededRandom } from "#test/support/seeded-random.ts";
import { walkNumbers } from "./range-pages.ts";

const app = openTestApp();
const window = "start_date=2026-03-31&end_date=2026-04-13";

interface Row {
  readonly date: string;
  readonly source: string | null;
  readonly is_forward_filled: boolean;
  readonly rates: Readonly<Record<string, number>>;
}

const walk = (world: typeof app, path: string, limit: number) =>
  walkNumbers<Row>(world, `${path}&limit=${limit}`);

describe("order", () => {
  test("desc is asc backwards, on one page and over many", async () => {
    for (const fill of ["none", "previous"]) {
      const path = `/v1/range?base=USD&symbols=EUR,GBP,TWD&${window}&fill=${fill}`;
      const { data: up, derived_symbols, data_updated_at } = await app.get(`${path}&order=asc`);
      expect([derived_symbols, data_updated_at]).toEqual([["GBP"], "2026-03-31T12:15:00Z"]);
      expect((await app.get(path)).data).toEqual(up);
      expect((await app.get(`${path}&order=desc`)).data).toEqual(up.toReversed());
      for (const limit of [1, 3, 5]) {
        expect(await walk(app, `${path}&order=desc`, limit)).toEqual(up.toReversed());
      }
    }
  });
  test("holds over years of blocks, wherever windows and pages begin and end", async () => {
    const random = seededRandom(3);
    const first = day("2010-01-01");
    const days = Array.from({ length: 1100 }, (_, index) => first + index).filter(() => random() < 0.6);
    const dataset = datasetOf(
      days.map((date, index) => ecb(formatDay(date), "USD", (1 + index / 1e4).toFixed(4))),
    );
    const world = openTestApp({ dataset: () => dataset, pinned: () => dataset });
    for (let round = 0; round < 5; round++) {
      const start = first - 20 + Math.floor(random() * 900);
      const end = start + 200 + Math.floor(random() * 700);
      const path = `/v1/range?base=EUR&symbols=USD&start_date=${formatDay(start)}&end_date=${formatDay(end)}`;
      const up = await walk(world, path, 1 + Math.floor(random() * 366));
      const wanted = days.filter((date) => date >= start && date <= end).map(formatDay);
      expect(up.map((row) => row.date)).toEqual(wanted);
      const down = await walk(world, `${path}&order=desc`, 1 + Math.floor(random() * 366));
      expect(down).toEqual(up.toReversed());
    }
  });
});

describe("symbols=*", () => {
  test("is every currency but the base, in the order of the catalog", async () => {
    const body = await app.get(`/v1/range?base=EUR&symbols=*&${window}`);
    expect(body.symbols).toHaveLength(30);
    expect(body.symbols).toEqual([...body.symbols].sort());
    expect(body.symbols).not.toContain("EUR");
    expect(Object.keys(body.data[0].rates)).toEqual(["GBP", "HUF", "JPY", "USD"]);
  });
  test("is what absent means on latest and of a day", async () => {
    for (const path of ["/v1/latest?", "/v1/2026-04-10?"]) {
      expect(await app.get(`${path}symbols=*`)).toEqual(await app.get(path));
    }
  });
  test("is not combined with other symbols", async () => {
    await app.refused(`/v1/range?symbols=EUR,*&${window}`, "invalid_request");
  });
});

describe("weeks and months", () => {
  const range = (query: string) => app.get(`/v1/range?base=EUR&symbols=USD&${query}`);
  test("a week is dated with its Monday, a month with its first day, even before the window", async () => {
    const weeks = await range(`${window}&interval=1w`);
    const row = { source: "ecb_daily", is_forward_filled: false };
    expect(weeks).toMatchObject({ interval: "1w", aggregate: "last" });
    expect(weeks.data).toEqual([
      { date: "2026-03-30", ...row, rates: { USD: 1.162 }, last_dates: { USD: "2026-04-02" } },
      { date: "2026-04-06", ...row, rates: { USD: 1.166 }, last_dates: { USD: "2026-04-10" } },
      { date: "2026-04-13", ...row, rates: { USD: 1.167 }, last_dates: { USD: "2026-04-13" } },
    ]);
    const newest = await range(`${window}&interval=1w&order=desc&limit=2`);
    expect(newest.data).toEqual(weeks.data.toReversed().slice(0, 2));
    expect(
      (await range(`${window}&interval=1mo`)).data.map((row: Row) => [row.date, row.rates["USD"]]),
    ).toEqual([
      ["2026-03-01", 1.16],
      ["2026-04-01", 1.167],
    ]);
  });
  test("only days of the window count", async () => {
    const body = await range("start_date=2026-04-08&end_date=2026-04-09&interval=1mo&aggregate=mean");
    // 1.1640 and 1.1650.
    expect(body.data).toMatchObject([{ date: "2026-04-01", rates: { USD: 1.1645 } }]);
    // A mean is as old as the first of its days.
    expect(body.data_updated_at).toBe("2026-04-08T12:15:00Z");
  });
  test("with fill=previous the last value is that of the last calendar day, and a mean is over all days", async () => {
    const last = await range("start_date=2026-03-30&end_date=2026-04-05&interval=1w&fill=previous");
    expect(last.data).toMatchObject([{ date: "2026-03-30", is_forward_filled: true, rates: { USD: 1.162 } }]);
    // 31 March to 5 April: 1.1600, 1.1610, and 1.1620 on four days; nothing yet on the 30th.
    const mean = await range(
      "start_date=2026-03-30&end_date=2026-04-05&interval=1w&fill=previous&aggregate=mean",
    );
    expect(mean.data).toMatchObject([{ is_forward_filled: true, rates: { USD: 1.1615 } }]);
    const published = await range("start_date=2026-03-30&end_date=2026-04-05&interval=1w&aggregate=mean");
    expect(published.data).toMatchObject([{ is_forward_filled: false, rates: { USD: 1.161 } }]);
  });
  test("names the least fresh source of all that went into a row", async () => {
    const body = await app.get(`/v1/range?base=EUR&symbols=TWD,USD&${window}&interval=1mo&aggregate=mean`);
    expect(body.derived_symbols).toEqual(["TWD"]);
    expect(body.sources).toEqual({ EUR: "ecb_daily", TWD: "fred_daily", USD: "ecb_daily" });
    expect(body.data.map((row: Row) => row.source)).toEqual(["ecb_daily", "ecb_daily"]);
  });
});

test.each<[string, RegExp]>([
  ["order=up", /asc, desc/],
  ["interval=2y", /1h, 1d, tick, 1w, 1mo, 1q, 1y/],
  ["interval=15m", /keeps no intraday quotes/],
  ["aggregate=mean", /interval=1w, 1mo, 1q, 1y/],
  ["interval=1d&aggregate=last", /aggregate applies to daily rates only/],
  ["interval=1w&aggregate=median", /last, mean/],
  ["updated_after=2026-04-10", /2026-04-10T00:00:00Z where that day begins/],
  ["updated_after=2026-04-13T16:30:00.001Z", /after now/],
  ["updated_after=2026-04-10T00:00:00Z&as_of=2026-04-10T00:00:00Z", /exclude each other/],
  ["updated_after=2026-04-10T00:00:00Z&interval=1w", /leave interval out/],
  ["start_date=2026-04-14", /start_date/],
])("400 with a reason: %s", async (parameters, reason) => {
  const reversed = parameters.startsWith("start_date") ? "end_date=2026-04-13" : window;
  expect(await app.reason(`/v1/range?symbols=EUR&${reversed}&${parameters}`, "invalid_request")).toMatch(
    reason,
  );
});

/** The ECB was closed from Friday the 3rd to Monday the 6th. */
const windowOf = (start: string, end: string, more = "") =>
  `/v1/range?base=EUR&symbols=USD,GBP&start_date=${start}&end_date=${end}${more}`;

describe("a window in which nothing was published", () => {
  test.each([
    windowOf("2026-04-11", "2026-04-12"),
    windowOf("2026-04-03", "2026-04-06"),
    windowOf("2026-04-11", "2026-04-12", "&interval=1mo&aggregate=mean"),
    windowOf("2026-04-11", "2026-04-12", "&as_of=2026-04-13T12:00:00Z"),
    windowOf("2026-04-11", "2026-04-12").replace("USD,GBP", "*"),
    // Published on other days only.
    windowOf("2026-04-13", "2026-04-13").replace("USD,GBP", "TWD"),
  ])("%s", async (path) => {
    const body = await app.get(path);
    expect(body).toMatchObject({ data: [], source: null, has_more: false, next_cursor: null });
    expect(body.notice).toContain("fill=previous");
    expect(body.missing_symbols).toEqual(body.symbols);
    // What is advised works.
    expect((await app.get(`${path}&fill=previous`)).data.length).toBeGreaterThan(0);
  });
  test("a page with rows has no such notice", async () => {
    expect((await app.get(windowOf("2026-04-10", "2026-04-12"))).notice).not.toContain("fill=previous");
  });
});

test.each([
  ["", "date,base,symbol,rate,source,is_forward_filled,derived,derivation_bps_max"],
  ["&layout=wide", "date,base,GBP,USD"],
])("a CSV%s of such a window has its header", async (more, header) => {
  const file = await app.ask(windowOf("2026-04-11", "2026-04-12", `&format=csv${more}`));
  expect(file.status).toBe(200);
  const lines = (await file.text()).trim().split(/\r?\n/);
  expect(lines).toHaveLength(1);
  for (const column of header.split(",")) expect(lines[0]).toContain(column);
});
