/** Currencies and providers in the shape of Frankfurter's second version. */

import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import * as compat from "#api/compat/compat.ts";
import * as form from "#api/forms.ts";
import * as field from "#api/model.ts";
import { path } from "#api/parameters.ts";
import { print } from "#api/print.ts";
import { CURRENCIES, CURRENCY_CODES, currencyIndex, EUR } from "#domain/currency/currency.ts";
import { DAILY_SOURCES, type DailySource, PIVOT } from "#domain/currency/source.ts";
import { Failure } from "#domain/faults/errors.ts";
import type { History } from "#domain/history/history.ts";
import { newestDateOf } from "#domain/history/schedule.ts";
import { dayAt } from "#domain/time/day.ts";
import { currencies } from "#rates/currencies.ts";
import { snapshot } from "#rates/snapshot.ts";
import { PROVIDER_KEYS, providers, refuseMixedCase, sourceOf } from "./v2-records.ts";

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
    "Day of its newest rate; of its last one when its figures have ended; null before anything was collected.",
    "2026-04-13",
  ),
};

const FrankfurterCurrency = form.named("FrankfurterV2Currency", "A currency.", CURRENCY);

const FrankfurterCurrencyDetail = form.named("FrankfurterV2CurrencyDetail", "A currency and its sources.", {
  ...CURRENCY,
  providers: form.list(Type.String(), "Keys of the sources that publish it.", ["ECB", "FRED"]),
});

const FrankfurterProvider = form.named("FrankfurterV2Provider", "A source.", {
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
    "Newest day on which a rate served here is its; null where no such rate is in force.",
    "2026-04-13",
  ),
  publish_cadence: form.oneOf(["daily"], "Figures are of days."),
  currencies: form.list(field.CurrencyCodeModel, "Currencies it covers.", ["EUR", "USD"]),
});

const IDENTITY = {
  ecb_daily: {
    name: "European Central Bank",
    countryCode: "EU",
    rateType: "reference rate",
    dataUrl:
      "https://www.ecb.europa.eu/stats/policy_and_exchange_rates/euro_reference_exchange_rates/html/index.en.html",
    termsUrl: "https://www.ecb.europa.eu/services/using-our-site/disclaimer/html/index.en.html",
  },
  fred_daily: {
    name: "Federal Reserve Board, H.10",
    countryCode: "US",
    rateType: "noon buying rate",
    dataUrl: "https://www.federalreserve.gov/releases/h10/current/",
    termsUrl: "https://www.federalreserve.gov/disclaimer.htm",
  },
} as const satisfies Record<DailySource, object>;

export const catalog = (
  deps: compat.CompatDeps,
  { free }: Pick<ReturnType<typeof compat.routesOf>, "free">,
) => {
  const answer = (body: object, origin: compat.Origin): compat.Answer => ({
    text: JSON.stringify(body),
    origin,
    maxAgeSeconds: compat.CATALOG_SECONDS,
  });
  return new Elysia()
    .use(compat.compatible(deps))
    .get(
      "/currencies",
      async ({ query: { sent } }) => {
        const only = sourceOf(sent("providers"));
        const { listed, origin } = catalogOf(deps);
        const ofSource = listed.filter(({ sources }) => only === null || sources.some((own) => own === only));
        return answer(
          ofSource.map(({ entry }) => entry),
          origin,
        );
      },
      free({
        query: { scope: compat.aside("Accepted; the list is the same.", "all"), providers },
        statuses: [422],
        id: "frankfurterV2Currencies",
        summary: "Frankfurter v2: currencies",
        description:
          "Every currency with the days of its first and newest rate. `scope` changes nothing: there are no legacy currencies.",
        ok: { description: "The currencies.", schema: Type.Array(FrankfurterCurrency) },
      }),
    )
    .get(
      "/currency/:code",
      async ({ params: { code } }) => {
        const { listed, origin } = catalogOf(deps);
        refuseMixedCase(code);
        const currency = listed[currencyIndex(code)];
        if (currency === undefined) throw new Failure("not_found");
        const keys = currency.sources.map((source) => PROVIDER_KEYS[source]);
        return answer({ ...currency.entry, providers: keys }, origin);
      },
      free({
        params: path({ code: compat.code("ISO 4217 code.", "EUR") }),
        statuses: [404, 422],
        id: "frankfurterV2Currency",
        summary: "Frankfurter v2: one currency",
        description: "One currency and the sources that publish it.",
        ok: FrankfurterCurrencyDetail,
      }),
    )
    .get(
      "/providers",
      async () => {
        const { listed, origin } = catalogOf(deps);
        const providers = DAILY_SOURCES.map((source) => provider(source, listed, deps.dataset()?.history));
        return answer(providers, origin);
      },
      free({
        id: "frankfurterV2Providers",
        summary: "Frankfurter v2: providers",
        description: "The daily sources.",
        ok: { description: "The sources.", schema: Type.Array(FrankfurterProvider) },
      }),
    );
};

/** Returns the currencies with their entries, and the origin of their newest rates. */
function catalogOf(deps: compat.CompatDeps) {
  const everything = CURRENCY_CODES.map((_, index) => index);
  const { origin } = snapshot(deps, dayAt(deps.clock.now()), EUR, everything);
  const listed = currencies(deps).map(({ currency, sources, historyStart, lastDate: endDate }) => {
    const { code: isoCode, name, numeric: isoNumeric } = CURRENCIES[currency] as (typeof CURRENCIES)[number];
    const said = { isoCode, isoNumeric, name, symbol: null, startDate: historyStart, endDate };
    return {
      entry: print(FrankfurterCurrency, said),
      sources: DAILY_SOURCES.filter((source) => sources.includes(source)),
      historyStart,
    };
  });
  return { listed, origin };
}

type Listed = ReturnType<typeof catalogOf>["listed"];

function provider(source: DailySource, listed: Listed, history: History | undefined) {
  const covered = listed.filter(({ sources }) => sources.includes(source));
  const starts = covered.flatMap(({ historyStart }) => historyStart ?? []);
  return print(FrankfurterProvider, {
    key: PROVIDER_KEYS[source],
    ...IDENTITY[source],
    pivotCurrency: PIVOT[source],
    // Early clients of that version still read this name of the pivot.
    base: PIVOT[source],
    startDate: starts.length === 0 ? null : Math.min(...starts),
    endDate: history === undefined ? null : newestDateOf(history, DAILY_SOURCES.indexOf(source)),
    publishCadence: "daily",
    currencies: covered.map(({ entry }) => entry.iso_code),
  });
}
