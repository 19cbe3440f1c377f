/** Frankfurter's two versions on the small world: shapes, names, dates and refusals are that service's, figures are this product's. */

import { describe, expect, test } from "bun:test";
import { formatDay } from "#domain/time/day.ts";
import { openTestApp, WORLD } from "#test/api/harness.ts";
import { datasetOf, ecb, fred } from "#test/domain/history/columns.ts";

const V1 = "/compat/frankfurter/v1";
const V2 = "/compat/frankfurter/v2";
const app = openTestApp();

async function refusal(path: string): Promise<readonly [number, unknown]> {
  const response = await app.ask(path);
  expect(response.headers.get("cache-control")).toBe("no-store");
  return [response.status, await response.json()];
}

describe("v1", () => {
  test("latest has the shape of the service, and the digits as published", async () => {
    const response = await app.ask(`${V1}/latest`);
    expect(await response.text()).toBe(
      '{"amount":1.0,"base":"EUR","date":"2026-04-13","rates":{"GBP":0.85700,"HUF":366.90,"JPY":187.75,"USD":1.1670}}',
    );
    expect(response.headers.get("content-type")).toBe("application/json; charset=utf-8");
  });

  test("names in headers where the rates come from", async () => {
    const { headers } = await app.ask(`${V1}/latest`);
    expect(headers.get("x-source")).toBe("ecb_daily");
    expect(headers.get("x-data-updated-at")).toBe("2026-04-13T12:15:00Z");
    expect(headers.get("access-control-expose-headers")).toBe("*");
    expect(headers.has("x-data-mode")).toBe(false);
  });

  test("base and symbols have older names, any case, and unknown symbols are left out", async () => {
    const body = await app.get(`${V1}/latest?from=usd&to=eur,xyz,gbp`);
    expect(body).toMatchObject({ base: "USD", rates: { EUR: 0.8568980291, GBP: 0.734361611 } });
    expect(await app.get(`${V1}/latest?base=USD&symbols=EUR,GBP`)).toEqual(body);
    expect(await app.get(`${V1}/current?base=USD&symbols=EUR,GBP`)).toEqual(body);
  });

  test("amount multiplies exactly", async () => {
    const body = await app.get(`${V1}/latest?amount=2.5&symbols=USD`);
    expect(body).toMatchObject({ amount: 2.5, rates: { USD: 2.9175 } });
  });

  test("a day without publication has the date and rates of the one before", async () => {
    const body = await app.get(`${V1}/2026-04-05?symbols=USD`);
    expect(body).toEqual({ amount: 1, base: "EUR", date: "2026-04-02", rates: { USD: 1.162 } });
  });

  test("a day ahead has the newest rates, as there", async () => {
    expect(await app.get(`${V1}/2026-04-14`)).toMatchObject({ date: "2026-04-13" });
  });

  test("a period has one entry a publication, opened by the one before it", async () => {
    expect(await app.get(`${V1}/2026-04-05..2026-04-08?symbols=USD`)).toEqual({
      amount: 1,
      base: "EUR",
      start_date: "2026-04-02",
      end_date: "2026-04-08",
      rates: { "2026-04-02": { USD: 1.162 }, "2026-04-07": { USD: 1.163 }, "2026-04-08": { USD: 1.164 } },
    });
  });

  test("a period without an end runs to today", async () => {
    const body = await app.get(`${V1}/2026-04-10..?from=GBP&to=EUR&amount=2`);
    expect(Object.keys(body.rates)).toEqual(["2026-04-10", "2026-04-13"]);
    expect(body).toMatchObject({ amount: 2, start_date: "2026-04-10", end_date: "2026-04-13" });
  });

  test("holds the euro reference rates of the ECB and nothing else", async () => {
    const dataset = datasetOf([
      ...WORLD,
      fred("2026-04-10", "BRL", "5.2000", 4),
      fred("2026-04-13", "BRL", "5.2100", 4),
    ]);
    const mixed = openTestApp({ dataset: () => dataset });
    expect(Object.keys((await mixed.get(`${V1}/latest`)).rates)).toEqual(["GBP", "HUF", "JPY", "USD"]);
    const period = await mixed.ask(`${V1}/2026-04-10..?base=USD`);
    expect(Object.keys((await period.json()).rates["2026-04-10"])).toEqual(["EUR", "GBP", "HUF", "JPY"]);
    expect(period.headers.get("x-source")).toBe("ecb_daily");
    expect((await mixed.ask(`${V1}/latest?base=BRL`)).status).toBe(404);
    expect((await mixed.ask(`${V1}/2026-04-10..?base=BRL`)).status).toBe(404);
    expect(Object.keys(await mixed.get(`${V1}/currencies`))).toEqual(["EUR", "GBP", "HUF", "JPY", "USD"]);
  });

  test("never puts rates of different days under one date", async () => {
    const dataset = datasetOf([ecb("2026-04-10", "CHF", "0.9350"), ...WORLD]);
    const answer = await openTestApp({ dataset: () => dataset }).ask(`${V1}/latest`);
    const body = await answer.json();
    expect(body.date).toBe("2026-04-13");
    expect(body.rates).not.toHaveProperty("CHF");
    expect(answer.headers.get("x-data-updated-at")).toStartWith("2026-04-13");
  });

  test.each([
    ["/latest?base=TWD", 404, "not found"],
    ["/latest?base=XYZ", 404, "not found"],
    ["/latest?symbols=XYZ", 404, "not found"],
    ["/latest?base=USD?callback=?", 404, "not found"],
    ["/1999-01-01", 404, "not found"],
    ["/2026-06-01", 404, "not found"],
    ["/2026-06-01..", 404, "not found"],
    ["/2026-04-10..2026-04-01", 404, "not found"],
    ["/nowhere", 404, "not found"],
    ["/2010-31-01", 422, "invalid date"],
    ["/2026-04-01..2026-02-30", 422, "invalid date"],
    ["/latest?amount=0", 422, "invalid amount"],
    ["/latest?amount=abc", 422, "invalid amount"],
    ["/latest?from=EUR&to=EUR", 422, "bad currency pair"],
    ["/latest?base=USD&symbols=usd", 422, "bad currency pair"],
  ])("refuses %s with %d", async (path, status, message) => {
    expect(await refusal(`${V1}${path}`)).toEqual([status, { message }]);
  });
});

