/** GET /compat/oxr/…: the operations of Open Exchange Rates, under both prefixes that its clients use. */

import { Type } from "@sinclair/typebox";
import { CALLER, dayText, foreignOk, queryParameter, without } from "#contract/compat/foreign.ts";
import { DAY_PATTERN } from "#contract/forms.ts";
import type { Operation, Parameter } from "#contract/operation.ts";
import { AMOUNT_PATTERN, codeParameter, inPath } from "#contract/parameters.ts";
import { LONGEST_AMOUNT } from "#domain/number/amount.ts";
import * as shape from "./shapes.ts";
import { OxrUsage, USAGE_EXAMPLE } from "./usage.ts";

const flag = (name: string, description: string) =>
  queryParameter(name, description, "1", Type.String(), false);

const appId = queryParameter(
  "app_id",
  "Accepted and without meaning, here or as `Authorization: Token`.",
  "any",
  Type.String(),
  false,
);
const prettyprint = flag("prettyprint", "Indents the body.");
const base = queryParameter("base", "Base currency, by default USD.", "USD");
const symbols = queryParameter(
  "symbols",
  "Currencies wanted, separated by commas; by default all, the base included. Unknown ones are left out and named in `X-Unavailable-Symbols`.",
  "EUR,GBP",
);
const bidAsk = flag("show_bid_ask", "Each rate becomes `{mid}`: reference rates have no bid and no ask.");
const alternative = flag("show_alternative", "Accepted; there are no alternative currencies here.");
const RATES_PARAMETERS = [appId, base, symbols, bidAsk, alternative, prettyprint];

const FRAME = {
  disclaimer:
    "Indicative mid rates for information only; not for settlement, trading or use as a source of record.",
  license:
    "Figures of the European Central Bank, the Federal Reserve Board (H.10) and the configured live feed, each under its own terms. Not provided by Open Exchange Rates.",
};
const RATES = {
  ...FRAME,
  timestamp: 1776082500,
  base: "USD",
  rates: { EUR: 0.855871277, GBP: 0.7457206436 },
};
const CONVERSION = {
  ...FRAME,
  request: { query: "/convert/100/USD/EUR", amount: 100, from: "USD", to: "EUR" },
  meta: { timestamp: 1776082500, rate: 0.855871277 },
  response: 85.5871277,
};

const amount = {
  schema: Type.String({ pattern: AMOUNT_PATTERN, maxLength: LONGEST_AMOUNT }),
  example: "100",
};
const SHARED = { method: "get", tag: "Compatibility", errors: [], foreign: shape.oxrRefusals } as const;

function required(parameter: Parameter): Parameter {
  return { ...parameter, required: true };
}

