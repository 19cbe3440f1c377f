/** Currencies and providers in the shape of Frankfurter's second version. */

import { answer, type Origin } from "#api/compat/answer.ts";
import { CATALOG_SECONDS, type FrankfurterDeps } from "#api/compat/compat-deps.ts";
import { queryOf } from "#api/request/query.ts";
import type { Route } from "#api/request/route.ts";
import type { Body } from "#contract/body.ts";
import type { FrankfurterCurrency, FrankfurterProvider } from "#contract/compat/frankfurter/catalog.ts";
import { CURRENCIES, CURRENCY_CODES, currencyIndex, EUR } from "#domain/currency/currency.ts";
import { DAILY_SOURCES, type DailySource, PIVOT, type Source } from "#domain/currency/source.ts";
import { Failure } from "#domain/faults/errors.ts";
import { type Day, dayAt, formatDay } from "#domain/time/day.ts";
import { currencies } from "#rates/currencies.ts";
import { type DatedRate, snapshot } from "./snapshot.ts";
import { PROVIDER_KEYS, refuseMixedCase, sourceOf } from "./v2-query.ts";

type Get = (path: string, handle: Route["handle"]) => Route;

export function catalogRoutes(deps: FrankfurterDeps, get: Get): Route[] {
  const send = (request: Request, body: object, origin: Origin) =>
    answer(request, deps.simulated, { text: JSON.stringify(body), origin, maxAgeSeconds: CATALOG_SECONDS });
  return [
    get("/currencies", (request) => {
      const only = sourceOf(queryOf(request)("providers"));
      const { listed, origin } = catalog(deps);
      const wanted = listed.filter(({ sources }) => only === null || sources.some((own) => own === only));
      return send(
        request,
        wanted.map(({ entry }) => entry),
        origin,
      );
    }),
    get("/currency/:code", (request, { code = "" }) => {
      const { listed, origin } = catalog(deps);
      refuseMixedCase(code);
      const found = listed[currencyIndex(code)];
      if (found === undefined) throw new Failure("not_found");
      return send(request, { ...found.entry, providers: found.sources.map(keyOf) }, origin);
    }),
    get("/providers", (request) => {
      const { listed, origin } = catalog(deps);
      return send(
        request,
        DAILY_SOURCES.map((source) => provider(source, listed)),
        origin,
      );
    }),
  ];
}

interface Listed {
  /** Frankfurter takes signs from a library of its own; `symbol` is null here. */
  readonly entry: Body<typeof FrankfurterCurrency>;
  readonly sources: readonly DailySource[];
  /** The source of its newest rate. */
  readonly newestSource: Source | null;
}

/** Every currency with the days of its first and its newest rate. */
function catalog(deps: FrankfurterDeps): { readonly listed: readonly Listed[]; readonly origin: Origin } {
  const everything = CURRENCY_CODES.map((_, index) => index);
  const { rates, origin } = snapshot(deps, dayAt(deps.clock.now()), EUR, everything, null);
  const newest = new Map<string, DatedRate>(rates.map((rate) => [rate.code, rate]));
  const listed = currencies(deps).map(({ currency, sources, historyStart, lastDate }) => {
    const { code, name, numeric } = CURRENCIES[currency] as (typeof CURRENCIES)[number];
    return {
      entry: {
        iso_code: code,
        iso_numeric: numeric,
        name,
        symbol: null,
        start_date: dayText(historyStart),
        end_date: dayText(newest.get(code)?.day ?? lastDate),
      },
      // The pivot of a source has no figure, and is covered all the same.
      sources: DAILY_SOURCES.filter((source) => PIVOT[source] === code || sources.includes(source)),
      newestSource: newest.get(code)?.source ?? null,
    };
  });
  return { listed, origin };
}

function dayText(day: Day | null): string | null {
  return day === null ? null : formatDay(day);
}

const IDENTITY = {
  ecb_daily: {
    name: "European Central Bank",
    country_code: "EU",
    rate_type: "reference rate",
    data_url:
      "https://www.ecb.europa.eu/stats/policy_and_exchange_rates/euro_reference_exchange_rates/html/index.en.html",
    terms_url: "https://www.ecb.europa.eu/services/using-our-site/disclaimer/html/index.en.html",
  },
  fred_daily: {
    name: "Federal Reserve Board, H.10",
    country_code: "US",
    rate_type: "noon buying rate",
    data_url: "https://www.federalreserve.gov/releases/h10/current/",
    terms_url: "https://www.federalreserve.gov/disclaimer.htm",
  },
} as const satisfies Record<DailySource, object>;

function provider(source: DailySource, listed: readonly Listed[]): Body<typeof FrankfurterProvider> {
  const covered = listed.filter(({ sources }) => sources.includes(source));
  const first = covered.flatMap(({ entry }) => entry.start_date ?? []).sort()[0];
  const newest = listed.filter(({ newestSource }) => newestSource === source);
  const last = newest.flatMap(({ entry }) => entry.end_date ?? []).sort();
  return {
    key: keyOf(source),
    ...IDENTITY[source],
    pivot_currency: PIVOT[source],
    // The name of the pivot in the first releases of that version, which clients still read.
    base: PIVOT[source],
    start_date: first ?? null,
    end_date: last.at(-1) ?? null,
    publish_cadence: "daily",
    currencies: covered.map(({ entry }) => entry.iso_code),
  };
}

function keyOf(source: DailySource): string {
  return PROVIDER_KEYS[source];
}
