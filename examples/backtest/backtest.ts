/**
 * A back-test over imported minutes: long while the mean of the last 3 bars is above that of the last 12, bought at the ask and sold
 * at the bid.
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

/** Closes of five minutes by their instant, and the sources of the bars. */
async function closesOf(window: Window, side: "bid" | "ask") {
  const { base, symbol, start_date, end_date } = window;
  const closes = new Map<string, number>();
  const query = { base, symbols: [symbol], start_date, end_date, interval: "5m", side } as const;
  for await (const { start, bars, source } of crossrate.rangeRows(query)) {
    const bar = bars?.[symbol];
    if (start !== undefined && bar !== undefined) closes.set(start, Number(bar.close));
    if (source !== null) sources.add(source);
  }
  return closes;
}

// The server refuses what is no currency.
const window = { base: base as CurrencyCode, symbol: symbol as CurrencyCode, start_date, end_date };
const sources = new Set<string>();
const [bids, asks] = [await closesOf(window, "bid"), await closesOf(window, "ask")];
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const seen: number[] = [];
let [bought, total, trades]: [number | null, number, number] = [null, 0, 0];
for (const [start, bid] of bids) {
  const ask = asks.get(start);
  if (ask === undefined) continue;
  seen.push((bid + ask) / 2);
  if (seen.length < 12) continue;
  const isUp = mean(seen.slice(-3)) > mean(seen.slice(-12));
  if (isUp && bought === null) {
    bought = ask;
    console.log(`${start}  buy   ${ask.toFixed(5)}`);
  } else if (!isUp && bought !== null) {
    total += bid - bought;
    trades += 1;
    console.log(`${start}  sell  ${bid.toFixed(5)}  ${(bid - bought).toFixed(5)}`);
    bought = null;
  }
}
console.log(
  `${trades} trades, ${total.toFixed(5)} ${symbol} for 1 ${base}, from quotes: ${[...sources].join(", ")}`,
);
