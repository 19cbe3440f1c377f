/** GET /health and /status: unmetered probes. */

import { formatInstant } from "#domain/day.ts";
import { type StatusDeps, status } from "#rates/status.ts";
import { queryOf } from "./query.ts";
import type { Route } from "./route.ts";
import { sendOnce } from "./send-once.ts";

export interface ProbeDeps extends StatusDeps {
  readonly simulated: boolean;
}

export function probeRoutes(deps: ProbeDeps): Route[] {
  return [
    {
      method: "GET",
      path: "/health",
      handle: (request) => sendOnce(request, deps, { status: "ok", version: deps.version }),
    },
    {
      method: "GET",
      path: "/status",
      handle: async (request) => {
        const report = await status(deps);
        const strict = queryOf(request)("strict") === "1";
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
