/** The live feed of Massive, which has bid and ask, on the demo's market. */

import { quotesOf } from "#demo/live.ts";
import { type Answer, type DemoRequest, json, notFound } from "#demo/request.ts";
import { CURRENCY_CODES, type CurrencyCode } from "#domain/currency/currency.ts";

const MAJORS = new Set<CurrencyCode>(["USD", "EUR", "GBP", "JPY", "CHF", "AUD", "CAD", "NZD"]);

const PAIRS: readonly (readonly [CurrencyCode, CurrencyCode])[] = [
  ...CURRENCY_CODES.filter((code) => code !== "USD").map((code) => ["USD", code] as const),
  ["EUR", "USD"],
  ["GBP", "USD"],
  ["AUD", "USD"],
  ["NZD", "USD"],
];

export function massive(request: DemoRequest): Answer {
  const { url } = request;
  if (url.pathname !== "/v2/snapshot/locale/global/markets/forex/tickers") return notFound();
  const wanted = url.searchParams.get("tickers")?.split(",");
  const quotes = quotesOf(request);
  const tickers = PAIRS.filter(
    ([base, quote]) => wanted === undefined || wanted.includes(`C:${base}${quote}`),
  );
  return json(
    `{"status":"OK","tickers":[${tickers.map(([base, quote]) => ticker(quotes, base, quote)).join(",")}]}`,
  );
}

function ticker(quotes: ReturnType<typeof quotesOf>, base: CurrencyCode, quote: CurrencyCode): string {
  const mid = quotes.mid(base, quote);
  const half = mid * (MAJORS.has(base) && MAJORS.has(quote) ? 0.00006 : 0.0003);
  const digits = Math.abs(mid) >= 20 ? 3 : 5;
  const [ask, bid] = [(mid + half).toFixed(digits), (mid - half).toFixed(digits)];
  return (
    `{"ticker":"C:${base}${quote}","lastQuote":{"a":${ask},"b":${bid},"x":48,"t":${quotes.at}},` +
    `"updated":${quotes.at}}`
  );
}
