/** The Open-Exchange-Rates-compatible routes, below `/compat/oxr` and again below `/compat/oxr/api`, which some clients add. */

import type { OxrDeps } from "#http/compat/compat-deps.ts";
import { openExchangeRates } from "#http/compat/dialects.ts";
import { inDialect, inDialectFree } from "#http/compat/refusal.ts";
import { queryOf } from "#http/request/query.ts";
import type { Params, Route } from "#http/request/route.ts";
import { archiveUntil, publishedUntil } from "#rates/archive.ts";
import { required } from "#rates/parameters.ts";
import { oxrOhlc } from "./ohlc.ts";
import { oxrConvert, oxrCurrencies, oxrHistorical, oxrLatest } from "./rates.ts";
import { oxrTimeSeries } from "./time-series.ts";
import { oxrUsage } from "./usage.ts";

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
  const appId = queryOf(request)("app_id");
  return appId === undefined ? null : `Bearer ${appId}`;
}
