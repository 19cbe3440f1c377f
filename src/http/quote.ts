/** GET /v1/rate/{slug} */

import { parseSlug } from "#domain/pair.ts";
import { parseDp, type RatesDeps } from "#rates/query.ts";
import { quote } from "#rates/quote.ts";
import { LATEST } from "./latest.ts";
import { queryOf } from "./query.ts";
import type { Reply } from "./reply.ts";
import type { Route } from "./route.ts";

export function quoteRoutes(deps: Pick<RatesDeps, "spot">, reply: Reply): Route[] {
  return [
    {
      method: "GET",
      isMetered: true,
      path: "/v1/rate/:slug",
      handle: (request, params) =>
        reply(request, LATEST, () => {
          const slug = parseSlug(params["slug"] ?? "");
          const dp = parseDp(queryOf(request)("dp"));
          return { earliest: null, answer: (delayMinutes) => quote(deps.spot(delayMinutes), slug, dp) };
        }),
    },
  ];
}
