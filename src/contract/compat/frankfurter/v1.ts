/** GET /compat/frankfurter/v1/…: shapes of Frankfurter's first version. */

import { Type } from "@sinclair/typebox";
import { foreignOk, foreignRefusals, queryParameter, withoutCaller } from "#contract/compat/foreign.ts";
import * as field from "#contract/fields.ts";
import type { Operation } from "#contract/operation.ts";

const amount = Type.Number({ description: "The amount that the rates are multiplied by.", examples: [1] });
const base = field.meaning(field.CurrencyCodeModel, "Currency of the amount.", "EUR");
const rates = field.byCurrency(
  Type.Number({ minimum: 0 }),
  "What the amount of the base is in each currency.",
  { GBP: 0.8713, USD: 1.1684 },
);

export const RatesOnDay = Type.Object(
  {
    amount,
    base,
    date: field.day("Day on which all of these rates were published.", "2026-04-13"),
    rates,
  },
  { $id: "FrankfurterV1Day", additionalProperties: false, description: "The rates of one publication." },
);

export const RatesOfPeriod = Type.Object(
  {
    amount,
    base,
    start_date: field.day("Day of the first publication in the answer.", "2026-04-09"),
    end_date: field.day("Day of the last publication in the answer.", "2026-04-13"),
    rates: Type.Unsafe<Record<string, Record<string, number>>>({
      type: "object",
      propertyNames: { pattern: field.DAY_PATTERN },
      additionalProperties: rates,
      description: "The rates of each publication by its day, ascending.",
      examples: [{ "2026-04-13": { GBP: 0.8713, USD: 1.1684 } }],
    }),
  },
  {
    $id: "FrankfurterV1Period",
    additionalProperties: false,
    description: "The rates of every publication of a period.",
  },
);

const DayOrPeriod = field.eitherOf(
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

const Refused = Type.Object(
  { message: Type.String({ description: "What is wrong.", examples: ["not found"] }) },
  {
    $id: "FrankfurterV1Refusal",
    additionalProperties: false,
    description: "A refusal in the form of Frankfurter v1.",
  },
);

const foreign = foreignRefusals(Refused, {
  401: { message: "the API key is not valid; check it for typing errors" },
  403: { message: "without a key the last 30 days are shown, from 2026-03-15 on" },
  404: { message: "not found" },
  422: { message: "invalid date" },
  429: { message: "12 calls a minute from one address are allowed; wait 20 s, or use an API key for more" },
  500: { message: "something went wrong on our side; quote the X-Request-Id when you report it" },
  503: { message: "no rate has been collected yet, or none within 14 days; see /status" },
});

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
    foreign: withoutCaller(foreign),
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
      {
        name: "period",
        in: "path",
        required: true,
        schema: Type.String({ pattern: "^(current|\\d{4}-\\d{2}-\\d{2}(\\.\\.(\\d{4}-\\d{2}-\\d{2})?)?)$" }),
        description: "A day, or two with two dots between them, the second of which may be left out.",
        example: "2026-04-09..2026-04-13",
      },
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
