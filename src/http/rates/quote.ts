/** GET /v1/rate/{slug} */

import { isOfficial, parseSlug } from "#domain/currency/pair.ts";
import { sendTagged } from "#http/official/answer.ts";
import type { OfficialRouteDeps } from "#http/official/official.ts";
import { ONE_CALL } from "#http/request/metering.ts";
import { queryOf } from "#http/request/query.ts";
import type { Route } from "#http/request/route.ts";
import type { Reply } from "#http/response/reply.ts";
import { officialQuote } from "#official/quote.ts";
import { parseDp, type RatesDeps } from "#rates/query.ts";
import { quote } from "#rates/quote.ts";
import { LATEST } from "./latest.ts";

export function quoteRoutes(deps: Pick<RatesDeps, "spot"> & OfficialRouteDeps, reply: Reply): Route[] {
  return [
    {
      method: "GET",
      isMetered: true,
      path: "/v1/rate/:slug",
      handle: (request, params) => {
        const slug = parseSlug(params["slug"] ?? "");
        const dp = parseDp(queryOf(request)("dp"));
        if (!isOfficial(slug))
          return reply(request, LATEST, () => ({
            earliest: null,
            answer: (delayMinutes) => quote(deps.spot(delayMinutes), slug, dp),
          }));
        return deps.meter.run(request, ONE_CALL, async () =>
          sendTagged(request, deps, await officialQuote(deps.official, slug, dp), CACHED),
        );
      },
    },
  ];
}

/** As long as the other slugs. */
const CACHED = `public, max-age=${LATEST.maxAgeSeconds}, must-revalidate`;
