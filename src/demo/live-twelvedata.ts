/** api.twelvedata.com/exchange_rate: one pair as a flat object, several keyed by symbol, each with its own error. */

import { withoutTrailingZeros } from "./digits.ts";
import { isQuoted, type Quotes, quotesOf } from "./quotes.ts";
import { type Answer, json, notFound, type Visit } from "./visit.ts";

export function twelveData(visit: Visit): Answer {
  const { url, headers } = visit;
  if (url.pathname !== "/exchange_rate") return notFound();
  const key =
    url.searchParams.get("apikey") ?? /^apikey (\S+)$/.exec(headers.get("authorization") ?? "")?.[1];
  if (key === undefined || !/^[0-9a-f]{32}$/.test(key)) return json(problem(401, BAD_KEY), 401);
  const symbols = (url.searchParams.get("symbol") ?? "").split(",").filter((symbol) => symbol !== "");
  if (symbols.length === 0) return json(problem(400, BAD_SYMBOL), 400);
  const quotes = quotesOf(visit);
  const [first] = symbols;
  if (symbols.length === 1 && first !== undefined) {
    const single = rate(quotes, first);
    return single === null ? json(problem(404, BAD_SYMBOL), 404) : json(single);
  }
  const members = symbols.map((symbol) => `"${symbol}":${rate(quotes, symbol) ?? problem(404, BAD_SYMBOL)}`);
  return json(`{${members.join(",")}}`);
}

const BAD_KEY =
  "**apikey** parameter is incorrect or not specified. You can get your free API key instantly following " +
  "this link: https://twelvedata.com/pricing.";
const BAD_SYMBOL = "**symbol** or **figi** parameter is missing or invalid.";

/** null for a pair that is not quoted. */
function rate(quotes: Quotes, symbol: string): string | null {
  const [base = "", quote = ""] = symbol.split("/");
  if (!isQuoted(base) || !isQuoted(quote)) return null;
  const mid = quotes.mid(base, quote);
  const text = withoutTrailingZeros(mid.toFixed(mid < 0.01 ? 8 : 5));
  return `{"symbol":"${symbol}","rate":${text},"timestamp":${quotes.at / 1000}}`;
}

function problem(code: number, message: string): string {
  return JSON.stringify({ code, message, status: "error" });
}
