/** One market behind all live feeds: it moves by the second, stays constant while closed, and can be made to err. */

import { afterEach, expect, test } from "bun:test";
import { CURRENCY_CODES } from "#domain/currency/currency.ts";
import { dayAt } from "#domain/time/day.ts";
import { running } from "#test/demo/running.ts";
import { askJson, BEARER, COINBASE, MASSIVE, OANDA, OXR, type Ticker } from "./feeds.ts";

const NOW = "2026-04-14T15:00:30Z";
const feeds = await running(NOW);
const json = (url: string, headers?: Record<string, string>) => askJson(feeds, url, headers);
const { text, at, simulator } = feeds;
afterEach(() => {
  simulator.behave();
  at(NOW);
});

test("all feeds quote the same market to within their digits and spreads, near the day's fixing", async () => {
  const yen = Number((await json(`${COINBASE}?currency=USD`)).data.rates["JPY"]);
  const oxr = (await json(OXR)).rates["JPY"] as number;
  const [ticker] = (await json(`${MASSIVE}&tickers=C:USDJPY`)).tickers;
  const { a, b } = (ticker as Ticker).lastQuote;
  for (const other of [yen, (a + b) / 2]) expect(Math.abs(other / oxr - 1)).toBeLessThan(0.0001);
  const day = dayAt(Date.parse(NOW));
  const fixing = simulator.world.perEuro("JPY", day) / simulator.world.perEuro("USD", day);
  expect(Math.abs(oxr / fixing - 1)).toBeLessThan(0.01);
});

test("quotes move from second to second while the market is open, and the same second is always the same", async () => {
  const first = await text(OXR);
  at("2026-04-14T15:00:33Z");
  const later = await text(OXR);
  expect(later).not.toBe(first);
  at(NOW);
  expect(await text(OXR)).toBe(first);
  const fresh = await running(NOW);
  expect(await fresh.text(OXR)).toBe(first);
});

const CLOSED = [
  ["a weekend", "2026-04-11T12:00:00Z", "2026-04-10T20:59:59Z"],
  ["the last second of a weekend", "2026-04-12T20:59:59Z", "2026-04-10T20:59:59Z"],
  ["Christmas Day", "2025-12-25T12:00:00Z", "2025-12-24T21:59:59Z"],
] as const;

for (const [when, moment, close] of CLOSED) {
  test(`on ${when} every quote is that of ${close}, its time included`, async () => {
    at(moment);
    const still = await json(OXR);
    const { prices } = await json(`${OANDA}?instruments=EUR_USD`, BEARER);
    at(close);
    expect(await json(OXR)).toEqual(still);
    expect(still.timestamp).toBe(Date.parse(close) / 1000);
    expect(prices[0]?.status).toBe("non-tradeable");
  });
}

test("after the weekend quotes continue from their last value", async () => {
  at("2026-04-10T20:59:59Z");
  const before = (await json(OXR)).rates["EUR"] as number;
  at("2026-04-12T21:00:00Z");
  const { rates, timestamp } = await json(OXR);
  expect(timestamp).toBe(Date.parse("2026-04-12T21:00:00Z") / 1000);
  expect(Math.abs((rates["EUR"] as number) / before - 1)).toBeLessThan(0.0005);
});

test("figure faults show in live quotes: tenfold in all but the base itself, decimal-slip in one", async () => {
  const healthy = (await json(OXR)).rates;
  const factors = async () => {
    const { rates } = await json(OXR);
    return CURRENCY_CODES.filter(
      (code) => Math.round((rates[code] as number) / (healthy[code] as number)) === 10,
    );
  };
  simulator.misbehave("/openexchangerates.org/", { kind: "tenfold" });
  expect(await factors()).toEqual(CURRENCY_CODES.filter((code) => code !== "USD"));
  simulator.misbehave("/openexchangerates.org/", { kind: "decimal-slip", currency: "SEK" });
  expect(await factors()).toEqual(["SEK"]);
  simulator.misbehave("/openexchangerates.org/", { kind: "wrong-date" });
  expect((await json(OXR)).timestamp).toBe(Date.parse(NOW) / 1000 + 365 * 86_400);
  simulator.misbehave("/openexchangerates.org/", { kind: "nan" });
  expect(await text(OXR)).toContain('"EUR":NaN');
});
