/** GET /compat/frankfurter/v2/…: shapes of Frankfurter's second version. */

import { Type } from "@sinclair/typebox";
import {
  CALLER,
  dayText,
  foreignOk,
  foreignRefusals,
  queryParameter,
  without,
} from "#contract/compat/foreign.ts";
import * as field from "#contract/fields.ts";
import * as form from "#contract/forms.ts";
import type { Operation } from "#contract/operation.ts";
import { codeParameter } from "#contract/parameters.ts";
import { ERRORS } from "#domain/faults/errors.ts";
import { FrankfurterCurrency, FrankfurterCurrencyDetail, FrankfurterProvider } from "./catalog.ts";
import { refusalExamples } from "./v1.ts";

const Rate = form.named("FrankfurterV2Rate", "The rate of a pair on a date.", {
  date: form.day(
    "The day that its figures are of: the newest on which both sides have theirs.",
    "2026-04-13",
  ),
  base: form.meaning(field.CurrencyCodeModel, "Base currency.", "EUR"),
  quote: form.meaning(field.CurrencyCodeModel, "Quote currency.", "USD"),
  rate: Type.Number({ minimum: 0, description: "Units of `quote` per 1 `base`.", examples: [1.1684] }),
});

const Rates = Type.Array(Rate, {
  $id: "FrankfurterV2Rates",
  description: "By quote; of a range by date, then by quote. The base against itself is among them.",
});

const Refused = form.named("FrankfurterV2Refusal", "A refusal in the form of Frankfurter v2.", {
  status: Type.Integer({ description: "HTTP status.", examples: [422] }),
  message: form.text("What is wrong.", "invalid date"),
});

const examples = refusalExamples((status, message) => ({ status, message }));
const foreign = foreignRefusals(Refused, examples);
/** Of what comes in parts, too. */
const foreignFile = foreignRefusals(Refused, {
  ...examples,
  412: { status: 412, message: ERRORS.precondition_failed.message },
  416: { status: 416, message: "the range begins after the end of the file, which has 1116 bytes" },
});

const providers = queryParameter(
  "providers",
  "Keys of sources, separated by commas: `ECB` for the euro reference rates alone, `ECB,FRED` for all there is.",
  "ECB",
  Type.String(),
  false,
);
const date = queryParameter("date", "A day; excludes `from` and `to`.", "2026-04-13", dayText, false);
const group = queryParameter(
  "group",
  "`week` or `month`: the mean of each ISO week or month of the range, dated with its first day.",
  "month",
  form.oneOf<string>(["week", "month"]),
  false,
);

const RATES_PARAMETERS = [
  date,
  queryParameter("from", "First day of a range; without one the newest rates.", "2026-04-10", dayText),
  queryParameter("to", "Last day of the range, by default today.", "2026-04-13", dayText),
  queryParameter("base", "Base currency, by default EUR.", "EUR"),
  queryParameter("quotes", "Currencies wanted, separated by commas, by default all.", "GBP,USD"),
  providers,
  group,
];

const EXAMPLE = [
  { date: "2026-04-10", base: "EUR", quote: "GBP", rate: 0.8709 },
  { date: "2026-04-10", base: "EUR", quote: "USD", rate: 1.1671 },
  { date: "2026-04-13", base: "EUR", quote: "GBP", rate: 0.8713 },
  { date: "2026-04-13", base: "EUR", quote: "USD", rate: 1.1684 },
];

const CSV_EXAMPLE = "date,base,quote,rate\n2026-04-13,EUR,USD,1.1684\n";
const EURO = {
  iso_code: "EUR",
  iso_numeric: "978",
  name: "Euro",
  symbol: null,
  start_date: "1999-01-04",
  end_date: "2026-04-13",
};

const SHARED = { method: "get", tag: "Compatibility", errors: [], foreign } as const;
/** Lists are public, and count against no limit. */
const FREE = { ...SHARED, security: [], foreign: without(foreign, ...CALLER) } as const;

