/** Currencies and providers as Frankfurter's second version lists them. */

import { Type } from "@sinclair/typebox";
import * as field from "#contract/fields.ts";
import * as form from "#contract/forms.ts";

const CURRENCY = {
  iso_code: form.meaning(field.CurrencyCodeModel, "ISO 4217 code.", "EUR"),
  iso_numeric: form.text("ISO 4217 numeric code.", "978"),
  name: form.text("English name from ISO 4217.", "Euro"),
  symbol: form.nullable<string>("string", {
    maxLength: 0,
    description: "Always null: the catalog has no signs.",
    examples: [null],
  }),
  start_date: form.dayOrNull(
    "Day of its first rate against USD; null before anything was collected.",
    "1999-01-04",
  ),
  end_date: form.dayOrNull(
    "Day of its newest rate, of a currency whose figures have ended the last one; null before anything was collected.",
    "2026-04-13",
  ),
};

export const FrankfurterCurrency = form.named("FrankfurterV2Currency", "A currency.", CURRENCY);

export const FrankfurterCurrencyDetail = form.named(
  "FrankfurterV2CurrencyDetail",
  "A currency and its sources.",
  {
    ...CURRENCY,
    providers: form.list(Type.String(), "Keys of the sources that publish it.", ["ECB", "FRED"]),
  },
);

export const FrankfurterProvider = form.named("FrankfurterV2Provider", "A source.", {
  key: form.text("Key of the source for `providers`.", "ECB"),
  name: form.text("Who publishes it.", "European Central Bank"),
  country_code: form.text("ISO 3166-1 code.", "EU"),
  rate_type: form.text("What its figures are.", "reference rate"),
  data_url: form.text("Its page.", "https://www.ecb.europa.eu/", { format: "uri" }),
  terms_url: form.text("Its terms of use.", "https://www.ecb.europa.eu/", { format: "uri" }),
  pivot_currency: form.meaning(
    field.CurrencyCodeModel,
    "Currency that its figures are quoted against.",
    "EUR",
  ),
  base: form.meaning(field.CurrencyCodeModel, "The same under an older name.", "EUR"),
  start_date: form.dayOrNull("First day with a rate; null before anything was collected.", "1999-01-04"),
  end_date: form.dayOrNull(
    "Newest day on which a rate served here is its; null where none is in force.",
    "2026-04-13",
  ),
  publish_cadence: form.oneOf(["daily"], "Figures are of days."),
  currencies: form.list(field.CurrencyCodeModel, "Currencies it covers.", ["EUR", "USD"]),
});
