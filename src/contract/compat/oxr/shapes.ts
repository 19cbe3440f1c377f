/** Bodies and refusals of Open Exchange Rates; usage.ts has that of usage.json. */

import { type Static, Type } from "@sinclair/typebox";
import { foreignRefusals } from "#contract/compat/foreign.ts";
import * as field from "#contract/fields.ts";

const frame = {
  disclaimer: Type.String({
    description: "What the rates are for; SIMULATED on made-up data.",
    examples: ["Indicative mid rates."],
  }),
  license: Type.String({
    description: "Whose figures they are.",
    examples: ["Figures of the European Central Bank."],
  }),
};

const timestamp = Type.Integer({
  description: "Time of the oldest observation that contributes to one of the rates, Unix seconds.",
  examples: [1776082500],
});
const base = field.meaning(field.CurrencyCodeModel, "Base currency.", "USD");
const plainRates = field.byCurrency(Type.Number({ minimum: 0 }), "Units of each currency per 1 base.", {
  EUR: 0.855871277,
});
const mid = Type.Object(
  { mid: Type.Number({ minimum: 0, description: "The rate.", examples: [0.855871277] }) },
  { $id: "OxrMid", additionalProperties: false, description: "A rate with `show_bid_ask`." },
);
const rateOrMid = field.eitherOf(
  "OxrRate",
  [Type.Number({ minimum: 0 }), mid],
  "A rate; with `show_bid_ask` as an object.",
);

export const OxrRates = Type.Object(
  {
    ...frame,
    timestamp,
    base,
    rates: Type.Unsafe<Record<string, Static<typeof rateOrMid>>>({
      type: "object",
      propertyNames: field.CurrencyCodeModel,
      additionalProperties: rateOrMid,
      description: "Units of each currency per 1 base; `{mid}` each with `show_bid_ask`.",
      examples: [{ EUR: 0.855871277 }],
    }),
  },
  { $id: "OxrRates", additionalProperties: false, description: "The rates of an instant or a day." },
);

export const OxrTimeSeries = Type.Object(
  {
    ...frame,
    start_date: field.day("First day requested.", "2026-04-10"),
    end_date: field.day("Last day requested.", "2026-04-11"),
    base,
    rates: Type.Unsafe<Record<string, Record<string, number>>>({
      type: "object",
      propertyNames: { pattern: field.DAY_PATTERN },
      additionalProperties: plainRates,
      description: "The rates by day, ascending.",
      examples: [{ "2026-04-10": { EUR: 0.856824608 } }],
    }),
  },
  { $id: "OxrTimeSeries", additionalProperties: false, description: "The rates of every day of a window." },
);

export const OxrConversion = Type.Object(
  {
    ...frame,
    request: Type.Object(
      {
        query: Type.String({ description: "The path.", examples: ["/convert/100/USD/EUR"] }),
        amount: Type.Number({ description: "The amount.", examples: [100] }),
        from: field.meaning(field.CurrencyCodeModel, "Currency of the amount.", "USD"),
        to: field.meaning(field.CurrencyCodeModel, "Currency wanted.", "EUR"),
      },
      { additionalProperties: false, description: "The request." },
    ),
    meta: Type.Object(
      {
        timestamp: Type.Integer({
          description: "Time of the oldest observation in the rate, Unix seconds.",
          examples: [1776082500],
        }),
        rate: field.rate,
      },
      { additionalProperties: false, description: "The rate used." },
    ),
    response: Type.Number({ description: "The amount times the rate.", examples: [85.5871277] }),
  },
  { $id: "OxrConversion", additionalProperties: false, description: "An amount in another currency." },
);

export const OxrCurrencies = Type.Unsafe<Record<string, string>>({
  $id: "OxrCurrencies",
  type: "object",
  propertyNames: field.CurrencyCodeModel,
  additionalProperties: { type: "string" },
  description: "English names from ISO 4217 by currency code.",
});

const price = (description: string) => Type.Number({ minimum: 0, description, examples: [0.8558] });

const OhlcBar = Type.Object(
  {
    open: price("First rate of the period."),
    high: price("Highest."),
    low: price("Lowest."),
    close: price("Last."),
    average: price("Arithmetic mean of all."),
  },
  { $id: "OxrBar", additionalProperties: false, description: "The rates of one period." },
);

export const OxrOhlc = Type.Object(
  {
    ...frame,
    start_time: field.instant("First second of the period.", "2026-04-13T12:00:00Z"),
    end_time: field.instant("Last second of the period.", "2026-04-13T12:29:59Z"),
    base,
    rates: field.byCurrency(OhlcBar, "Bars by currency, units per 1 base.", {
      EUR: { open: 0.8558, high: 0.8562, low: 0.8557, close: 0.856, average: 0.8559 },
    }),
  },
  {
    $id: "OxrOhlc",
    additionalProperties: false,
    description: "Open, high, low, close and average of a period.",
  },
);

export function OHLC_EXAMPLE(framed: object): object {
  return {
    ...framed,
    start_time: "2026-04-13T12:00:00Z",
    end_time: "2026-04-13T12:29:59Z",
    base: "USD",
    rates: { EUR: { open: 0.8558, high: 0.8562, low: 0.8557, close: 0.856, average: 0.8559 } },
  };
}

const OxrRefusal = Type.Object(
  {
    error: Type.Unsafe<true>({ type: "boolean", const: true, description: "Always true." }),
    status: Type.Integer({ description: "HTTP status.", examples: [400] }),
    message: Type.String({ description: "Code of the fault.", examples: ["invalid_base"] }),
    description: Type.String({
      description: "What is wrong and what to do.",
      examples: ["unsupported base: XYZ; see currencies.json"],
    }),
  },
  {
    $id: "OxrRefusal",
    additionalProperties: false,
    description: "A refusal in the form of Open Exchange Rates.",
  },
);

const refused = (status: number, message: string, description: string) => ({
  error: true,
  status,
  message,
  description,
});

const COMMON_REFUSALS = {
  400: refused(400, "invalid_base", "unsupported base: XYZ; see currencies.json"),
  401: refused(401, "invalid_app_id", "the API key is not valid; check it for typing errors"),
  403: refused(403, "not_allowed", "without a key the last 30 days are shown, from 2026-03-15 on"),
  404: refused(404, "not_found", "There is no such resource here; see /openapi.json."),
  429: refused(
    429,
    "access_restricted",
    "12 calls a minute from one address are allowed; wait 20 s, or use an API key for more",
  ),
  500: refused(
    500,
    "internal_error",
    "something went wrong on our side; quote the X-Request-Id when you report it",
  ),
  503: refused(
    503,
    "data_unavailable",
    "no rate has been collected yet, or none within 14 days; see /status",
  ),
};

export const oxrRefusals = foreignRefusals(OxrRefusal, COMMON_REFUSALS);
export const ohlcRefusals = foreignRefusals(OxrRefusal, {
  ...COMMON_REFUSALS,
  403: refused(
    403,
    "access_restricted",
    "This server has no intraday quotes, and daily reference rates have no open, high, low or close.",
  ),
});
