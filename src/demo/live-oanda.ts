/** OANDA v20 pricing: bearer token, strings, times with nanoseconds, a part of the catalog. */

import type { CurrencyCode } from "#domain/currency/currency.ts";
import { marketSession } from "#domain/time/session.ts";
import { isQuoted, type Quotes, quotesOf } from "./quotes.ts";
import { type Answer, json, notFound, type Visit } from "./visit.ts";

const NOT_QUOTED: ReadonlySet<string> = new Set(["BRL", "IDR", "ISK", "KRW", "MYR", "PHP", "RON", "TWD"]);
const THREE_DECIMALS: ReadonlySet<string> = new Set(["JPY", "HUF", "INR", "THB"]);

export function oanda(visit: Visit): Answer {
  const { url, headers, now } = visit;
  if (!/^\/v3\/accounts\/[\w-]+\/pricing$/.test(url.pathname)) return notFound();
  if (!/^Bearer [0-9a-f]{32}-[0-9a-f]{32}$/.test(headers.get("authorization") ?? "")) {
    return json('{"errorMessage":"Insufficient authorization to perform request."}', 401);
  }
  const instruments = (url.searchParams.get("instruments") ?? "").split(",");
  const pairs = instruments.map(pairOf);
  if (pairs.includes(null)) return json(`{"errorMessage":"Invalid value specified for 'instruments'"}`, 400);
  const quotes = quotesOf(visit);
  const open = marketSession(now) === "open";
  const prices = pairs.map((pair) => (pair === null ? "" : price(quotes, pair[0], pair[1], open)));
  return json(`{"time":"${nanoseconds(now)}","prices":[${prices.join(",")}]}`);
}

/** `EUR_USD` → its two codes; null when it is not an instrument here. */
function pairOf(instrument: string): readonly [CurrencyCode, CurrencyCode] | null {
  const [base = "", quote = "", ...rest] = instrument.split("_");
  if (rest.length > 0 || !isQuoted(base) || !isQuoted(quote) || base === quote) return null;
  return NOT_QUOTED.has(base) || NOT_QUOTED.has(quote) ? null : [base, quote];
}

function price(quotes: Quotes, base: CurrencyCode, quote: CurrencyCode, open: boolean): string {
  const mid = quotes.mid(base, quote);
  const half = mid * quotes.halfSpread(base, quote);
  const digits = THREE_DECIMALS.has(quote) ? 3 : 5;
  const [bid, ask] = [(mid - half).toFixed(digits), (mid + half).toFixed(digits)];
  return (
    `{"type":"PRICE","time":"${nanoseconds(quotes.at)}","bids":[{"price":"${bid}","liquidity":"1000000"}],` +
    `"asks":[{"price":"${ask}","liquidity":"1000000"}],"closeoutBid":"${bid}","closeoutAsk":"${ask}",` +
    `"status":"${open ? "tradeable" : "non-tradeable"}","tradeable":${open},"instrument":"${base}_${quote}"}`
  );
}

function nanoseconds(instant: number): string {
  return `${new Date(instant).toISOString().slice(0, 23)}000000Z`;
}
