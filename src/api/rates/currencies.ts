/** GET /v1/currencies: the catalog. */

import { Elysia } from "elysia";
import * as form from "#api/forms.ts";
import * as field from "#api/model.ts";
import type { House } from "#api/plugins/house.ts";
import { print } from "#api/print.ts";
import { operation } from "#api/words.ts";
import { CURRENCIES as CATALOG, CURRENCY_COUNT, PAIR_COUNT } from "#domain/currency/currency.ts";
import { type CurrencyFacts, currencies as catalogOf } from "#rates/currencies.ts";
import type { RatesDeps } from "#rates/query.ts";

const CurrencyModel = form.named("Currency", "A currency of the catalog.", {
  code: form.meaning(field.CurrencyCodeModel, "ISO 4217 code.", "EUR"),
  name: form.text("English name from ISO 4217.", "Euro"),
  type: form.oneOf(["fiat"], "Kind of currency."),
  decimals: form.countOrNull("Decimals of its daily reference rate; null before any collection.", 4),
  minor_units: form.count("Decimals of an amount of it, from ISO 4217.", 2),
  derived: form.flag("True when its rate from USD is triangulated through a third currency.", false),
  live: form.flag("True when its latest rate is a live one now.", false),
  sources: form.list(
    field.SourceModel,
    "What it can come from, the preferred one first: `live` where it is live now, then daily sources.",
    ["ecb_daily"],
  ),
  history_start: form.dayOrNull("First day with a rate on USD; null before any collection.", "1999-01-04"),
  last_date: form.dayOrNull("Last date with a figure of it; null before any collection.", "2026-04-13"),
});

export const CurrenciesResponse = field.answer("CurrenciesResponse", "The catalog.", {
  currencies: form.list(CurrencyModel, "The catalog in alphabetical order of code."),
  count: form.count("Number of currencies.", 31),
  pairs: form.count("Number of unordered pairs of them.", 465),
});

const currenciesBody = (catalog: readonly CurrencyFacts[]) =>
  print(CurrenciesResponse, {
    currencies: catalog.map(({ currency, ...facts }) => ({
      ...{ ...(CATALOG[currency] as (typeof CATALOG)[number]), ...facts, type: "fiat" as const },
    })),
    count: CURRENCY_COUNT,
    pairs: PAIR_COUNT,
  });

export const currencies = ({ house, ...deps }: RatesDeps & { readonly house: House }) =>
  new Elysia({ name: "currencies" }).use(house).get(
    "/v1/currencies",
    async () => currenciesBody(catalogOf(deps)),
    operation({
      metered: true,
      reply: { maxAgeSeconds: 3600, turnsWith: "spot" },
      id: "listCurrencies",
      tag: "Catalog",
      summary: "Currencies",
      description: "Every currency with its names, sources and days of data.",
      ok: CurrenciesResponse,
      errors: ["data_unavailable"],
    }),
  );
