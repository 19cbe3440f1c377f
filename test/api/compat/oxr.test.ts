/** Open Exchange Rates' routes on the small world and a real archive: shapes, codes and dates are that service's, figures are this product's. */

import { describe, expect, test } from "bun:test";
import { openTestApp } from "#test/api/harness.ts";
import { openTemporary, quote } from "#test/store/archive/sample.ts";

const OXR = "/compat/oxr";
const app = openTestApp();

describe("rates", () => {
  test("latest has every currency there is, the base included, with time in seconds and texts of this product", async () => {
    const body = await app.get(`${OXR}/latest.json?app_id=anything`);
    expect(Object.keys(body)).toEqual(["disclaimer", "license", "timestamp", "base", "rates"]);
    // The Taiwan dollar is of Friday: clients that fetch again by `timestamp` must not do so at every call.
    expect(body).toMatchObject({ timestamp: Date.parse("2026-04-13T12:15:00Z") / 1000, base: "USD" });
    expect(body.rates).toEqual({
      EUR: 0.8568980291,
      GBP: 0.734361611,
      HUF: 314.3958869,
      JPY: 160.882605,
      TWD: 32.1,
      USD: 1,
    });
    expect(`${body.disclaimer} ${body.license}`).not.toContain("openexchangerates.org");
  });

  test.each([
    ["latest.json?symbols=EUR", "2026-04-13T12:15:00Z", "2026-04-13T12:15:00Z"],
    ["latest.json?symbols=TWD", "2026-04-10T16:00:00Z", "2026-04-10T16:00:00Z"],
    ["latest.json?symbols=EUR,TWD", "2026-04-10T16:00:00Z", "2026-04-13T12:15:00Z"],
    ["latest.json?base=TWD&symbols=EUR", "2026-04-10T16:00:00Z", "2026-04-13T12:15:00Z"],
    ["historical/2026-04-12.json?symbols=EUR,TWD", "2026-04-10T12:15:00Z", "2026-04-10T16:00:00Z"],
    ["historical/2026-04-12.json?symbols=EUR", "2026-04-10T12:15:00Z", "2026-04-10T12:15:00Z"],
    ["convert/1/TWD/GBP", "2026-04-10T16:00:00Z", "2026-04-13T12:15:00Z"],
  ])(
    "%s: `timestamp` is of the newest observation, the header of the oldest",
    async (path, oldest, newest) => {
      const response = await app.ask(`${OXR}/${path}`);
      const body = await response.json();
      expect(body.timestamp ?? body.meta?.timestamp).toBe(Date.parse(newest) / 1000);
      expect(response.headers.get("x-data-updated-at")).toBe(oldest);
    },
  );

  test("unknown symbols are left out and named in a header", async () => {
    const response = await app.ask(`${OXR}/latest.json?symbols=eur,AED,XAU`);
    expect(Object.keys((await response.json()).rates)).toEqual(["EUR"]);
    expect(response.headers.get("x-unavailable-symbols")).toBe("AED,XAU");
  });

  test("an App ID has no effect in any position, and no header is needed", async () => {
    const bare = await app.get(`${OXR}/latest.json`);
    expect(await app.get(`${OXR}/latest.json?app_id=x`)).toEqual(bare);
    const token = await app.ask(`${OXR}/latest.json`, { headers: { authorization: "Token x" } });
    expect(await token.json()).toEqual(bare);
  });

  test("show_bid_ask gives the mid only: no spread is invented", async () => {
    const { rates } = await app.get(`${OXR}/latest.json?symbols=EUR&show_bid_ask=1`);
    expect(rates).toEqual({ EUR: { mid: 0.8568980291 } });
  });

  test("a time series has every calendar day, filled", async () => {
    expect(
      await app.get(`${OXR}/time-series.json?start=2026-04-02&end=2026-04-05&base=EUR&symbols=USD`),
    ).toMatchObject({
      start_date: "2026-04-02",
      end_date: "2026-04-05",
      base: "EUR",
      rates: {
        "2026-04-02": { USD: 1.162 },
        "2026-04-03": { USD: 1.162 },
        "2026-04-04": { USD: 1.162 },
        "2026-04-05": { USD: 1.162 },
      },
    });
  });

  test("a conversion is rate times amount, exactly, by path and by query", async () => {
    const body = await app.get(`${OXR}/convert/19999.95/GBP/EUR`);
    expect(body).toMatchObject({
      request: { query: "/convert/19999.95/GBP/EUR", amount: 19999.95, from: "GBP", to: "EUR" },
      meta: { timestamp: Date.parse("2026-04-13T12:15:00Z") / 1000, rate: 1.166861144 },
    });
    expect(body.response).toBe(23337.1645369428);
    expect(await app.get(`${OXR}/convert.json?value=19999.95&from=gbp&to=eur`)).toEqual(body);
  });

  test("usage names no count that is not counted, and is never stored", async () => {
    const response = await app.ask(`${OXR}/usage.json?app_id=mine`);
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(await response.json()).toMatchObject({
      status: 200,
      data: {
        app_id: "mine",
        usage: {
          requests: -1,
          requests_quota: -1,
          requests_remaining: -1,
          days_elapsed: 12,
          days_remaining: 18,
        },
      },
    });
  });
});

