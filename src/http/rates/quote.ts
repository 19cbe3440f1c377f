/** GET /v1/rate/{slug} */

import { officialQuoteBody } from "#contract/official/official.ts";
import { rateBody } from "#contract/rates/rate.ts";
import { isOfficial, parseSlug } from "#domain/currency/pair.ts";
import type { OfficialRouteDeps } from "#http/official/official.ts";
import { ONE_CALL } from "#http/request/metering.ts";
import { queryOf } from "#http/request/query.ts";
import type { Route } from "#http/request/route.ts";
import { respondTagged } from "#http/response/json.ts";
import type { Reply } from "#http/response/reply.ts";
import { officialQuote } from "#official/quote.ts";
import { parseDp } from "#rates/parameters.ts";
import type { RatesDeps } from "#rates/query.ts";
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
            answer: (delayMinutes) => rateBody(slug.text, quote(deps, { ...slug, dp, delayMinutes })),
          }));
        return deps.meter.run(request, ONE_CALL, async () =>
          respondTagged(
            request,
            deps,
            CACHED,
            officialQuoteBody(slug.text, await officialQuote(deps.official, { ...slug, dp })),
          ),
        );
      },
    },
  ];
}

/** As long as the other slugs. */
const CACHED = `public, max-age=${LATEST.maxAgeSeconds}, must-revalidate`;
