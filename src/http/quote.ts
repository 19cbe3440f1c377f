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
      path: "/v1/rate/:slug",
      handle: (request, params) =>
        reply(request, LATEST, () =>
          quote(deps, parseSlug(params["slug"] ?? ""), parseDp(queryOf(request)("dp"))),
        ),
    },
  ];
}
