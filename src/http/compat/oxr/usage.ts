/** GET /compat/oxr/usage.json: the plan of a server of one's own. Nothing is counted, and nothing is made up. */

import type { Body } from "#contract/body.ts";
import type { OxrUsage } from "#contract/compat/oxr/usage.ts";
import { periodEnd } from "#domain/history/periods.ts";
import { dayAt, formatDay } from "#domain/time/day.ts";
import { answer, NO_ORIGIN } from "#http/compat/answer.ts";
import type { OxrDeps } from "#http/compat/compat-deps.ts";
import { queryOf } from "#http/request/query.ts";
import { currencies } from "#rates/currencies.ts";
import { print } from "./query.ts";

/** That service's own word for "without a limit"; here also for figures that are not counted. */
const NONE = -1;

export function oxrUsage(deps: OxrDeps, request: Request): Promise<Response> {
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
  return (queryOf(request)("app_id")?.slice(0, 64) ?? header ?? "").replace(/[^\w.-]/g, "?");
}
