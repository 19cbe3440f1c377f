/** GET /v1/explain/{from_ccy}/{to_ccy} */

import type { Ask } from "#accounts/limits/admit.ts";
import type { Meter } from "#api/request/metering.ts";
import { earliestOf, queryOf } from "#api/request/query.ts";
import type { Params, Route } from "#api/request/route.ts";
import type { ComputeTurns } from "#api/response/compute-turns.ts";
import { cacheFor } from "#api/response/headers.ts";
import { type JsonDeps, respondTagged } from "#api/response/json.ts";
import type { LargeBodies } from "#api/response/large-bodies.ts";
import { explainBody } from "#contract/explain/explain.ts";
import { parsePair } from "#domain/currency/pair.ts";
import { type ExplainDeps, explain } from "#rates/explain/explain.ts";
import { dateOf } from "#rates/parameters.ts";
import { LATEST } from "./latest.ts";

export interface ExplainRouteDeps extends ExplainDeps, JsonDeps {
  readonly meter: Meter;
  readonly large: LargeBodies;
  readonly turns: ComputeTurns;
  readonly callerOf: (request: Request) => string;
}

export function explainRoutes(deps: ExplainRouteDeps): Route[] {
  const handle = (request: Request, params: Params) => {
    const [from, to] = parsePair(params["from_ccy"] ?? "", params["to_ccy"] ?? "");
    const date = queryOf(request)("date");
    const day = date === undefined ? null : dateOf(date);
    const ask: Ask = { cost: 1, earliest: earliestOf(day) };
    // Documents may have to be read from a file of the lake: one at a time for each address.
    return deps.meter.run(request, ask, ({ delayMinutes }) =>
      deps.turns.slot(deps.callerOf(request), async () => {
        const explained = await explain(deps, { from, to, day, delayMinutes });
        return respondTagged(request, deps, cacheFor(LATEST.maxAgeSeconds), explainBody(explained));
      }),
    );
  };
  return [{ method: "GET", path: "/v1/explain/:from_ccy/:to_ccy", handle, isMetered: true }];
}