const OPERATIONS: readonly (Operation & { readonly path: `/${string}` })[] = [
  {
    ...SHARED,
    id: "oxrLatest",
    path: "/latest.json",
    summary: "Open Exchange Rates: latest",
    description:
      "The newest rate of every currency. `timestamp` is the newest observation that contributes to one of them.",
    parameters: RATES_PARAMETERS,
    ok: foreignOk("The rates.", shape.OxrRates, RATES, { leavesOut: true }),
  },
  {
    ...SHARED,
    id: "oxrHistorical",
    path: "/historical/{date}.json",
    summary: "Open Exchange Rates: a past day",
    description: "The rates in force on a day; on a weekend or holiday those published before it.",
    parameters: [
      inPath("date", {
        schema: Type.String({ pattern: DAY_PATTERN }),
        description: "The day, UTC, from 1999-01-04 on.",
        example: "2026-04-11",
      }),
      ...RATES_PARAMETERS,
    ],
    ok: foreignOk("The rates.", shape.OxrRates, RATES, { leavesOut: true }),
  },
  {
    ...SHARED,
    id: "oxrTimeSeries",
    path: "/time-series.json",
    summary: "Open Exchange Rates: time series",
    description: "The rates of every calendar day of a window, of any length.",
    parameters: [
      appId,
      required(queryParameter("start", "First day, UTC.", "2026-04-10", dayText)),
      required(queryParameter("end", "Last day, UTC, not after today.", "2026-04-11", dayText)),
      base,
      symbols,
      alternative,
      prettyprint,
    ],
    ok: foreignOk(
      "The rates by day.",
      shape.OxrTimeSeries,
      {
        ...FRAME,
        start_date: "2026-04-10",
        end_date: "2026-04-11",
        base: "USD",
        rates: {
          "2026-04-10": { EUR: 0.856824608, GBP: 0.7462085511 },
          "2026-04-11": { EUR: 0.856824608, GBP: 0.7462085511 },
        },
      },
      { leavesOut: true },
    ),
  },
  {
    ...SHARED,
    id: "oxrConvert",
    path: "/convert/{value}/{from}/{to}",
    summary: "Open Exchange Rates: convert",
    description: "An amount at the newest rate.",
    parameters: [
      { name: "value", in: "path", required: true, description: "The amount.", ...amount },
      codeParameter("from", "Currency of the amount.", "USD"),
      codeParameter("to", "Currency wanted.", "EUR"),
      appId,
      prettyprint,
    ],
    ok: foreignOk("The conversion.", shape.OxrConversion, CONVERSION),
  },
  {
    ...SHARED,
    id: "oxrConvertQuery",
    path: "/convert.json",
    summary: "Open Exchange Rates: convert, by query",
    description: "The same as `convert/{value}/{from}/{to}`.",
    parameters: [
      queryParameter(
        "value",
        "The amount, by default 1; `amount` is another name of it.",
        "100",
        amount.schema,
      ),
      required(queryParameter("from", "Currency of the amount.", "USD")),
      required(queryParameter("to", "Currency wanted.", "EUR")),
      appId,
      prettyprint,
    ],
    ok: foreignOk("The conversion.", shape.OxrConversion, CONVERSION),
  },
  {
    ...SHARED,
    security: [],
    foreign: without(shape.oxrRefusals, ...CALLER, 400),
    id: "oxrCurrencies",
    path: "/currencies.json",
    summary: "Open Exchange Rates: currencies",
    description: "Names of all currencies by code.",
    parameters: [alternative, flag("show_inactive", "Accepted; there are none."), prettyprint],
    ok: foreignOk("The names.", shape.OxrCurrencies, { EUR: "Euro", USD: "US Dollar" }),
  },
  {
    ...SHARED,
    id: "oxrUsage",
    foreign: without(shape.oxrRefusals, 400),
    path: "/usage.json",
    summary: "Open Exchange Rates: usage",
    description:
      "What plan this server amounts to. It has no quota and counts no requests: both are -1, that service's own value for none.",
    parameters: [appId, prettyprint],
    ok: foreignOk("Plan and usage.", OxrUsage, USAGE_EXAMPLE),
  },
  {
    ...SHARED,
    id: "oxrOhlc",
    path: "/ohlc.json",
    summary: "Open Exchange Rates: open, high, low, close",
    description:
      "Bars of intraday quotes, where the server has them. Symbols without a quote in the period are absent.",
    parameters: [
      appId,
      required(
        queryParameter("start_time", "Where the period begins, zero seconds.", "2026-04-13T12:00:00Z"),
      ),
      required(
        queryParameter("period", "`1m`, `5m`, `15m`, `30m`, `1h`, `12h`, `1d`, `1w` or `1mo`.", "30m"),
      ),
      base,
      symbols,
      alternative,
      prettyprint,
    ],
    foreign: shape.ohlcRefusals,
    ok: foreignOk("The bars.", shape.OxrOhlc, shape.OHLC_EXAMPLE(FRAME), { leavesOut: true }),
  },
];

/** Every operation twice: clients that are given only a host put `/api` before the path themselves. */
export const COMPAT_OXR: readonly Operation[] = ["", "/api"].flatMap((prefix) =>
  OPERATIONS.map((operation) => ({
    ...operation,
    id: prefix === "" ? operation.id : `${operation.id}UnderApi`,
    path: `/compat/oxr${prefix}${operation.path}`,
  })),
);
