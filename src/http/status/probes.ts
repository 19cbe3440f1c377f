/** GET /health and /status: unmetered probes. */

import { formatInstant } from "#domain/time/day.ts";
import { choiceOf, queryOf } from "#http/request/query.ts";
import type { Route } from "#http/request/route.ts";
import { sendOnce } from "#http/response/send-once.ts";
import { type StatusDeps, status } from "#rates/status.ts";

export interface ProbeDeps extends StatusDeps {
  readonly simulated: boolean;
}

export function probeRoutes(deps: ProbeDeps): Route[] {
  return [
    {
      method: "GET",
      path: "/health",
      handle: (request) =>
        sendOnce(request, deps, { result: "success", status: "ok", version: deps.version }),
    },
    {
      method: "GET",
      path: "/status",
      handle: async (request) => {
        const strict = choiceOf(queryOf(request), "strict", ["0", "1"]) === "1";
        const report = await status(deps);
        const down = report.status === "unready" || (strict && report.status !== "ready");
        return sendOnce(
          request,
          deps,
          { ...report, timestamp: formatInstant(deps.clock.now()) },
          down ? 503 : 200,
        );
      },
    },
  ];
}
