/**
 * A back-test over imported minutes: long while the mean of the last 3 closes is above that of the last 12. What a close decides is
 * done at the open of the next bar, bought at the ask and sold at the bid.
 *
 *     bun backtest.ts EUR USD 2024-03-05 2024-03-05
 *
 * CROSSRATE_URL and CROSSRATE_API_KEY name the server and the key.
 */

import { Crossrate, type CurrencyCode } from "@crossrate/client";

const [base, symbol, start_date, end_date] = process.argv.slice(2);
if (!base || !symbol || !start_date || !end_date) {
  console.error("usage: bun backtest.ts BASE SYMBOL FIRST-DAY LAST-DAY");
  process.exit(2);
}

const { CROSSRATE_URL: url = "http://localhost:3000", CROSSRATE_API_KEY: key } = process.env;
const crossrate = new Crossrate({ url, ...(key === undefined ? {} : { key }) });

interface Window {
  readonly base: CurrencyCode;
  readonly symbol: CurrencyCode;
  readonly start_date: string;
  readonly end_date: string;
}

/** Bars of five minutes by their start, and their sources. */
async function barsOf(window: Window, side: "bid" | "ask") {
  const { base, symbol, start_date, end_date } = window;
  const found = new Map<string, { readonly open: number; readonly close: number }>();
  const query = { base, symbols: [symbol], start_date, end_date, interval: "5m", side } as const;
  for await (const { start, bars, source } of crossrate.rangeRows(query)) {
    const bar = bars?.[symbol];
    if (start !== undefined && bar !== undefined) found.set(start, bar);
    if (source !== null) sources.add(source);
  }
  return found;
}

// The server refuses what is no currency.
const window = { base: base as CurrencyCode, symbol: symbol as CurrencyCode, start_date, end_date };
const sources = new Set<string>();
const [bids, asks] = [await barsOf(window, "bid"), await barsOf(window, "ask")];
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const seen: number[] = [];
let [isUp, bought, total, trades]: [boolean, number | null, number, number] = [false, null, 0, 0];
for (const [start, bid] of bids) {
  const ask = asks.get(start);
  if (ask === undefined) continue;
  if (isUp && bought === null) {
    bought = ask.open;
    console.log(`${start}  buy   ${bought.toFixed(5)}`);
  } else if (!isUp && bought !== null) {
    const gain = bid.open - bought;
    total += gain;
    trades += 1;
    console.log(`${start}  sell  ${bid.open.toFixed(5)}  ${gain.toFixed(5)}`);
    bought = null;
  }
  seen.push((bid.close + ask.close) / 2);
  if (seen.length >= 12) isUp = mean(seen.slice(-3)) > mean(seen.slice(-12));
}
console.log(
  `${trades} trades, ${total.toFixed(5)} ${symbol} for 1 ${base}, from quotes: ${[...sources].join(", ")}`,
);
