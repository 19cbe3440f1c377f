/** The simulated live feeds: the shapes of the real ones, and their own error texts. */

import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { CURRENCY_CODES } from "#domain/currency/currency.ts";
import { KEY, running } from "#test/demo/running.ts";
import { sharedDocument } from "#test/support/shared-data.ts";
import { askJson, BEARER, COINBASE, type Live, MASSIVE, OANDA, OXR, type Price, TWELVE } from "./feeds.ts";

const NOW = "2026-04-14T15:00:30Z";
const feeds = await running(NOW);
const json = (url: string, headers?: Record<string, string>) => askJson(feeds, url, headers);
const { get } = feeds;

/** Names and kinds of an answer, down to the last level; of a list its first element. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return [shapeOf(value[0])];
  if (value === null || typeof value !== "object") return typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shapeOf(inner)]));
}

function real(name: string): unknown {
  const path = sharedDocument(`live/${name}`);
  return path === null ? null : JSON.parse(readFileSync(path, "utf8"));
}

test("Coinbase: strings for all 31, finer than two basis points but for the króna, metals zero", async () => {
  const { data } = await json(`${COINBASE}?currency=USD`);
  expect([data.currency, data.rates["USD"], data.rates["XAU"]]).toEqual(["USD", "1.0000", "0"]);
  for (const code of CURRENCY_CODES) {
    const printed = data.rates[code] as string;
    const half = 0.5 * 10 ** -(printed.split(".")[1]?.length ?? 0);
    expect([code, half / Number(printed) < 0.0002]).toEqual([code, code !== "ISK"]);
  }
  const recorded = real("coinbase_exchange_rates_usd.real-2019-subset.json") as Live | null;
  if (recorded !== null) expect(shapeOf({ data })).toEqual(shapeOf(recorded));
  expect((await get(`${COINBASE}?currency=NONE`)).status).toBe(400);
});

test("Open Exchange Rates: numbers in JSON, one time in seconds, any base, chosen symbols", async () => {
  const body = await json(OXR);
  expect([body.base, body.timestamp, body.rates["USD"]]).toEqual(["USD", Date.parse(NOW) / 1000, 1]);
  expect(Object.keys(body.rates)).toEqual([...CURRENCY_CODES]);
  const some = await json(`${OXR}&base=EUR&symbols=JPY,USD`);
  expect([some.base, Object.keys(some.rates)]).toEqual(["EUR", ["JPY", "USD"]]);
  const recorded = real("oxr_latest.real-2021-subset.json");
  if (recorded !== null) expect(Object.keys(body)).toEqual(Object.keys(recorded as object));
});

test("Massive: bid below ask, the quote's time in milliseconds, every currency against the dollar", async () => {
  const { tickers } = await json(MASSIVE);
  const names = tickers.map(({ ticker }) => ticker);
  expect(CURRENCY_CODES.filter((code) => code !== "USD" && !names.includes(`C:USD${code}`))).toEqual([]);
  for (const { lastQuote } of tickers) {
    expect([lastQuote.a > lastQuote.b, lastQuote.b > 0, lastQuote.t]).toEqual([true, true, Date.parse(NOW)]);
  }
  expect((await json(`${MASSIVE}&tickers=C:USDJPY`)).tickers.map(({ ticker }) => ticker)).toEqual([
    "C:USDJPY",
  ]);
  const documented = real("massive_forex_snapshot.shape.json") as Live | null;
  if (documented !== null) expect(shapeOf(tickers[0])).toEqual(shapeOf(documented.tickers[0]));
});

test("Twelve Data: one pair flat, several by symbol, an unknown one with its own error among them", async () => {
  const single = await json(`${TWELVE}&symbol=USD/JPY`);
  expect(Object.keys(single)).toEqual(["symbol", "rate", "timestamp"]);
  const batch = await json(`${TWELVE}&symbol=USD/JPY,USD/TWD,USD/XXX`);
  expect(Object.keys(batch)).toEqual(["USD/JPY", "USD/TWD", "USD/XXX"]);
  const documented = real("twelvedata_exchange_rate_batch.shape.json");
  if (documented !== null) expect(shapeOf(batch)).toEqual(shapeOf(documented));
});

test("OANDA: prices as strings, times with nanoseconds, what is requested and nothing it does not quote", async () => {
  const body = await json(`${OANDA}?instruments=EUR_USD,USD_JPY`, BEARER);
  expect(body.prices.map(({ instrument, status }) => [instrument, status])).toEqual([
    ["EUR_USD", "tradeable"],
    ["USD_JPY", "tradeable"],
  ]);
  expect(JSON.stringify(body)).toContain('"time":"2026-04-14T15:00:30.000000000Z"');
  for (const { closeoutAsk, closeoutBid } of body.prices) {
    expect(Number(closeoutAsk)).toBeGreaterThan(Number(closeoutBid));
  }
  const recorded = real("oanda_v20_pricing.real.json") as Live | null;
  if (recorded !== null) {
    // The conversion into the account's currency is for traders.
    const { quoteHomeConversionFactors: _, ...price } = recorded.prices[0] as Price & Record<string, unknown>;
    expect(shapeOf(body)).toEqual(shapeOf({ ...recorded, prices: [price] }));
  }
  expect((await get(`${OANDA}?instruments=USD_TWD`, BEARER)).status).toBe(400);
});

test("missing and wrong credentials are refused in each feed's own text; headers serve as well as queries", async () => {
  const without = (url: string) => url.replace(/[?&](app_id|apiKey|apikey)=\w+/, "?none");
  const refused = async (url: string) => {
    const answer = await get(url);
    return [answer.status, await answer.json()] as const;
  };
  const oxr = (await refused(OXR.replace(KEY, "wrong")))[1];
  expect(oxr).toMatchObject({ error: true, status: 401, message: "invalid_app_id" });
  const recorded = real("oxr_error.real.json");
  if (recorded !== null) expect(oxr).toEqual(recorded);
  expect(await refused(without(OXR))).toMatchObject([401, { message: "missing_app_id" }]);
  expect(await refused(without(MASSIVE))).toMatchObject([401, { status: "ERROR" }]);
  expect(await refused(without(TWELVE))).toMatchObject([401, { code: 401, status: "error" }]);
  expect(await refused(`${OANDA}?instruments=EUR_USD`)).toEqual([
    401,
    { errorMessage: "Insufficient authorization to perform request." },
  ]);
  await json(without(OXR), { authorization: `Token ${KEY}` });
  await json(without(MASSIVE), { authorization: `Bearer ${KEY}` });
  await json(`${without(TWELVE)}&symbol=USD/EUR`, { authorization: `apikey ${KEY}` });
});
