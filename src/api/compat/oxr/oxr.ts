/** The Open-Exchange-Rates-compatible routes, below `/compat/oxr` and again below `/compat/oxr/api`, which some clients add; and usage.json. */

import { answer, NO_ORIGIN } from "#api/compat/answer.ts";
import type { OxrDeps } from "#api/compat/compat-deps.ts";
import { openExchangeRates } from "#api/compat/dialects.ts";
import { inDialect, inDialectFree } from "#api/compat/refusal.ts";
import { queryOf } from "#api/request/query.ts";
import type { Params, Route } from "#api/request/route.ts";
import type { Body } from "#contract/body.ts";
import type { OxrUsage } from "#contract/compat/oxr/usage.ts";
import { periodEnd } from "#domain/history/periods.ts";
import { dayAt, formatDay } from "#domain/time/day.ts";
import { archiveUntil, publishedUntil } from "#rates/archive.ts";
import { currencies } from "#rates/currencies.ts";
import { required } from "#rates/parameters.ts";
import { oxrOhlc } from "./ohlc.ts";
import { print } from "./query.ts";
import { oxrConvert, oxrCurrencies, oxrHistorical, oxrLatest } from "./rates.ts";
import { oxrTimeSeries } from "./time-series.ts";

const PREFIXES = ["/compat/oxr", "/compat/oxr/api"] as const;

type Handler = (deps: OxrDeps, request: Request, params: Params) => Promise<Response>;

const HANDLERS: Readonly<Record<string, Handler>> = {
  "/latest.json": oxrLatest,
  // The router takes a segment whole: the parameter is named with its ending, and holds it.
  "/historical/:date.json": (deps, request, params) =>
    oxrHistorical(deps, request, params["date.json"] ?? ""),
  "/time-series.json": oxrTimeSeries,
  "/convert/:value/:from/:to": (deps, request, { value = "", from = "", to = "" }) =>
    oxrConvert(deps, request, value, from, to),
  "/convert.json": (deps, request) => {
    const query = queryOf(request);
    const value = query("value") ?? query("amount") ?? "1";
    return oxrConvert(deps, request, value, required(query, "from"), required(query, "to"));
  },
  "/usage.json": oxrUsage,
  "/ohlc.json": oxrOhlc,
};

export function oxrRoutes(deps: OxrDeps): Route[] {
  return PREFIXES.flatMap((prefix) => [
    {
      method: "GET",
      path: `${prefix}/currencies.json`,
      // Without an App ID there, too.
      handle: inDialectFree(deps, openExchangeRates, (request) => oxrCurrencies(deps, request)),
    } satisfies Route,
    ...Object.entries(HANDLERS).map(
      ([path, handle]): Route => ({
        method: "GET",
        path: `${prefix}${path}`,
        handle: inDialect(
          deps,
          openExchangeRates,
          async (request, params, delayMinutes) => {
            const spot: OxrDeps["spot"] = (minutes = delayMinutes) => deps.spot(minutes);
            const until = publishedUntil(deps.clock.now(), delayMinutes);
            const { archive } = deps;
            const visible = archive === null || until === null ? archive : archiveUntil(archive, until);
            return handle({ ...deps, spot, archive: visible }, request, params);
          },
          keyOf,
        ),
      }),
    ),
  ]);
}

/** That service's clients send their key as `app_id` or as `Authorization: Token`; ours is as good in its place. */
function keyOf(request: Request): string | null {
  const header = request.headers.get("authorization");
  if (header !== null) return header.replace(/^Token +/i, "Bearer ");
  // An installation without keys has clients whose App ID is empty.
  const appId = queryOf(request)("app_id") || null;
  return appId === null ? null : `Bearer ${appId}`;
}

/** That service's own word for "without a limit"; here also for figures that are not counted. */
const NONE = -1;

function oxrUsage(deps: OxrDeps, request: Request): Promise<Response> {
  const today = dayAt(deps.clock.now());
  const date = Number(formatDay(today).slice(8));
  const isLive = currencies(deps).some(({ live }) => live);
  const text = print(request, {
    status: 200,
    data: {
      app_id: appIdOf(request),
      status: "active",
      plan: {
        name: "Self-hosted",
        quota: "unlimited",
        update_frequency: isLive ? "1-minute" : "daily",
        features: {
          base: true,
          symbols: true,
          experimental: false,
          "time-series": true,
          convert: true,
          "bid-ask": false,
          ohlc: deps.archive !== null,
        },
      },
      usage: {
        requests: NONE,
        requests_quota: NONE,
        requests_remaining: NONE,
        days_elapsed: date - 1,
        days_remaining: periodEnd("1mo", today) - today + 1,
        daily_average: NONE,
      },
    },
  } satisfies Body<typeof OxrUsage>);
  return answer(request, deps.simulated, { text, origin: NO_ORIGIN, maxAgeSeconds: 0 });
}

/** As it was sent, in the query or as `Authorization: Token`: the caller knows it already. */
function appIdOf(request: Request): string {
  const header = /^Token\s+(\S{1,64})$/i.exec(request.headers.get("authorization") ?? "")?.[1];
  return ((queryOf(request)("app_id") || header) ?? "").slice(0, 64).replace(/[^\w.-]/g, "?");
}
