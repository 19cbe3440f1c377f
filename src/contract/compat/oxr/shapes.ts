/** Bodies and refusals of Open Exchange Rates; usage.ts has that of usage.json. */

import { type Static, Type } from "@sinclair/typebox";
import { foreignRefusals } from "#contract/compat/foreign.ts";
import * as field from "#contract/fields.ts";
import * as form from "#contract/forms.ts";

const frame = {
  disclaimer: form.text("What the rates are for; SIMULATED on made-up data.", "Indicative mid rates."),
  license: form.text("Whose figures they are.", "Figures of the European Central Bank."),
};

const timestamp = Type.Integer({
  description: "Time of the newest observation that contributes to one of the rates, Unix seconds.",
  examples: [1776082500],
});
const base = form.meaning(field.CurrencyCodeModel, "Base currency.", "USD");
const plainRates = field.byCurrency(Type.Number({ minimum: 0 }), "Units of each currency per 1 base.", {
  EUR: 0.855871277,
});
const mid = form.named("OxrMid", "A rate with `show_bid_ask`.", {
  mid: Type.Number({ minimum: 0, description: "The rate.", examples: [0.855871277] }),
});
const rateOrMid = form.eitherOf(
  "OxrRate",
  [Type.Number({ minimum: 0 }), mid],
  "A rate; with `show_bid_ask` as an object.",
);

export const OxrRates = form.named("OxrRates", "The rates of an instant or a day.", {
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
});

export const OxrTimeSeries = form.named("OxrTimeSeries", "The rates of every day of a window.", {
  ...frame,
  start_date: form.day("First day requested.", "2026-04-10"),
  end_date: form.day("Last day requested.", "2026-04-11"),
  base,
  rates: Type.Unsafe<Record<string, Record<string, number>>>({
    type: "object",
    propertyNames: { pattern: form.DAY_PATTERN },
    additionalProperties: plainRates,
    description: "The rates by day, ascending.",
    examples: [{ "2026-04-10": { EUR: 0.856824608 } }],
  }),
});

export const OxrConversion = form.named("OxrConversion", "An amount in another currency.", {
  ...frame,
  request: form.closed("The request.", {
    query: form.text("The path.", "/convert/100/USD/EUR"),
    amount: Type.Number({ description: "The amount.", examples: [100] }),
    from: form.meaning(field.CurrencyCodeModel, "Currency of the amount.", "USD"),
    to: form.meaning(field.CurrencyCodeModel, "Currency wanted.", "EUR"),
  }),
  meta: form.closed("The rate used.", {
    timestamp: Type.Integer({
      description: "Time of the newest observation in the rate, Unix seconds.",
      examples: [1776082500],
    }),
    rate: field.rate,
  }),
  response: Type.Number({ description: "The amount times the rate.", examples: [85.5871277] }),
});

export const OxrCurrencies = Type.Unsafe<Record<string, string>>({
  $id: "OxrCurrencies",
  type: "object",
  propertyNames: field.CurrencyCodeModel,
  additionalProperties: { type: "string" },
  description: "English names from ISO 4217 by currency code.",
});

const price = (description: string) => Type.Number({ minimum: 0, description, examples: [0.8558] });

const OhlcBar = form.named("OxrBar", "The rates of one period.", {
  open: price("First rate of the period."),
  high: price("Highest."),
  low: price("Lowest."),
  close: price("Last."),
  average: price("Arithmetic mean of all."),
});

export const OxrOhlc = form.named("OxrOhlc", "Open, high, low, close and average of a period.", {
  ...frame,
  start_time: form.instant("First second of the period.", "2026-04-13T12:00:00Z"),
  end_time: form.instant("Last second of the period.", "2026-04-13T12:29:59Z"),
  base,
  rates: field.byCurrency(OhlcBar, "Bars by currency, units per 1 base.", {
    EUR: { open: 0.8558, high: 0.8562, low: 0.8557, close: 0.856, average: 0.8559 },
  }),
});

export function OHLC_EXAMPLE(framed: object): object {
  return {
    ...framed,
    start_time: "2026-04-13T12:00:00Z",
    end_time: "2026-04-13T12:29:59Z",
    base: "USD",
    rates: { EUR: { open: 0.8558, high: 0.8562, low: 0.8557, close: 0.856, average: 0.8559 } },
  };
}

const OxrRefusal = form.named("OxrRefusal", "A refusal in the form of Open Exchange Rates.", {
  error: Type.Unsafe<true>({ type: "boolean", const: true, description: "Always true." }),
  status: Type.Integer({ description: "HTTP status.", examples: [400] }),
  message: form.text("Code of the fault.", "invalid_base"),
  description: form.text("What is wrong and what to do.", "unsupported base: XYZ; see currencies.json"),
});

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