export const COMPAT_FRANKFURTER_V2: readonly Operation[] = [
  {
    ...SHARED,
    id: "frankfurterV2Rates",
    path: "/compat/frankfurter/v2/rates",
    summary: "Frankfurter v2: rates",
    description:
      "The newest rates, those of a day, or those of a range, one record a pair and date. Unknown parameters are refused, as there. Daily reference rates only, never live ones.",
    parameters: RATES_PARAMETERS,
    // Without a record the answer is an empty list.
    foreign: without(foreignFile, 404),
    ok: foreignOk("The records.", Rates, EXAMPLE, {
      ranged: "beside JSON",
      otherTypes: [
        {
          mime: "application/x-ndjson",
          description: "One record a line, with `Accept: application/x-ndjson`.",
          example: '{"date":"2026-04-13","base":"EUR","quote":"USD","rate":1.1684}\n',
        },
      ],
    }),
  },
  {
    ...SHARED,
    // Without a record the answer is an empty list.
    foreign: without(foreignFile, 404),
    id: "frankfurterV2RatesCsv",
    path: "/compat/frankfurter/v2/rates.csv",
    summary: "Frankfurter v2: rates as CSV",
    description: "The same records as `rates`, in four columns.",
    parameters: RATES_PARAMETERS,
    ok: foreignOk("The records.", Type.String(), CSV_EXAMPLE, { mime: "text/csv", ranged: true }),
  },
  {
    ...SHARED,
    id: "frankfurterV2Rate",
    path: "/compat/frankfurter/v2/rate/{base}/{quote}",
    summary: "Frankfurter v2: one pair",
    description: "The newest rate of one pair, or that of a day.",
    parameters: [
      codeParameter("base", "Base currency.", "EUR"),
      codeParameter("quote", "Quote currency.", "USD"),
      date,
      providers,
    ],
    ok: foreignOk("The record.", Rate, EXAMPLE.at(-1)),
  },
  {
    ...FREE,
    id: "frankfurterV2Currencies",
    path: "/compat/frankfurter/v2/currencies",
    summary: "Frankfurter v2: currencies",
    description:
      "Every currency with the days of its first and newest rate. `scope` changes nothing: none is a legacy one.",
    parameters: [
      queryParameter("scope", "Accepted; the list is the same.", "all", Type.String(), false),
      providers,
    ],
    foreign: without(FREE.foreign, 404),
    ok: foreignOk("The currencies.", Type.Array(FrankfurterCurrency), [EURO]),
  },
  {
    ...FREE,
    id: "frankfurterV2Currency",
    path: "/compat/frankfurter/v2/currency/{code}",
    summary: "Frankfurter v2: one currency",
    description: "One currency and the sources that publish it.",
    parameters: [codeParameter("code", "ISO 4217 code.", "EUR")],
    ok: foreignOk("The currency.", FrankfurterCurrencyDetail, { ...EURO, providers: ["ECB", "FRED"] }),
  },
  {
    ...FREE,
    id: "frankfurterV2Providers",
    path: "/compat/frankfurter/v2/providers",
    summary: "Frankfurter v2: providers",
    description: "The daily sources.",
    parameters: [],
    foreign: without(FREE.foreign, 404, 422),
    ok: foreignOk("The sources.", Type.Array(FrankfurterProvider), [
      {
        key: "ECB",
        name: "European Central Bank",
        country_code: "EU",
        rate_type: "reference rate",
        data_url:
          "https://www.ecb.europa.eu/stats/policy_and_exchange_rates/euro_reference_exchange_rates/html/index.en.html",
        terms_url: "https://www.ecb.europa.eu/services/using-our-site/disclaimer/html/index.en.html",
        pivot_currency: "EUR",
        base: "EUR",
        start_date: "1999-01-04",
        end_date: "2026-04-13",
        publish_cadence: "daily",
        currencies: ["EUR", "GBP", "JPY", "USD"],
      },
    ]),
  },
  {
    method: "get",
    tag: "Compatibility",
    security: [],
    id: "frankfurterV2OpenApi",
    path: "/compat/frankfurter/v2/openapi.json",
    summary: "Frankfurter v2: its description",
    description:
      "These operations alone as OpenAPI 3.1, for clients that read the service's own description.",
    ok: { description: "An OpenAPI 3.1 document.", schema: field.OpenApiDocument, conditional: true },
    errors: [],
  },
];
