/** GET /health and /status: unmetered probes. */

import { queryOf } from "#api/request/query.ts";
import type { Route } from "#api/request/route.ts";
import { respondJson } from "#api/response/json.ts";
import { healthBody } from "#contract/status/probes.ts";
import { statusBody } from "#contract/status/status.ts";
import { choiceOf } from "#rates/parameters.ts";
import { type StatusDeps, status } from "#rates/status/status.ts";

export interface ProbeDeps extends StatusDeps {
  readonly simulated: boolean;
}

export function probeRoutes(deps: ProbeDeps): Route[] {
  return [
    {
      method: "GET",
      path: "/health",
      handle: (request) => respondJson(request, deps, healthBody(deps.version)),
    },
    {
      method: "GET",
      path: "/status",
      handle: async (request) => {
        const strict = choiceOf(queryOf(request), "strict", ["0", "1"]) === "1";
        const report = await status(deps);
        const down = report.status === "unready" || (strict && report.status !== "ready");
        return respondJson(request, deps, statusBody(report, deps.clock.now(), down), down ? 503 : 200);
      },
    },
  ];
}
