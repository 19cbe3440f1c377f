/** GET /v1/currencies: the contract's CurrenciesResponse. */

import { Type } from "@sinclair/typebox";
import type { Body } from "#contract/body.ts";
import * as field from "#contract/fields.ts";
import type { Operation } from "#contract/operation.ts";
import { CURRENCIES as CATALOG, CURRENCY_COUNT, PAIR_COUNT } from "#domain/currency/currency.ts";
import type { CurrencyFacts } from "#domain/rates/rates.ts";
import { formatDay } from "#domain/time/day.ts";

const CurrencyModel = Type.Object(
  {
    code: field.meaning(field.CurrencyCodeModel, "ISO 4217 code.", "EUR"),
    name: Type.String({ description: "English name from ISO 4217.", examples: ["Euro"] }),
    type: Type.Unsafe<"fiat">({ type: "string", enum: ["fiat"], description: "Kind of currency." }),
    decimals: field.nullable<number>("integer", {
      minimum: 0,
      description:
        "Decimals in which its daily reference rate is published; null before anything was collected.",
      examples: [4],
    }),
    minor_units: Type.Integer({
      minimum: 0,
      description: "Decimals of an amount of it, from ISO 4217.",
      examples: [2],
    }),
    derived: Type.Boolean({
      description: "True when its rate from USD is triangulated through a third currency.",
      examples: [false],
    }),
    live: Type.Boolean({ description: "True when its latest rate is a live one now.", examples: [false] }),
    sources: Type.Array(field.SourceModel, {
      description:
        "What it can come from, the preferred one first: `live` where it is live now, then daily sources.",
      examples: [["ecb_daily"]],
    }),
    history_start: field.nullable<string>("string", {
      format: "date",
      pattern: field.DAY_PATTERN,
      description: "First day with a rate against USD; null before anything was collected.",
      examples: ["1999-01-04"],
    }),
  },
  { $id: "Currency", additionalProperties: false, description: "A currency of the catalog." },
);

const CurrenciesResponse = Type.Object(
  {
    result: field.result,
    currencies: Type.Array(CurrencyModel, {
      description: "The catalog in alphabetical order of code.",
      examples: [
        [
          {
            code: "EUR",
            name: "Euro",
            type: "fiat",
            decimals: null,
            minor_units: 2,
            derived: false,
            live: false,
            sources: [],
            history_start: "1999-01-04",
          },
        ],
      ],
    }),
    count: Type.Integer({ minimum: 0, description: "Number of currencies.", examples: [31] }),
    pairs: Type.Integer({ minimum: 0, description: "Number of unordered pairs of them.", examples: [465] }),
  },
  { $id: "CurrenciesResponse", additionalProperties: false, description: "The catalog." },
);

/** The body of an answer. */
export function currenciesBody(catalog: readonly CurrencyFacts[]) {
  return {
    result: "success",
    currencies: catalog.map(({ currency, decimals, derived, live, sources, historyStart }) => {
      const { code, name, minorUnits } = CATALOG[currency] as (typeof CATALOG)[number];
      return {
        code,
        name,
        type: "fiat",
        decimals,
        minor_units: minorUnits,
        derived,
        live,
        sources,
        history_start: historyStart === null ? null : formatDay(historyStart),
      } as const;
    }),
    count: CURRENCY_COUNT,
    pairs: PAIR_COUNT,
  } satisfies Body<typeof CurrenciesResponse>;
}

const EXAMPLE = {
  result: "success",
  currencies: [
    {
      code: "AUD",
      name: "Australian Dollar",
      type: "fiat",
      decimals: 4,
      minor_units: 2,
      derived: false,
      live: true,
      sources: ["live", "ecb_daily", "fred_daily"],
      history_start: "1999-01-04",
    },
    {
      code: "TWD",
      name: "New Taiwan Dollar",
      type: "fiat",
      decimals: 2,
      minor_units: 2,
      derived: false,
      live: false,
      sources: ["fred_daily"],
      history_start: "1999-01-04",
    },
  ],
  count: 31,
  pairs: 465,
};

export const CURRENCIES: readonly Operation[] = [
  {
    id: "listCurrencies",
    method: "get",
    path: "/v1/currencies",
    tag: "Catalog",
    summary: "Currencies",
    description: "Every currency with what is known about its data. The example shows two of them.",
    parameters: [],
    ok: { description: "The catalog.", schema: CurrenciesResponse, example: EXAMPLE, conditional: true },
    errors: ["data_unavailable"],
  },
];
