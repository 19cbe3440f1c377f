/** GET /v1/{date}[/{path_base}], as JSON or CSV. */

import { placeNear } from "#api/request/guesses.ts";
import { earliestOf, queryOf } from "#api/request/query.ts";
import type { Params, Route } from "#api/request/route.ts";
import { pathOf } from "#api/response/failures.ts";
import type { Reply } from "#api/response/reply.ts";
import { asOfHeader } from "#contract/point-in-time.ts";
import { historicalCsv } from "#contract/rates/csv.ts";
import { historicalBody } from "#contract/rates/historical.ts";
import { parseSymbols } from "#domain/currency/pair.ts";
import { Failure } from "#domain/faults/errors.ts";
import { historical } from "#rates/historical.ts";
import { baseOf, dateOf, parseAsOf, parseDp } from "#rates/parameters.ts";
import type { DailyDeps } from "#rates/query.ts";
import { type CsvReply, prefersJson, wantsCsv } from "./csv.ts";

/** Past days change only by corrections, which are looked for daily. */
const HISTORICAL = { maxAgeSeconds: 300, turnsWith: "session", isJson: prefersJson } as const;

/** `isTaken`: whether other routes begin with this path segment below /v1. */
export function historicalRoutes(
  deps: DailyDeps,
  reply: Reply,
  csvReply: CsvReply,
  isTaken: (segment: string) => boolean,
): Route[] {
  const handle = (request: Request, params: Params) => {
    const date = params["date"] ?? "";
    // What is unknown below another route ("/v1/keys/mine") is no bad date, nor is the name of another service's resource ("/v1/rates").
    if (isTaken(date) || placeNear(pathOf(request.url), () => true) !== null)
      throw new Failure("not_found", { path: pathOf(request.url) });
    const day = /^\d/.test(date) ? dateOf(date) : refuseSegment(date);
    const query = queryOf(request);
    const wanted = {
      day,
      base: baseOf(query, params["path_base"]),
      symbols: parseSymbols(query("symbols")),
      dp: parseDp(query("dp")),
      asOf: parseAsOf(query("as_of"), query("as_of_basis")),
    };
    const earliest = earliestOf(day);
    if (wantsCsv(request, query)) {
      const answer = () => {
        const rates = historical(deps, wanted);
        return { csv: historicalCsv(rates), headers: asOfHeader(rates.asOf) };
      };
      return csvReply(request, HISTORICAL.maxAgeSeconds, { earliest, answer });
    }
    return reply(request, HISTORICAL, () => ({
      earliest,
      answer: () => historicalBody(historical(deps, wanted)),
    }));
  };
  return [
    { method: "GET", path: "/v1/:date", handle, isMetered: true },
    { method: "GET", path: "/v1/:date/:path_base", handle, isMetered: true },
  ];
}

/** Failure `bad_date` for a segment that may have been meant for another resource. */
function refuseSegment(date: string): never {
  const wording =
    "not a date, and no other resource: {date}; write a calendar day as YYYY-MM-DD, or see /openapi.json";
  throw new Failure("bad_date", { date, wording });
}
