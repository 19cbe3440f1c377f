/** GET /compat/frankfurter/v1/…: the euro reference rates of the ECB in the shape of Frankfurter's first version. */

import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import * as compat from "#api/compat/compat.ts";
import { printMembers, withRates } from "#api/compat/series.ts";
import * as form from "#api/forms.ts";
import * as field from "#api/model.ts";
import { dateOf, path, type Query, segment } from "#api/parameters.ts";
import type { Body } from "#api/print.ts";
import { earliestOf } from "#api/request/query.ts";
import { frankfurterV1 as dialect, Refusal } from "#api/response/failures.ts";
import {
  CURRENCIES,
  CURRENCY_CODES,
  currencyCode,
  currencyIndex,
  EUR,
  mixedCaseHint,
  parseBase,
} from "#domain/currency/currency.ts";
import { Failure } from "#domain/faults/errors.ts";
import { type ExactNumber, exactNumber } from "#domain/net/message.ts";
import { CONVERTED_DIGITS, LONGEST_AMOUNT } from "#domain/number/amount.ts";
import { type Decimal, formatShortest, multiplyRounded, parseDecimal } from "#domain/number/decimal.ts";
import { type Day, dayAt, formatDay } from "#domain/time/day.ts";
import { currencies } from "#rates/currencies.ts";
import { ecbAlone } from "#rates/query.ts";
import { snapshot } from "#rates/snapshot.ts";

const ONE: Decimal = { units: 1n, scale: 0 };

const amount = Type.Number({ description: "The amount that the rates are multiplied by.", examples: [1] });
const base = form.meaning(field.CurrencyCodeModel, "Currency of the amount.", "EUR");
const PRICES = { GBP: 0.8713, USD: 1.1684 };
const rates = field.byCurrency(
  Type.Number({ minimum: 0 }),
  "What the amount of the base is in each currency.",
  PRICES,
);

const RatesOnDay = form.named("FrankfurterV1Day", "The rates of one publication.", {
  amount,
  base,
  date: form.day("Day on which all of these rates were published.", "2026-04-13"),
  rates,
});

const RatesOfPeriod = form.named("FrankfurterV1Period", "The rates of every publication of a period.", {
  amount,
  base,
  start_date: form.day("Day of the first publication in the answer.", "2026-04-09"),
  end_date: form.day("Day of the last publication in the answer.", "2026-04-13"),
  rates: form.byDay(rates, "The rates of each publication by its day, ascending.", { "2026-04-13": PRICES }),
});

const DayOrPeriod = form.eitherOf(
  "FrankfurterV1DayOrPeriod",
  [RatesOnDay, RatesOfPeriod],
  "The rates of one publication, or of a period.",
);

const Names = compat.namesOfCurrencies("FrankfurterV1Currencies", {
  EUR: "Euro",
  GBP: "Pound Sterling",
  USD: "US Dollar",
});

const Refused = form.named("FrankfurterV1Refusal", "A refusal in the form of Frankfurter v1.", {
  message: form.text("What is wrong.", "not found"),
});

const routes = compat.routesOf(Refused, { dialect }, [404, 422]);

const PARAMETERS = {
  base: compat.described("Currency of the amount; `from` is an older name of it. By default EUR.", "EUR"),
  symbols: compat.described(
    "Currencies wanted, separated by commas; `to` is an older name of it. By default all. Unknown ones are left out.",
    "GBP,USD",
  ),
  amount: compat.described("Positive decimal number to multiply the rates by. By default 1.", "1"),
};

const period = segment({
  description: "A day, or two with two dots between them; the second may be left out.",
  example: "2026-04-09..2026-04-13",
  schema: Type.String({ pattern: "^(current|\\d{4}-\\d{2}-\\d{2}(\\.\\.(\\d{4}-\\d{2}-\\d{2})?)?)$" }),
});

const PERIOD = {
  ...form.exampleOf(RatesOfPeriod, "answer"),
  rates: {
    "2026-04-09": { GBP: 0.8702, USD: 1.1655 },
    "2026-04-10": { GBP: 0.8709, USD: 1.1671 },
    "2026-04-13": PRICES,
  },
};

export const frankfurterV1 = (deps: compat.CompatDeps) => {
  const ecb = ecbAlone(deps);
  const today = () => dayAt(deps.clock.now());
  return new Elysia({ name: "frankfurter v1", prefix: "/compat/frankfurter/v1" })
    .use(compat.compatible(deps))
    .get(
      "/latest",
      async ({ query: { sent } }) => endOfDay(ecb, v1Query(sent), today(), compat.LATEST_SECONDS),
      routes.metered({
        query: PARAMETERS,
        id: "frankfurterV1Latest",
        summary: "Frankfurter v1: latest",
        description: "The newest euro reference rates of the ECB, all of one day.",
        ok: RatesOnDay,
      }),
    )
    .get(
      "/currencies",
      async () => names(deps, ecb),
      routes.free({
        id: "frankfurterV1Currencies",
        summary: "Frankfurter v1: currencies",
        description: "Names of the currencies that the ECB publishes now, and of the euro.",
        ok: Names,
      }),
    )
    .get(
      "/:period",
      async ({ request, params: { period }, query: { sent }, caller }) => {
        if (period === "current") return endOfDay(ecb, v1Query(sent), today(), compat.LATEST_SECONDS);
        const [start = "", end] = period.split("..");
        if (!/^\d{4}-\d{2}-\d{2}(\.\.(\d{4}-\d{2}-\d{2})?)?$/.test(period)) throw new Failure("not_found");
        const first = dateOf(start);
        const last = end === "" ? today() : dateOf(end ?? start);
        const asked = v1Query(sent);
        caller.reach(earliestOf(first, last));
        if (end === undefined) return endOfDay(ecb, asked, first, compat.PAST_SECONDS);
        return await interval(ecb, request, asked, first, last);
      },
      routes.metered({
        params: path({ period }),
        query: PARAMETERS,
        id: "frankfurterV1Period",
        summary: "Frankfurter v1: a day or a period",
        description:
          "`2026-04-13`: the rates of the newest publication on or before that day. `2026-04-09..2026-04-13`, or `2026-04-09..` up to today: those of every publication of the period, opened by the one before it where its first day has no publication.",
        ok: { schema: DayOrPeriod, example: PERIOD },
      }),
    );
};

