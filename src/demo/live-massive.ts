/** api.massive.com: the forex snapshot, bid and ask with a time in milliseconds for each pair. */

import type { CurrencyCode } from "#domain/currency/currency.ts";
import { CURRENCY_CODES } from "#domain/currency/currency.ts";
import { type Quotes, quotesOf } from "./quotes.ts";
import { type Answer, json, notFound, type Visit } from "./visit.ts";

const PAIRS: readonly (readonly [CurrencyCode, CurrencyCode])[] = [
  ...CURRENCY_CODES.filter((code) => code !== "USD").map((code) => ["USD", code] as const),
  ["EUR", "USD"],
  ["GBP", "USD"],
  ["AUD", "USD"],
  ["NZD", "USD"],
];

export function massive(visit: Visit): Answer {
  const { url, headers } = visit;
  if (url.pathname !== "/v2/snapshot/locale/global/markets/forex/tickers") return notFound();
  const key =
    url.searchParams.get("apiKey") ?? /^Bearer (\S+)$/.exec(headers.get("authorization") ?? "")?.[1];
  if (key === undefined || key === "") return refusal("API Key was not provided");
  if (!/^[A-Za-z0-9_]{32}$/.test(key)) return refusal("Unknown API Key");
  const wanted = url.searchParams.get("tickers")?.split(",");
  const quotes = quotesOf(visit);
  const tickers = PAIRS.filter(
    ([base, quote]) => wanted === undefined || wanted.includes(`C:${base}${quote}`),
  );
  return json(
    `{"status":"OK","tickers":[${tickers.map(([base, quote]) => ticker(quotes, base, quote)).join(",")}]}`,
  );
}

function ticker(quotes: Quotes, base: CurrencyCode, quote: CurrencyCode): string {
  const mid = quotes.mid(base, quote);
  const half = mid * quotes.halfSpread(base, quote);
  const digits = Math.abs(mid) >= 20 ? 3 : 5;
  const [ask, bid] = [(mid + half).toFixed(digits), (mid - half).toFixed(digits)];
  return (
    `{"ticker":"C:${base}${quote}","lastQuote":{"a":${ask},"b":${bid},"x":48,"t":${quotes.at}},` +
    `"updated":${quotes.at}}`
  );
}

function refusal(error: string): Answer {
  return json(JSON.stringify({ status: "ERROR", request_id: "simulated", error }), 401);
}
