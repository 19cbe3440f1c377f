/** GET /compat/frankfurter/v1/…: shapes of Frankfurter's first version. */

import { Type } from "@sinclair/typebox";
import { CALLER, foreignOk, foreignRefusals, queryParameter, without } from "#contract/compat/foreign.ts";
import * as field from "#contract/fields.ts";
import * as form from "#contract/forms.ts";
import type { Operation } from "#contract/operation.ts";
import { inPath } from "#contract/parameters.ts";

const amount = Type.Number({ description: "The amount that the rates are multiplied by.", examples: [1] });
const base = form.meaning(field.CurrencyCodeModel, "Currency of the amount.", "EUR");
const rates = field.byCurrency(
  Type.Number({ minimum: 0 }),
  "What the amount of the base is in each currency.",
  { GBP: 0.8713, USD: 1.1684 },
);

export const RatesOnDay = form.named("FrankfurterV1Day", "The rates of one publication.", {
  amount,
  base,
  date: form.day("Day on which all of these rates were published.", "2026-04-13"),
  rates,
});

export const RatesOfPeriod = form.named(
  "FrankfurterV1Period",
  "The rates of every publication of a period.",
  {
    amount,
    base,
    start_date: form.day("Day of the first publication in the answer.", "2026-04-09"),
    end_date: form.day("Day of the last publication in the answer.", "2026-04-13"),
    rates: Type.Unsafe<Record<string, Record<string, number>>>({
      type: "object",
      propertyNames: { pattern: form.DAY_PATTERN },
      additionalProperties: rates,
      description: "The rates of each publication by its day, ascending.",
      examples: [{ "2026-04-13": { GBP: 0.8713, USD: 1.1684 } }],
    }),
  },
);

const DayOrPeriod = form.eitherOf(
  "FrankfurterV1DayOrPeriod",
  [RatesOnDay, RatesOfPeriod],
  "The rates of one publication, or of a period.",
);

const Names = Type.Unsafe<Record<string, string>>({
  $id: "FrankfurterV1Currencies",
  type: "object",
  propertyNames: field.CurrencyCodeModel,
  additionalProperties: { type: "string" },
  description: "English names from ISO 4217 by currency code.",
});

const Refused = form.named("FrankfurterV1Refusal", "A refusal in the form of Frankfurter v1.", {
  message: form.text("What is wrong.", "not found"),
});

/** What both versions say with a status, for examples. */
const MESSAGES: Readonly<Record<number, string>> = {
  401: "the API key is not valid; check it for typing errors",
  403: "without a key the last 30 days are shown, from 2026-03-15 on",
  404: "not found",
  422: "invalid date",
  429: "12 calls a minute from one address are allowed; wait 20 s, or use an API key for more",
  500: "something went wrong on our side; quote the X-Request-Id when you report it",
  503: "no rate has been collected yet, or none within 14 days; see /status",
};

/** Examples of their refusals, each in the form that `print` gives it. */
export function refusalExamples(print: (status: number, message: string) => object) {
  const printed = Object.entries(MESSAGES).map(([status, message]) => [
    status,
    print(Number(status), message),
  ]);
  return Object.fromEntries(printed) as Readonly<Record<number, object>>;
}

const foreign = foreignRefusals(
  Refused,
  refusalExamples((_, message) => ({ message })),
);

const PARAMETERS = [
  queryParameter("base", "Currency of the amount; `from` is an older name of it. By default EUR.", "EUR"),
  queryParameter(
    "symbols",
    "Currencies wanted, separated by commas; `to` is an older name of it. By default all. Unknown ones are left out.",
    "GBP,USD",
  ),
  queryParameter("amount", "Positive decimal number to multiply the rates by. By default 1.", "1"),
];

const DAY = { amount: 1, base: "EUR", date: "2026-04-13", rates: { GBP: 0.8713, USD: 1.1684 } };

const SHARED = { method: "get", tag: "Compatibility", errors: [], foreign } as const;

export const COMPAT_FRANKFURTER_V1: readonly Operation[] = [
  {
    ...SHARED,
    id: "frankfurterV1Latest",
    path: "/compat/frankfurter/v1/latest",
    summary: "Frankfurter v1: latest",
    description: "The newest euro reference rates of the ECB, all of one day.",
    parameters: PARAMETERS,
    ok: foreignOk("The rates.", RatesOnDay, DAY),
  },
  {
    ...SHARED,
    security: [],
    foreign: without(foreign, ...CALLER, 404, 422),
    id: "frankfurterV1Currencies",
    path: "/compat/frankfurter/v1/currencies",
    summary: "Frankfurter v1: currencies",
    description: "Names of the currencies that the ECB publishes now, and of the euro.",
    parameters: [],
    ok: foreignOk("The names.", Names, { EUR: "Euro", GBP: "Pound Sterling", USD: "US Dollar" }),
  },
  {
    ...SHARED,
    id: "frankfurterV1Period",
    path: "/compat/frankfurter/v1/{period}",
    summary: "Frankfurter v1: a day or a period",
    description:
      "`2026-04-13`: the rates of the newest publication on or before that day. `2026-04-09..2026-04-13`, or `2026-04-09..` up to today: those of every publication of the period, opened by the one before it where none is of its first day.",
    parameters: [
      inPath("period", {
        schema: Type.String({ pattern: "^(current|\\d{4}-\\d{2}-\\d{2}(\\.\\.(\\d{4}-\\d{2}-\\d{2})?)?)$" }),
        description: "A day, or two with two dots between them, the second of which may be left out.",
        example: "2026-04-09..2026-04-13",
      }),
      ...PARAMETERS,
    ],
    ok: foreignOk("The rates.", DayOrPeriod, {
      amount: 1,
      base: "EUR",
      start_date: "2026-04-09",
      end_date: "2026-04-13",
      rates: {
        "2026-04-09": { GBP: 0.8702, USD: 1.1655 },
        "2026-04-10": { GBP: 0.8709, USD: 1.1671 },
        "2026-04-13": { GBP: 0.8713, USD: 1.1684 },
      },
    }),
  },
];
