/** Currencies and providers as Frankfurter's second version lists them. */

import { Type } from "@sinclair/typebox";
import * as field from "#contract/fields.ts";

const someDay = (description: string, example: string) =>
  field.nullable<string>("string", {
    format: "date",
    pattern: field.DAY_PATTERN,
    description,
    examples: [example],
  });

const CURRENCY = {
  iso_code: field.meaning(field.CurrencyCodeModel, "ISO 4217 code.", "EUR"),
  iso_numeric: Type.String({ description: "ISO 4217 numeric code.", examples: ["978"] }),
  name: Type.String({ description: "English name from ISO 4217.", examples: ["Euro"] }),
  symbol: field.nullable<string>("string", {
    maxLength: 0,
    description: "Always null: the catalog has no signs.",
    examples: [null],
  }),
  start_date: someDay("Day of its first rate against USD; null before anything was collected.", "1999-01-04"),
  end_date: someDay("Day of its newest rate; null where none is in force.", "2026-04-13"),
};

export const FrankfurterCurrency = Type.Object(CURRENCY, {
  $id: "FrankfurterV2Currency",
  additionalProperties: false,
  description: "A currency.",
});

export const FrankfurterCurrencyDetail = Type.Object(
  {
    ...CURRENCY,
    providers: Type.Array(Type.String(), {
      description: "Keys of the sources that publish it.",
      examples: [["ECB", "FRED"]],
    }),
  },
  {
    $id: "FrankfurterV2CurrencyDetail",
    additionalProperties: false,
    description: "A currency and its sources.",
  },
);

export const FrankfurterProvider = Type.Object(
  {
    key: Type.String({ description: "Key of the source for `providers`.", examples: ["ECB"] }),
    name: Type.String({ description: "Who publishes it.", examples: ["European Central Bank"] }),
    country_code: Type.String({ description: "ISO 3166-1 code.", examples: ["EU"] }),
    rate_type: Type.String({ description: "What its figures are.", examples: ["reference rate"] }),
    data_url: Type.String({
      format: "uri",
      description: "Its page.",
      examples: ["https://www.ecb.europa.eu/"],
    }),
    terms_url: Type.String({
      format: "uri",
      description: "Its terms of use.",
      examples: ["https://www.ecb.europa.eu/"],
    }),
    pivot_currency: field.meaning(
      field.CurrencyCodeModel,
      "Currency that its figures are quoted against.",
      "EUR",
    ),
    base: field.meaning(field.CurrencyCodeModel, "The same under an older name.", "EUR"),
    start_date: someDay("First day with a rate; null before anything was collected.", "1999-01-04"),
    end_date: someDay(
      "Newest day on which a rate served here is its; null where none is in force.",
      "2026-04-13",
    ),
    publish_cadence: Type.Unsafe<"daily">({
      type: "string",
      enum: ["daily"],
      description: "Figures are of days.",
    }),
    currencies: Type.Array(field.CurrencyCodeModel, {
      description: "Currencies it covers.",
      examples: [["EUR", "USD"]],
    }),
  },
  { $id: "FrankfurterV2Provider", additionalProperties: false, description: "A source." },
);
