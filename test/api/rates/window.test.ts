/** GET /v1/average and /v1/fluctuation on the wire: members, periods, CSV, refusals. The figures themselves: test/rates/window.test.ts. */

import { describe, expect, test } from "bun:test";
import { formatDay } from "#domain/time/day.ts";
import { parsePeriod } from "#domain/time/period.ts";
import { openTestApp } from "#test/api/harness.ts";
import { datasetOf, day, ecb, fred } from "#test/domain/history/columns.ts";

const app = openTestApp();
const WINDOW = "start_date=2026-04-01&end_date=2026-04-11";

describe("/v1/average", () => {
  test("is the mean of the rows of /v1/range, published or filled", async () => {
    for (const [method, fill] of [
      ["published", "none"],
      ["calendar", "previous"],
    ] as const) {
      const { rates, is_complete } = await app.get(
        `/v1/average?base=EUR&symbols=USD&${WINDOW}&method=${method}`,
      );
      const range = await app.get(`/v1/range?base=EUR&symbols=USD&${WINDOW}&fill=${fill}`);
      const values: number[] = range.data.map((row: { rates: { USD: number } }) => row.rates.USD);
      expect([rates.USD.days, is_complete]).toEqual([values.length, true]);
      expect(rates.USD.average).toBeCloseTo(values.reduce((sum, one) => sum + one, 0) / values.length, 8);
      expect([rates.USD.first, rates.USD.last]).toEqual([values[0], values.at(-1)]);
    }
  });

  test("of a month equals the month's row of /v1/range", async () => {
    const { rates } = await app.get("/v1/average?base=EUR&symbols=USD,GBP&period=2026-03");
    const query =
      "base=EUR&symbols=USD,GBP&start_date=2026-03-01&end_date=2026-03-31&interval=1mo&aggregate=mean";
    const [row] = (await app.get(`/v1/range?${query}`)).data;
    expect([rates.USD.average, rates.GBP.average]).toEqual([row.rates.USD, row.rates.GBP]);
  });

  test("of a period that lasts ends today, and says that it is not complete", async () => {
    const body = await app.get("/v1/average?base=EUR&symbols=USD&period=2026");
    expect([body.start_date, body.end_date, body.is_complete]).toEqual(["2026-01-01", "2026-04-13", false]);
  });

  test("is not complete before each source has published the last days of the window", async () => {
    const isComplete = async (query: string, end: string) =>
      (await app.get(`/v1/average?base=USD&start_date=2026-04-01&end_date=${end}&${query}`)).is_complete;
    // The ECB has figures of Monday, 13 April; those of H.10 come on the Monday after.
    expect(await isComplete("symbols=EUR", "2026-04-13")).toBe(true);
    expect(await isComplete("symbols=TWD", "2026-04-13")).toBe(false);
    expect(await isComplete("symbols=EUR,TWD&method=calendar", "2026-04-13")).toBe(false);
    expect(await isComplete("symbols=TWD", "2026-04-12")).toBe(true);
  });

  test("is not complete while a currency lacks a figure of the last day that others have: it may be held", async () => {
    const dates = Array.from({ length: 60 }, (_, nth) => formatDay(day("2026-02-13") + nth));
    const figures = (last: string) =>
      dates.filter((date) => date <= last).map((date) => ecb(date, "GBP", "0.86"));
    const isComplete = async (last: string) => {
      const dollars = dates.map((date) => ecb(date, "USD", "1.17"));
      const { get } = openTestApp({ world: datasetOf([...dollars, ...figures(last)]) });
      const query = "base=EUR&symbols=GBP&start_date=2026-03-02&end_date=2026-04-10";
      return (await get(`/v1/average?${query}`)).is_complete;
    };
    expect([await isComplete("2026-04-10"), await isComplete("2026-04-09")]).toEqual([true, false]);
    // It was suspended: nothing more of that time comes.
    expect(await isComplete("2026-03-20")).toBe(true);
  });
});

test("/v1/fluctuation has both ends with the days of their figures, the change, and the extremes", async () => {
  const body = await app.get(`/v1/fluctuation?base=EUR&symbols=USD&${WINDOW}`);
  expect(body).toMatchObject({ base: "EUR", start_date: "2026-04-01", end_date: "2026-04-11" });
  const { USD } = body.rates;
  const day = async (date: string) => (await app.get(`/v1/${date}?base=EUR&symbols=USD`)).rates.USD;
  expect([USD.start_rate, USD.end_rate]).toEqual([await day("2026-04-01"), await day("2026-04-11")]);
  expect(USD.end_date).toBe("2026-04-10");
  expect(USD.change).toBeCloseTo(USD.end_rate - USD.start_rate, 9);
  expect(USD.change_pct).toBeCloseTo((USD.change / USD.start_rate) * 100, 4);
});

test.each([
  { name: "average", to: "TWD", columns: ",source,method,is_complete", cells: ",published,true" },
  { name: "fluctuation", to: "GBP", columns: ",source", cells: "" },
])(
  "/v1/$name as CSV has a row a currency with the digits of the JSON, and every source of its figures",
  async ({ name, to, columns, cells }) => {
    const path = `/v1/${name}?base=EUR&symbols=USD,${to}&${WINDOW}`;
    const json = await (await app.ask(path)).text();
    const csv = await (await app.ask(`${path}&format=csv`)).text();
    const lines = ["USD", to].map((code) => {
      const members = new RegExp(`"${code}":\\{("(?:average|start_rate)"[^}]*)\\}`).exec(json)?.[1] ?? "";
      const source = code === "TWD" ? "fred_daily ecb_daily" : "ecb_daily";
      return {
        names: members.replace(/:[^,]+/g, ""),
        row: `EUR,${code},${members.replace(/"\w+":|"/g, "")},${source}${cells}`,
      };
    });
    const head = `base,symbol,${lines[0]?.names.replaceAll('"', "")}${columns}`;
    expect(csv.trim().split("\r\n")).toEqual([head, ...lines.map(({ row }) => row)]);
  },
);

