/** GET /compat/frankfurter/v1/…: the euro reference rates of the ECB in the shape of Frankfurter's first version. */

import { answer, answerLarge, joined, runSteps } from "#api/compat/answer.ts";
import { type FrankfurterDeps, LATEST_SECONDS, PAST_SECONDS } from "#api/compat/compat-deps.ts";
import { frankfurterV1 } from "#api/compat/dialects.ts";
import { inDialect, inDialectFree, Refusal } from "#api/compat/refusal.ts";
import { DAY_MEMBERS, printSeries, type SeriesFormat } from "#api/compat/series/print.ts";
import { surveySeries } from "#api/compat/series/survey.ts";
import { queryOf } from "#api/request/query.ts";
import type { Route } from "#api/request/route.ts";
import { encodePieces } from "#api/response/encode.ts";
import type { Body } from "#contract/body.ts";
import type { RatesOfPeriod, RatesOnDay } from "#contract/compat/frankfurter/v1.ts";
import {
  CURRENCIES,
  CURRENCY_CODES,
  type CurrencyIndex,
  currencyCode,
  currencyIndex,
  EUR,
  mixedCaseHint,
} from "#domain/currency/currency.ts";
import { parseBase } from "#domain/currency/pair.ts";
import { Failure } from "#domain/faults/errors.ts";
import { Digits } from "#domain/net/message.ts";
import { CONVERTED_DIGITS, LONGEST_AMOUNT } from "#domain/number/amount.ts";
import { type Decimal, formatShortest, multiplyRounded, parseDecimal } from "#domain/number/decimal.ts";
import { type Day, dayAt, formatDay, parseDay } from "#domain/time/day.ts";
import { currencies } from "#rates/currencies.ts";
import type { Query } from "#rates/parameters.ts";
import type { RangeDeps } from "#rates/range/range.ts";
import { snapshot } from "./snapshot.ts";

const PREFIX = "/compat/frankfurter/v1";
const SOURCE = "ecb_daily";
const ONE: Decimal = { units: 1n, scale: 0 };

export function frankfurterV1Routes(deps: FrankfurterDeps): Route[] {
  const get = (path: string, handle: Route["handle"], admitted = inDialect): Route => ({
    method: "GET",
    path: `${PREFIX}${path}`,
    handle: admitted(deps, frankfurterV1, handle),
  });
  const today = () => dayAt(deps.clock.now());
  return [
    get("/latest", (request) => endOfDay(deps, request, today(), LATEST_SECONDS)),
    get("/currencies", (request) => names(deps, request), inDialectFree),
    get("/:period", (request, { period = "" }) => {
      if (period === "current") return endOfDay(deps, request, today(), LATEST_SECONDS);
      const [start = "", end] = period.split("..");
      if (!/^\d{4}-\d{2}-\d{2}(\.\.(\d{4}-\d{2}-\d{2})?)?$/.test(period)) throw new Failure("not_found");
      if (end === undefined) return endOfDay(deps, request, dayOf(start), PAST_SECONDS);
      return interval(deps, request, dayOf(start), end === "" ? today() : dayOf(end));
    }),
  ];
}

interface V1Query {
  readonly base: CurrencyIndex;
  /** Without the base. */
  readonly symbols: readonly CurrencyIndex[];
  readonly amount: Decimal;
}

/** `from` and `to` are older names of `base` and `symbols`, and win. Unknown symbols are left out, as there. */
function v1Query(query: Query): V1Query {
  const baseText = query("from") ?? query("base");
  if (baseText !== undefined) refuseMixedCase(baseText);
  const base = baseText === undefined ? EUR : parseBase(baseText);
  const codes = (query("to") || query("symbols") || undefined)?.split(",").map((code) => code.trim());
  for (const code of codes ?? []) refuseMixedCase(code);
  const symbols = (codes ?? CURRENCY_CODES).map(currencyIndex);
  if (codes?.length === 1 && symbols[0] === base) refuse("bad currency pair");
  return {
    base,
    symbols: [...new Set(symbols)].filter((index) => index >= 0 && index !== base).sort((a, b) => a - b),
    amount: amountOf(query("amount")),
  };
}

function amountOf(text: string | undefined): Decimal {
  if (text === undefined) return ONE;
  const amount = text.length <= LONGEST_AMOUNT ? parseDecimal(text) : null;
  if (amount === null || amount.units <= 0n) return refuse("invalid amount");
  return amount;
}

