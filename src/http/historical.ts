/** GET /v1/{date}[/{path_base}] */

import { Failure } from "#domain/errors.ts";
import { parseSymbols } from "#domain/pair.ts";
import { parseAsOf } from "#rates/as-of.ts";
import { historical } from "#rates/historical.ts";
import { type DailyDeps, parseDp } from "#rates/query.ts";
import { pathOf } from "./failures.ts";
import { baseOf, dateOf, queryOf } from "./query.ts";
import type { Reply } from "./reply.ts";
import type { Params, Route } from "./route.ts";

/** Past days change only by corrections, which are looked for daily. */
const HISTORICAL = { maxAgeSeconds: 300, turnsWith: "session" } as const;

export function historicalRoutes(deps: DailyDeps, reply: Reply): Route[] {
  const handle = (request: Request, params: Params) =>
    reply(request, HISTORICAL, () => {
      const date = params["date"] ?? "";
      // Words that are no date at all ("/v1/keys") are unknown paths, not bad dates.
      if (!/^\d/.test(date)) throw new Failure("not_found", { path: pathOf(request.url) });
      const day = dateOf(date);
      const query = queryOf(request);
      const asked = {
        day,
        base: baseOf(query, params["path_base"]),
        symbols: parseSymbols(query("symbols")),
        dp: parseDp(query("dp")),
        asOf: parseAsOf(query("as_of"), query("as_of_basis")),
      };
      return { earliest: day, answer: () => historical(deps, asked) };
    });
  return [
    { method: "GET", path: "/v1/:date", handle, isMetered: true },
    { method: "GET", path: "/v1/:date/:path_base", handle, isMetered: true },
  ];
}