type V1Query = ReturnType<typeof v1Query>;

/** `from` and `to` are older names of `base` and `symbols`, and win. Unknown symbols are left out, as in Frankfurter, and so is the base. */
function v1Query(query: Query) {
  const baseText = query("from") ?? query("base");
  const baseHint = mixedCaseHint(baseText ?? "");
  if (baseHint !== null) refuse(baseHint);
  const base = baseText === undefined ? EUR : parseBase(baseText);
  const { codes, symbols, hint } = compat.readCodes(query("to") || query("symbols") || undefined);
  if (hint !== null) refuse(hint);
  if (codes.length === 1 && symbols[0] === base) refuse("bad currency pair");
  return {
    base,
    symbols: symbols.filter((index) => index !== base),
    amount: amountOf(query("amount")),
  };
}

function amountOf(text: string | undefined): Decimal {
  if (text === undefined) return ONE;
  const amount = text.length <= LONGEST_AMOUNT ? parseDecimal(text) : null;
  if (amount === null || amount.units <= 0n) return refuse("invalid amount");
  return amount;
}

function refuse(message: string): never {
  throw new Refusal(422, { message });
}

/** Returns the rates of the newest publication on or before the day, all of one date. */
function endOfDay(
  ecb: compat.CompatDeps,
  { base, symbols, amount }: V1Query,
  day: Day,
  maxAgeSeconds: number,
): compat.Answer {
  const inForce = snapshot(ecb, day, base, symbols).rates;
  const date = Math.max(...inForce.map((rate) => rate.day));
  const ofDate = inForce.filter((rate) => rate.day === date).map(({ code }) => currencyIndex(code));
  // The origin is of these rates alone.
  const { rates, origin } = snapshot(ecb, date, base, ofDate);
  if (rates.length === 0) throw new Failure("not_found");
  const text = JSON.stringify({
    amount: printAmount(amount),
    base: currencyCode(base),
    date: formatDay(date),
    rates: Object.fromEntries(rates.map((rate) => [rate.code, times(rate.text, amount)])),
  } satisfies Body<typeof RatesOnDay>);
  return { text, origin, maxAgeSeconds };
}

/** Answers one entry per publication; when the first day has none, the one before it opens the series. */
async function interval(
  ecb: compat.CompatDeps,
  request: Request,
  { base, symbols, amount }: V1Query,
  start: Day,
  end: Day,
): Promise<compat.Answer> {
  if (start > end || start > dayAt(ecb.clock.now()) || symbols.length === 0) throw new Failure("not_found");
  const opening = snapshot(ecb, start, base, symbols).rates.map(({ day }) => day);
  const from = opening.length === 0 ? start : Math.max(...opening);
  const question = { base, symbols, start: from, end, fill: "none" } as const;
  const digits = (printed: string) => times(printed, amount).rawJSON;
  const printed = printMembers(ecb, question, digits);
  const { text, origin, first, last } = await compat.runSteps(ecb, request, printed);
  if (first === null || last === null) throw new Failure("not_found");
  const head = {
    amount: printAmount(amount),
    base: currencyCode(base),
    start_date: formatDay(first),
    end_date: formatDay(last),
  } satisfies Omit<Body<typeof RatesOfPeriod>, "rates">;
  return { text: withRates(head, text), origin, maxAgeSeconds: compat.PAST_SECONDS };
}

function names(deps: compat.CompatDeps, ecb: compat.CompatDeps): compat.Answer {
  const all = CURRENCY_CODES.map((_, index) => index);
  const { rates, origin } = snapshot(ecb, dayAt(ecb.clock.now()), EUR, all);
  const published = new Set<string>(rates.map(({ code }) => code));
  // Called for its refusals: the same as those of /v1/currencies.
  currencies(deps);
  const listed = CURRENCIES.filter(({ code }) => published.has(code));
  const text = JSON.stringify(Object.fromEntries(listed.map(({ code, name }) => [code, name])));
  return { text, origin, maxAgeSeconds: compat.PAST_SECONDS };
}

/** Frankfurter prints a whole amount with one decimal. */
function printAmount({ units, scale }: Decimal): ExactNumber {
  const text = formatShortest(units, scale);
  return exactNumber(text.includes(".") ? text : `${text}.0`);
}

/** Multiplies by the rule of /v1/convert: exact, at most 15 significant digits. */
function times(text: string, amount: Decimal): ExactNumber {
  if (amount === ONE) return exactNumber(text);
  return exactNumber(multiplyRounded(parseDecimal(text) as Decimal, amount, CONVERTED_DIGITS));
}