// The króna's series ends on the 7th, while the other currencies go on.
const ended = datasetOf([...WORLD, ecb("2026-04-07", "ISK", "141.60")]);
const { get } = openTestApp({ dataset: () => ended });

test.each(["2026-04-08", "2026-04-10", "2026-04-13"])(
  "a date has one rate, whichever day was requested: v1 on a base that has ended, for %s",
  async (day) => {
    const then = await get(`${V1}/2026-04-07?base=ISK`);
    expect(then).toMatchObject({ date: "2026-04-07", rates: { USD: 0.008213276836 } });
    expect(await get(`${V1}/${day}?base=ISK`)).toEqual(then);
    expect(await get(`${V1}/${day}?base=USD&symbols=ISK`)).toMatchObject({
      date: "2026-04-07",
      rates: { ISK: 121.7540843 },
    });
  },
);

test("a period is opened by the newest of the publications before it", async () => {
  const { start_date, rates } = await get(`${V1}/2026-04-09..2026-04-10`);
  expect([start_date, Object.keys(rates)]).toEqual(["2026-04-09", ["2026-04-09", "2026-04-10"]]);
});

describe("v2", () => {
  test("the newest rates are a list by quote, the base against itself among them, each with its own date", async () => {
    expect(await app.get(`${V2}/rates?quotes=usd,twd,EUR`)).toEqual([
      { date: "2026-04-13", base: "EUR", quote: "EUR", rate: 1 },
      { date: "2026-04-10", base: "EUR", quote: "TWD", rate: 37.4286 },
      { date: "2026-04-13", base: "EUR", quote: "USD", rate: 1.167 },
    ]);
  });

  test("a rate on an older base has the base's date", async () => {
    expect(await app.get(`${V2}/rates?base=TWD&quotes=GBP`)).toMatchObject([{ date: "2026-04-10" }]);
    // The base's own record has the newest date of the others.
    const records = await app.get(`${V2}/rates?base=USD&quotes=TWD,USD`);
    expect(records).toMatchObject([{ date: "2026-04-10" }, { date: "2026-04-10" }]);
  });

  test("headers name the least fresh source among the records", async () => {
    const all = await app.ask(`${V2}/rates?base=USD`);
    expect(all.headers.get("x-source")).toBe("fred_daily");
    expect(all.headers.get("x-data-updated-at")).toBe("2026-04-10T16:00:00Z");
    const crossed = await app.ask(`${V2}/rates`);
    expect(crossed.headers.get("x-source")).toBe("ecb_daily");
    expect(crossed.headers.get("x-data-updated-at")).toBe("2026-04-10T12:15:00Z");
    const series = await app.ask(`${V2}/rates?from=2026-04-11&quotes=GBP`);
    expect(series.headers.get("x-data-updated-at")).toBe("2026-04-10T12:15:00Z");
    const ecbOnly = await app.ask(`${V2}/rates?providers=ECB`);
    expect(ecbOnly.headers.get("x-source")).toBe("ecb_daily");
  });

  test("a range begins with the figures in force on its first day, and lists each publication once", async () => {
    const records = await app.get(`${V2}/rates?from=2026-04-04&to=2026-04-08&quotes=USD,TWD`);
    expect(records.map(({ date, quote }: { date: string; quote: string }) => `${date} ${quote}`)).toEqual([
      // Of the day on which both sources have their figures, though TWD has one of the 3rd.
      "2026-04-02 TWD",
      "2026-04-02 USD",
      "2026-04-07 USD",
      "2026-04-08 USD",
    ]);
    expect(await app.get(`${V2}/rates?from=2026-04-13&quotes=GBP,TWD`)).toMatchObject([
      { date: "2026-04-10", quote: "TWD" },
      { date: "2026-04-13", quote: "GBP" },
    ]);
    expect(await app.get(`${V2}/rates?from=2026-04-09&to=2026-04-10&quotes=EUR`)).toHaveLength(2);
  });

  test("providers=ECB leaves out every pair that rests on H.10", async () => {
    const path = `${V2}/rates?from=2026-04-10&to=2026-04-13&quotes=TWD,USD&providers=ecb`;
    expect((await app.get(path)).map(({ quote }: { quote: string }) => quote)).toEqual(["USD", "USD"]);
    expect(await app.get(`${path}&base=TWD`)).toEqual([]);
    expect(await app.get(`${path}&group=month&base=TWD`)).toEqual([]);
    expect(await app.get(`${path}&group=month`)).toEqual([
      { date: "2026-04-01", base: "EUR", quote: "USD", rate: 1.1665 },
    ]);
    expect(await app.get(`${V2}/rates?providers=ECB,FRED`)).toEqual(await app.get(`${V2}/rates`));
    expect(await app.get(`${V2}/rates?providers=BOC`)).toEqual([]);
  });

  test("weeks and months are means, dated with their first day", async () => {
    expect(await app.get(`${V2}/rates?from=2026-04-01&to=2026-04-13&group=week&quotes=USD`)).toEqual([
      { date: "2026-03-30", base: "EUR", quote: "USD", rate: 1.1615 },
      { date: "2026-04-06", base: "EUR", quote: "USD", rate: 1.1645 },
      { date: "2026-04-13", base: "EUR", quote: "USD", rate: 1.167 },
    ]);
  });

  test("the same records come as lines and as CSV", async () => {
    const path = `${V2}/rates?from=2026-04-10&quotes=USD`;
    const lines = await app.ask(path, { headers: { accept: "application/x-ndjson" } });
    expect(lines.headers.get("content-type")).toBe("application/x-ndjson");
    const parsed = (await lines.text())
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(parsed).toEqual(await app.get(path));
    const csv = await app.ask(path.replace("/rates", "/rates.csv"));
    expect(await csv.text()).toBe(
      "date,base,quote,rate\n2026-04-10,EUR,USD,1.1660\n2026-04-13,EUR,USD,1.1670\n",
    );
  });

  test("one pair is one record, in any case, of a day or of now", async () => {
    expect(await app.get(`${V2}/rate/eur/usd`)).toEqual({
      date: "2026-04-13",
      base: "EUR",
      quote: "USD",
      rate: 1.167,
    });
    expect(await app.get(`${V2}/rate/EUR/USD?date=2026-04-11`)).toMatchObject({ date: "2026-04-10" });
    expect(await app.get(`${V2}/rate/USD/USD`)).toMatchObject({ rate: 1, date: "2026-04-13" });
  });

  test("days before coverage are an empty list", async () => {
    expect(await app.get(`${V2}/rates?date=1990-01-01`)).toEqual([]);
    expect(await app.get(`${V2}/rates?from=2026-05-01`)).toEqual([]);
  });

  test("currencies and providers are listed with their days", async () => {
    const currencies = await app.get(`${V2}/currencies`);
    expect(currencies).toHaveLength(31);
    expect(currencies.find((entry: { iso_code: string }) => entry.iso_code === "USD")).toEqual({
      iso_code: "USD",
      iso_numeric: "840",
      name: "US Dollar",
      symbol: null,
      start_date: "2026-03-31",
      end_date: "2026-04-13",
    });
    expect(await app.get(`${V2}/currency/twd`)).toMatchObject({
      end_date: "2026-04-10",
      providers: ["FRED"],
    });
    expect(await app.get(`${V2}/providers`)).toMatchObject([
      { key: "ECB", end_date: "2026-04-13" },
      { key: "FRED", end_date: "2026-04-10" },
    ]);
  });

  test.each([
    ["/rates?foo=1", 422, "unknown parameter: foo"],
    ["/rates?date=not-a-date", 422, "invalid date"],
    ["/rates?date=2026-04-10&from=2026-04-01", 422, "conflicting params"],
    ["/rates?from=2026-04-01&group=day", 422, "invalid group"],
    ["/rates?quotes=AED,USD", 422, "invalid currency: AED; see /v2/currencies"],
    ["/rate/XYZ/USD", 422, "invalid currency: XYZ; see /v2/currencies"],
    ["/rate/EUR/USD?date=1990-01-01", 404, "not found"],
    ["/rate/EUR/USD?from=2026-04-09", 422, "one pair of one day; see /v2/rates"],
    ["/rate/EUR/USD,GBP", 422, "one pair of one day; see /v2/rates"],
    ["/currency/XYZ", 404, "not found"],
  ])("refuses %s with %d", async (path, status, message) => {
    expect(await refusal(`${V2}${path}`)).toEqual([status, { status, message }]);
  });

  test("what cannot be answered is refused with its reason: H.10 only, and sources by record", async () => {
    const [status, body] = await refusal(`${V2}/rates?providers=FRED`);
    expect([status, (body as { message: string }).message]).toEqual([
      422,
      expect.stringContaining("FRED alone is not served here"),
    ]);
    expect((await refusal(`${V2}/rates?expand=providers`))[1]).toMatchObject({
      message: expect.stringContaining("X-Source"),
    });
  });
});

test("the weeks of a long series are computed in short steps, with a turn for others after each", async () => {
  const first = Date.parse("2024-01-01") / 86_400_000;
  const dataset = datasetOf(
    Array.from({ length: 800 }, (_, nth) => ecb(formatDay(first + nth), "USD", `1.${1000 + nth}`)),
  );
  let turns = 0;
  const { get } = openTestApp({
    dataset: () => dataset,
    nextTurn: (run) => {
      turns += 1;
      setImmediate(run);
    },
  });
  const turnsFor = async (from: string) => {
    const before = turns;
    await get(`${V2}/rates?from=${from}&to=2026-03-01&group=week`);
    return turns - before;
  };
  const short = await turnsFor("2026-02-20");
  // Some 110 weeks: a break after every 16.
  expect((await turnsFor("2024-01-08")) - short).toBeGreaterThanOrEqual(6);
});
