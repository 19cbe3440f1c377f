/** GET /v1/latest[/{path_base}], as JSON or CSV, and GET /v1/rate/{slug}. */

import type { OfficialRouteDeps } from "#api/official/official.ts";
import { ONE_CALL } from "#api/request/metering.ts";
import { queryOf } from "#api/request/query.ts";
import type { Params, Route } from "#api/request/route.ts";
import { respondTagged } from "#api/response/json.ts";
import type { Reply } from "#api/response/reply.ts";
import { officialQuoteBody } from "#contract/official/official.ts";
import { latestCsv } from "#contract/rates/csv.ts";
import { latestBody } from "#contract/rates/latest.ts";
import { rateBody } from "#contract/rates/rate.ts";
import { isOfficial, parseSlug, parseSymbols } from "#domain/currency/pair.ts";
import { officialQuote } from "#official/quote.ts";
import { latest } from "#rates/latest.ts";
import { baseOf, parseDp } from "#rates/parameters.ts";
import type { RatesDeps } from "#rates/query.ts";
import { quote } from "#rates/quote.ts";
import { type CsvReply, prefersJson, wantsCsv } from "./csv.ts";

/** Live quotes come about every minute, so that caches revalidate after a quarter of one. */
export const LATEST = { maxAgeSeconds: 15, turnsWith: "spot" } as const;

export function latestRoutes(deps: Pick<RatesDeps, "spot">, reply: Reply, csvReply: CsvReply): Route[] {
  const handle = (request: Request, params: Params) => {
    const query = queryOf(request);
    const wanted = {
      base: baseOf(query, params["path_base"]),
      symbols: parseSymbols(query("symbols")),
      dp: parseDp(query("dp")),
    };
    const found = (delayMinutes: number | undefined) => latest(deps, { ...wanted, delayMinutes });
    if (wantsCsv(request, query)) {
      return csvReply(request, LATEST.maxAgeSeconds, {
        earliest: null,
        answer: (delayMinutes) => ({ csv: latestCsv(found(delayMinutes)) }),
      });
    }
    return reply(request, { ...LATEST, isJson: prefersJson }, () => ({
      earliest: null,
      answer: (delayMinutes) => latestBody(found(delayMinutes)),
    }));
  };
  return [
    { method: "GET", path: "/v1/latest", handle, isMetered: true },
    { method: "GET", path: "/v1/latest/:path_base", handle, isMetered: true },
  ];
}

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