describe("refusals", () => {
  test.each([
    ["/latest.json?base=XYZ", 400, "invalid_base"],
    ["/latest.json?symbols=AED", 400, "not_available"],
    ["/historical/2026-02-30.json", 400, "not_available"],
    ["/historical/2026-04-14.json", 400, "not_available"],
    ["/historical/1900-01-01.json", 400, "not_available"],
    ["/time-series.json?start=2013-07-100&end=2026-04-01", 400, "invalid_date_range"],
    ["/time-series.json", 400, "invalid_date_range"],
    ["/time-series.json?start=2026-04-02&end=2026-04-01", 400, "invalid_date_range"],
    ["/time-series.json?start=2026-04-02&end=2026-05-01", 400, "not_available"],
    ["/convert/abc/USD/EUR", 400, "invalid_amount"],
    ["/convert/1e3/USD/EUR", 400, "invalid_amount"],
    ["/convert/1/USD/XYZ", 400, "invalid_currency"],
    ["/convert.json?from=USD", 400, "missing_parameter"],
    ["/ohlc.json?start_time=2026-04-13T12:00:00Z&period=30m", 403, "access_restricted"],
  ])("%s is %d %s", async (path, status, message) => {
    const response = await app.ask(`${OXR}${path}`);
    expect(response.status).toBe(status);
    const body = await response.json();
    expect(body).toMatchObject({ error: true, status, message });
    expect(body.description.length).toBeGreaterThan(20);
  });

  test("an unknown path is not_found, and a day without .json is no day", async () => {
    const answer = async (path: string) => {
      const response = await app.visit(`${OXR}${path}`);
      return [response.status, (await response.json()).message];
    };
    expect(await answer("/spot.json")).toEqual([404, "not_found"]);
    expect(await answer("/historical/2026-04-10")).toEqual([400, "not_available"]);
  });
});

describe("ohlc", async () => {
  const START = Date.parse("2026-04-12T22:00:00Z");
  const archive = await openTemporary();
  const rates = ["0.8500", "0.8520", "0.8490", "0.8510"];
  await archive.append(
    Array.from({ length: 16 * 60 }, (_, minute) =>
      quote("USD/EUR", rates[minute % 4] as string, START + minute * 60_000, { feed: "massive" }),
    ),
  );
  const quoted = openTestApp({ archive });

  const BAR = { open: 0.85, high: 0.852, low: 0.849, close: 0.851, average: 0.8505 };

  test("a period has the bar of its quotes and ends a second before the next", async () => {
    const response = await quoted.ask(`${OXR}/ohlc.json?start_time=2026-04-13T12:00:00Z&period=30m`);
    const body = await response.json();
    expect(body).toMatchObject({
      start_time: "2026-04-13T12:00:00Z",
      end_time: "2026-04-13T12:29:59Z",
      base: "USD",
    });
    // Thirty quotes from the beginning of the cycle: it ends at its second.
    expect(body.rates).toEqual({ EUR: { ...BAR, close: 0.852, average: 0.850533333 } });
    expect(response.headers.get("x-source")).toBe("live");
  });

  test("a day under its other parameter name, and only of symbols that were quoted", async () => {
    const body = await quoted.get(`${OXR}/ohlc.json?start=2026-04-12T00:00:00Z&period=1d&symbols=EUR,JPY`);
    expect(body.rates).toEqual({ EUR: BAR });
  });

  test("a week is put together of its days, each counting with its quotes", async () => {
    const body = await quoted.get(`${OXR}/ohlc.json?start_time=2026-04-06T00:00:00Z&period=1w`);
    expect(body).toMatchObject({ end_time: "2026-04-12T23:59:59Z", rates: { EUR: BAR } });
  });

  test.each([
    ["start_time=2026-04-13&period=30m", "invalid_start_time"],
    ["start_time=2026-02-30T12:00:00Z&period=30m", "invalid_start_time"],
    ["start_time=2026-04-13T12:00:30Z&period=30m", "invalid_start_time"],
    ["period=30m", "invalid_start_time"],
    ["start_time=2026-04-13T12:00:00Z&period=2h", "invalid_period"],
    ["start_time=2026-04-13T12:10:00Z&period=30m", "invalid_period_for_start_time"],
    ["start_time=2026-04-07T00:00:00Z&period=1w", "invalid_period_for_start_time"],
    ["start_time=2026-04-02T00:00:00Z&period=1mo", "invalid_period_for_start_time"],
    ["start_time=2026-04-13T16:00:00Z&period=1h", "not_available"],
    ["start_time=2026-04-01T00:00:00Z&period=1h", "not_available"],
  ])("%s is %s", async (query, message) => {
    const response = await quoted.ask(`${OXR}/ohlc.json?${query}`);
    expect([response.status, (await response.json()).message]).toEqual([400, message]);
  });
});
