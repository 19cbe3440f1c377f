/** GET /compat/oxr/latest.json, historical/YYYY-MM-DD.json, convert and currencies.json. */

import { type CurrencyIndex, currencyIndex } from "#domain/currency/currency.ts";
import { Failure } from "#domain/faults/errors.ts";
import type { Digits } from "#domain/net/body.ts";
import { parseAmount } from "#domain/number/amount.ts";
import { type Day, parseDay } from "#domain/time/day.ts";
import { answer, NO_ORIGIN } from "#http/compat/answer.ts";
import { CATALOG_SECONDS, LATEST_SECONDS, type OxrDeps, PAST_SECONDS } from "#http/compat/compat-deps.ts";
import { oxrRefusal } from "#http/compat/dialects.ts";
import { queryOf } from "#http/request/query.ts";
import { convert } from "#rates/convert.ts";
import { currencies } from "#rates/currencies.ts";
import { historical } from "#rates/historical.ts";
import { latest } from "#rates/latest.ts";
import { frame, unixSeconds } from "./frame.ts";
import { isOn, print, type Wanted, wanted } from "./query.ts";

export function oxrLatest(deps: OxrDeps, request: Request): Promise<Response> {
  const asked = wanted(queryOf(request));
  return sendRates(deps, request, asked, latest(deps, { ...asked, dp: null }), LATEST_SECONDS);
}

/** `file` is the day with `.json` behind it. Failure `bad_date`, `no_data_for_date`. */
export function oxrHistorical(deps: OxrDeps, request: Request, file: string): Promise<Response> {
  const asked = wanted(queryOf(request));
  const text = file.replace(/\.json$/, "");
  const day: Day | null = text === file ? null : parseDay(text);
  if (day === null) throw new Failure("bad_date", { date: text });
  return sendRates(deps, request, asked, historical(deps, { ...asked, day, dp: null }), PAST_SECONDS);
}

/** `timestamp` is the oldest observation that contributes to the rates. */
function sendRates(
  deps: OxrDeps,
  request: Request,
  { unavailable }: Wanted,
  found: ReturnType<typeof latest> | ReturnType<typeof historical>,
  maxAgeSeconds: number,
): Promise<Response> {
  const { base, rates, source, data_updated_at } = found;
  const text = print(request, {
    ...frame(deps.simulated),
    timestamp: unixSeconds(data_updated_at),
    base,
    rates: isOn(request, "show_bid_ask") ? midsOnly(rates) : rates,
  });
  const origin = { source, dataUpdatedAt: data_updated_at };
  return answer(request, deps.simulated, { text, origin, maxAgeSeconds, unavailable });
}

/** Where no bid and ask are known, the mid stands alone: that is how they are told there too. */
function midsOnly(rates: Readonly<Record<string, Digits>>): object {
  return Object.fromEntries(Object.entries(rates).map(([code, mid]) => [code, { mid }]));
}

/** Refusals `invalid_amount`, `invalid_currency` naming the side. */
export function oxrConvert(
  deps: OxrDeps,
  request: Request,
  value: string,
  from: string,
  to: string,
): Promise<Response> {
  const [fromIndex, toIndex] = [sideOf("from", from), sideOf("to", to)];
  const { rate, converted, amount, source, data_updated_at, ...pair } = convert(deps, {
    from: fromIndex,
    to: toIndex,
    amount: amountOf(value),
    day: null,
    dp: null,
  });
  const text = print(request, {
    ...frame(deps.simulated),
    request: { query: `/convert/${value}/${pair.from}/${pair.to}`, amount, from: pair.from, to: pair.to },
    meta: { timestamp: unixSeconds(data_updated_at), rate },
    response: converted,
  });
  const origin = { source, dataUpdatedAt: data_updated_at };
  return answer(request, deps.simulated, { text, origin, maxAgeSeconds: LATEST_SECONDS });
}

function sideOf(side: "from" | "to", code: string): CurrencyIndex {
  const index = currencyIndex(code);
  if (index >= 0) return index;
  throw oxrRefusal(
    400,
    "invalid_currency",
    `Invalid \`${side}\` currency symbol: ${code.slice(0, 20)}; see currencies.json`,
  );
}

function amountOf(value: string) {
  try {
    return parseAmount(value);
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
    throw oxrRefusal(400, "invalid_amount", thrown.message);
  }
}

export function oxrCurrencies(deps: OxrDeps, request: Request): Promise<Response> {
  const listed = currencies(deps).currencies;
  const text = print(request, Object.fromEntries(listed.map(({ code, name }) => [code, name])));
  return answer(request, deps.simulated, { text, origin: NO_ORIGIN, maxAgeSeconds: CATALOG_SECONDS });
}