/** Unknown symbols are left out, but GBp may be pence. */
function refuseMixedCase(code: string): void {
  const hint = mixedCaseHint(code);
  if (hint !== null) refuse(hint);
}

function refuse(message: string): never {
  throw new Refusal(422, { message });
}

function dayOf(text: string): Day {
  const day = parseDay(text);
  if (day === null) throw new Failure("bad_date", { date: text });
  return day;
}

/** The rates of the newest publication on or before the day, all of one date. */
function endOfDay(
  deps: FrankfurterDeps,
  request: Request,
  day: Day,
  maxAgeSeconds: number,
): Promise<Response> {
  const { base, symbols, amount } = v1Query(queryOf(request));
  const inForce = snapshot(deps, day, base, symbols, SOURCE);
  const date = Math.max(...inForce.rates.map((rate) => rate.day));
  const rates = inForce.rates.filter((rate) => rate.day === date);
  if (rates.length === 0) throw new Failure("not_found");
  const text = print({
    amount: printAmount(amount),
    base: currencyCode(base),
    date: formatDay(date),
    rates: Object.fromEntries(rates.map((rate) => [rate.code, times(rate.text, amount)])),
  } satisfies Body<typeof RatesOnDay>);
  return answer(request, deps.simulated, { text, origin: inForce.origin, maxAgeSeconds });
}

/** One entry a publication; where none is of the first day, the one before it opens the series. */
async function interval(
  deps: FrankfurterDeps & RangeDeps,
  request: Request,
  start: Day,
  end: Day,
): Promise<Response> {
  const { base, symbols, amount } = v1Query(queryOf(request));
  if (start > end || start > dayAt(deps.clock.now()) || symbols.length === 0) throw new Failure("not_found");
  const opening = snapshot(deps, start, base, symbols, SOURCE).rates.map(({ day }) => day);
  const from = opening.length === 0 ? start : Math.max(...opening);
  const question = { base, symbols, start: from, end, fill: "none", only: SOURCE } as const;
  const survey = await runSteps(deps, request, surveySeries(deps, question));
  if (survey.first === null || survey.last === null) throw new Failure("not_found");
  const head = print({
    amount: printAmount(amount),
    base: currencyCode(base),
    start_date: formatDay(survey.first),
    end_date: formatDay(survey.last),
  } satisfies Omit<Body<typeof RatesOfPeriod>, "rates">);
  const format: SeriesFormat =
    amount === ONE ? DAY_MEMBERS : { ...DAY_MEMBERS, digits: (printed) => times(printed, amount).text };
  return answerLarge(deps, request, {
    identity: `frankfurter v1 ${survey.version} ${symbols.join(",")} ${head}`,
    pieces: joined(
      { before: `${head.slice(0, -1)},"rates":{`, between: ",", after: "}}" },
      printSeries(deps, question, survey, format),
    ),
    origin: survey.origin,
    maxAgeSeconds: PAST_SECONDS,
  });
}

/** Names of the currencies that the ECB publishes now, and of the euro. */
function names(deps: FrankfurterDeps, request: Request): Promise<Response> {
  const all = CURRENCY_CODES.map((_, index) => index);
  const { rates, origin } = snapshot(deps, dayAt(deps.clock.now()), EUR, all, SOURCE);
  const published = new Set<string>(rates.map(({ code }) => code));
  // Refused as /v1/currencies is.
  currencies(deps);
  const listed = CURRENCIES.filter(({ code }) => published.has(code));
  const text = print(Object.fromEntries(listed.map(({ code, name }) => [code, name])));
  return answer(request, deps.simulated, { text, origin, maxAgeSeconds: PAST_SECONDS });
}

/** A whole amount has one decimal there. */
function printAmount({ units, scale }: Decimal): Digits {
  const text = formatShortest(units, scale);
  return new Digits(text.includes(".") ? text : `${text}.0`);
}

/** By the rule of /v1/convert: exact, at most 15 significant digits. */
function times(text: string, amount: Decimal): Digits {
  if (amount === ONE) return new Digits(text);
  return new Digits(multiplyRounded(parseDecimal(text) as Decimal, amount, CONVERTED_DIGITS));
}

function print(body: object): string {
  return encodePieces(body).join("");
}
