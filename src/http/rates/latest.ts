/** GET /v1/latest[/{path_base}] */

import { parseSymbols } from "#domain/currency/pair.ts";
import { baseOf, queryOf } from "#http/request/query.ts";
import type { Params, Route } from "#http/request/route.ts";
import type { Reply } from "#http/response/reply.ts";
import { latestOf } from "#rates/latest.ts";
import { parseDp, type RatesDeps } from "#rates/query.ts";

/** Live quotes come about every minute, so that caches ask again after a quarter of one. */
export const LATEST = { maxAgeSeconds: 15, turnsWith: "spot" } as const;

export function latestRoutes(deps: Pick<RatesDeps, "spot">, reply: Reply): Route[] {
  const handle = (request: Request, params: Params) =>
    reply(request, LATEST, () => {
      const query = queryOf(request);
      const asked = {
        base: baseOf(query, params["path_base"]),
        symbols: parseSymbols(query("symbols")),
        dp: parseDp(query("dp")),
      };
      return { earliest: null, answer: (delayMinutes) => latestOf(deps.spot(delayMinutes), asked) };
    });
  return [
    { method: "GET", path: "/v1/latest", handle, isMetered: true },
    { method: "GET", path: "/v1/latest/:path_base", handle, isMetered: true },
  ];
}