test("an answer over two sources says so, in the notice and in its CSV", async () => {
  const days = ["2026-04-09", "2026-04-10"];
  const taken = [fred("2026-04-09", "BRL", "5.2"), ecb("2026-04-10", "BRL", "6.1")];
  const world = datasetOf([...days.map((date) => ecb(date, "USD", "1.17")), ...taken]);
  const { get, ask } = openTestApp({ world });
  for (const name of ["average", "fluctuation"]) {
    const path = `/v1/${name}?symbols=BRL&start_date=2026-04-09&end_date=2026-04-10`;
    const { notice, sources } = await get(path);
    expect([sources.BRL, notice]).toEqual([
      "fred_daily",
      expect.stringContaining(" BRL: figures of fred_daily, later of ecb_daily."),
    ]);
    expect(await (await ask(`${path}&format=csv`)).text()).toContain(",fred_daily ecb_daily");
  }
});

test("a source of the days between and a time without figures are in the notice, whatever is_complete says", async () => {
  // The ECB goes on with the dollar. The real has no figure of it for a month, in which H.10 has some.
  const days = Array.from({ length: 120 }, (_, nth) => formatDay(day("2025-12-01") + nth));
  const isOfH10 = (date: string) => date >= "2025-12-20" && date < "2026-01-20";
  const world = datasetOf([
    ...days.map((date) => ecb(date, "USD", "1.17")),
    ...days.map((date) => (isOfH10(date) ? fred(date, "BRL", "5.2") : ecb(date, "BRL", "6.1"))),
    ...days
      .filter((date) => date >= "2026-02-02" && date < "2026-03-02")
      .map((date) => ecb(date, "GBP", "0.86")),
  ]);
  const { get, ask } = openTestApp({ world });
  for (const name of ["average", "fluctuation"]) {
    const path = `/v1/${name}?base=BRL&symbols=EUR&start_date=2025-12-01&end_date=2026-03-06`;
    expect((await get(path)).notice).toEndWith(" BRL to EUR: on days between also figures of fred_daily.");
    expect(await (await ask(`${path}&format=csv`)).text()).toContain(",ecb_daily fred_daily");
  }
  const { is_complete, notice } = await get(
    "/v1/average?base=EUR&symbols=GBP,USD&start_date=2026-01-01&end_date=2026-03-30",
  );
  expect([is_complete, notice.slice(notice.indexOf(" EUR to GBP"))]).toEqual([
    true,
    " EUR to GBP: no figures from 2026-01-01 to 2026-02-01. EUR to GBP: no figures from 2026-03-02 to 2026-03-30.",
  ]);
});

test("a mean over days before coverage says where that starts, except of the holiday before it", async () => {
  const { get } = openTestApp({ world: datasetOf([ecb("1999-01-04", "USD", "1.1789")]) });
  const noticeFrom = async (start: string) =>
    (await get(`/v1/average?base=EUR&start_date=${start}&end_date=1999-01-04`)).notice;
  expect(await noticeFrom("1998-04-06")).toContain(" No figures before 1999-01-04, where coverage starts.");
  expect(await noticeFrom("1999-01-01")).not.toContain("No figures");
});

test.each([
  ["start_date=2026-04-11&end_date=2026-04-07", "invalid_request"],
  ["start_date=2026-04-07", "missing_parameter"],
  ["end_date=2026-04-07", "missing_parameter"],
  ["start_date=2026-02-30&end_date=2026-04-07", "bad_date"],
  [`${WINDOW}&base=XXX`, "unsupported_base"],
  [`${WINDOW}&symbols=ZZZ`, "invalid_request"],
] as const)("%s is refused with %s", async (query, code) => {
  for (const name of ["average", "fluctuation"]) await app.refused(`/v1/${name}?${query}`, code);
});

test("a change from a day before coverage is refused", () =>
  app.refused("/v1/fluctuation?start_date=1998-01-05&end_date=2026-04-07", "no_data_for_date"));

test.each([
  [`${WINDOW}&period=2025`, "invalid_request"],
  ["period=2025-13", "invalid_request"],
  ["period=GBR-2025-27", "invalid_request"],
  ["period=FRA-2025-26", "invalid_request"],
  ["period=2030", "no_data_for_date"],
  ["period=1998", "no_data_for_date"],
  [`${WINDOW}&method=median`, "invalid_request"],
] as const)("a mean with %s is refused with %s", (query, code) => app.refused(`/v1/average?${query}`, code));

test.each([
  ["2025", "2025-01-01", "2025-12-31"],
  ["2024-Q1", "2024-01-01", "2024-03-31"],
  ["2025-Q4", "2025-10-01", "2025-12-31"],
  ["2024-02", "2024-02-01", "2024-02-29"],
  ["2025-12", "2025-12-01", "2025-12-31"],
  ["GBR-2025-26", "2025-04-06", "2026-04-05"],
  ["IND-1999-00", "1999-04-01", "2000-03-31"],
  ["AUS-2025-26", "2025-07-01", "2026-06-30"],
  ["NZL-2025-26", "2025-04-01", "2026-03-31"],
])("period %s is from %s to %s", (text, start, end) => {
  const period = parsePeriod(text);
  expect(period && [formatDay(period.start), formatDay(period.end)]).toEqual([start, end]);
});
