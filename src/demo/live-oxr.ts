/** openexchangerates.org/api/latest.json: keyed, numbers, one time stamp in seconds for all. */

import { CURRENCY_CODES } from "#domain/currency/currency.ts";
import { withoutTrailingZeros } from "./digits.ts";
import { isQuoted, quotesOf } from "./quotes.ts";
import { type Answer, json, notFound, type Visit } from "./visit.ts";

export function openExchangeRates(visit: Visit): Answer {
  const { url, headers } = visit;
  if (url.pathname !== "/api/latest.json") return notFound();
  const key = url.searchParams.get("app_id") ?? /^Token (\S+)$/.exec(headers.get("authorization") ?? "")?.[1];
  if (key === undefined || key === "") {
    return refusal(401, "missing_app_id", `No App ID provided - ${SIGN_UP}`);
  }
  if (!/^[0-9a-f]{32}$/.test(key)) {
    return refusal(401, "invalid_app_id", `Invalid App ID provided - ${SIGN_UP}`);
  }
  const base = url.searchParams.get("base") ?? "USD";
  if (!isQuoted(base))
    return refusal(400, "invalid_base", "Client requested rates for an unsupported base currency.");
  const wanted = url.searchParams.get("symbols")?.split(",");
  const quotes = quotesOf(visit);
  const rates = CURRENCY_CODES.filter((code) => wanted === undefined || wanted.includes(code)).map(
    (code) => `"${code}":${withoutTrailingZeros(quotes.mid(base, code).toFixed(6))}`,
  );
  return json(
    `{"disclaimer":"Usage subject to terms: https://openexchangerates.org/terms",` +
      `"license":"https://openexchangerates.org/license","timestamp":${quotes.at / 1000},` +
      `"base":"${base}","rates":{${rates.join(",")}}}`,
  );
}

const SIGN_UP =
  "please sign up at https://openexchangerates.org/signup, or contact support@openexchangerates.org.";

function refusal(status: number, message: string, description: string): Answer {
  return json(JSON.stringify({ error: true, status, message, description }), status);
}
