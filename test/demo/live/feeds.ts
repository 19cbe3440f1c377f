/** The live feeds' addresses with working credentials, and their answers as the tests read them. */

import { expect } from "bun:test";
import { KEY, type Running } from "#test/demo/running.ts";

export const COINBASE = "https://api.coinbase.com/v2/exchange-rates";
export const OXR = `https://openexchangerates.org/api/latest.json?app_id=${KEY}`;
export const MASSIVE = `https://api.massive.com/v2/snapshot/locale/global/markets/forex/tickers?apiKey=${KEY}`;
export const TWELVE = `https://api.twelvedata.com/exchange_rate?apikey=${KEY}`;
export const OANDA = "https://api-fxtrade.oanda.com/v3/accounts/101-001-1-001/pricing";
export const BEARER = { authorization: `Bearer ${KEY}-${KEY}` };

/** The parts of a feed's answers that the tests read; each feed has some of them. */
export interface Live {
  readonly data: { readonly currency: string; readonly rates: Record<string, string> };
  readonly timestamp: number;
  readonly base: string;
  readonly rates: Record<string, number>;
  readonly tickers: readonly Ticker[];
  readonly prices: readonly Price[];
}
export interface Ticker {
  readonly ticker: string;
  readonly lastQuote: { readonly a: number; readonly b: number; readonly t: number };
}
export interface Price {
  readonly instrument: string;
  readonly closeoutBid: string;
  readonly closeoutAsk: string;
  readonly status: string;
}
/** A feed's answer as JSON, or a red test where it is not a success. */
export async function askJson(
  { get }: Running,
  url: string,
  headers: Record<string, string> = {},
): Promise<Live> {
  const answer = await get(url, headers);
  expect([answer.status, answer.headers.get("content-type")]).toEqual([
    200,
    "application/json; charset=utf-8",
  ]);
  return (await answer.json()) as Live;
}
