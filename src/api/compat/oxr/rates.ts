/** GET /compat/oxr/latest.json, historical/YYYY-MM-DD.json, convert and currencies.json. */

import { answer, NO_ORIGIN } from "#api/compat/answer.ts";
import { CATALOG_SECONDS, LATEST_SECONDS, type OxrDeps, PAST_SECONDS } from "#api/compat/compat-deps.ts";
import { oxrRefusal } from "#api/compat/dialects.ts";
import { amountDigits } from "#api/rates/convert.ts";
import { queryOf } from "#api/request/query.ts";
import type { Body } from "#contract/body.ts";
import type { OxrConversion, OxrRates } from "#contract/compat/oxr/shapes.ts";
import {
  CURRENCIES,
  type CurrencyCode,
  type CurrencyIndex,
  currencyCode,
  currencyIndex,
  mixedCaseHint,
} from "#domain/currency/currency.ts";
import type { Source } from "#domain/currency/source.ts";
import { Failure } from "#domain/faults/errors.ts";
import { Digits } from "#domain/net/message.ts";
import { parseAmount } from "#domain/number/amount.ts";
import { type Day, formatInstant, type Instant, parseDay } from "#domain/time/day.ts";
import { convert } from "#rates/convert.ts";
import { currencies } from "#rates/currencies.ts";
import { historical } from "#rates/historical.ts";
import { latest } from "#rates/latest.ts";
import { frame, isOn, newestSeconds, print, type Wanted, wanted } from "./query.ts";

export function oxrLatest(deps: OxrDeps, request: Request): Promise<Response> {
  const query = wanted(queryOf(request));
  const { base, rates, origin } = latest(deps, { ...query, dp: null });
  const found = rates.map(({ to, text }) => [currencyCode(to), new Digits(text)] as const);
  return sendRates(deps, request, query, { ...origin, base, rates: found }, LATEST_SECONDS);
}

/** `file` is the day with `.json` behind it. Failure `bad_date`, `no_data_for_date`. */
export function oxrHistorical(deps: OxrDeps, request: Request, file: string): Promise<Response> {
  const query = wanted(queryOf(request));
  const text = file.replace(/\.json$/, "");
  const day: Day | null = text === file ? null : parseDay(text);
  if (day === null) throw new Failure("bad_date", { date: text });
  const { base, rates, origin } = historical(deps, { ...query, day, dp: null });
  const found = rates.map(([currency, cross]) => [currencyCode(currency), new Digits(cross.text)] as const);
  return sendRates(deps, request, query, { ...origin, base, rates: found }, PAST_SECONDS);
}

interface FoundRates {
  readonly base: CurrencyIndex;
  readonly rates: readonly (readonly [CurrencyCode, Digits])[];
  readonly source: Source;
  readonly dataUpdatedAt: Instant;
  readonly effectiveAt: Readonly<Record<string, string>>;
}

function sendRates(
  deps: OxrDeps,
  request: Request,
  { unavailable }: Wanted,
  { base, rates, source, dataUpdatedAt, effectiveAt }: FoundRates,
  maxAgeSeconds: number,
): Promise<Response> {
  const text = print(request, {
    ...frame(deps.simulated),
    timestamp: newestSeconds(effectiveAt),
    base: currencyCode(base),
    rates: isOn(request, "show_bid_ask") ? midsOnly(rates) : Object.fromEntries(rates),
  } satisfies Body<typeof OxrRates>);
  const origin = { source, dataUpdatedAt: formatInstant(dataUpdatedAt) };
  return answer(request, deps.simulated, { text, origin, maxAgeSeconds, unavailable });
}

/** Without bid and ask only the mid is given, as in that service. */
function midsOnly(rates: FoundRates["rates"]): Readonly<Record<string, { readonly mid: Digits }>> {
  return Object.fromEntries(rates.map(([code, mid]) => [code, { mid }]));
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
  const { rate, converted, amount, source, dataUpdatedAt, effectiveAt } = convert(deps, {
    from: fromIndex,
    to: toIndex,
    amount: amountOf(value),
    day: null,
    dp: null,
  });
  const pair = { from: currencyCode(fromIndex), to: currencyCode(toIndex) };
  const query = `/convert/${value}/${pair.from}/${pair.to}`;
  const text = print(request, {
    ...frame(deps.simulated),
    request: { query, amount: amountDigits(amount), ...pair },
    meta: { timestamp: newestSeconds(effectiveAt), rate: new Digits(rate) },
    response: new Digits(converted),
  } satisfies Body<typeof OxrConversion>);
  const origin = { source, dataUpdatedAt: formatInstant(dataUpdatedAt) };
  return answer(request, deps.simulated, { text, origin, maxAgeSeconds: LATEST_SECONDS });
}

function sideOf(side: "from" | "to", code: string): CurrencyIndex {
  const index = currencyIndex(code);
  if (index >= 0) return index;
  throw oxrRefusal(
    400,
    "invalid_currency",
    `Invalid \`${side}\` currency symbol: ${mixedCaseHint(code) ?? code.slice(0, 20)}; see currencies.json`,
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
  // Refused as /v1/currencies is.
  currencies(deps);
  const text = print(request, Object.fromEntries(CURRENCIES.map(({ code, name }) => [code, name])));
  return answer(request, deps.simulated, { text, origin: NO_ORIGIN, maxAgeSeconds: CATALOG_SECONDS });
}
