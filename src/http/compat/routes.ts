/** All routes that stand in for other services, and how their unknown paths are refused. */

import type { Route } from "#http/request/route.ts";
import type { FrankfurterV2Deps, OxrDeps } from "./compat-deps.ts";
import { frankfurterV1, frankfurterV2, openExchangeRates } from "./dialects.ts";
import { frankfurterV1Routes } from "./frankfurter/v1.ts";
import { frankfurterV2Routes } from "./frankfurter/v2.ts";
import { oxrRoutes } from "./oxr/oxr.ts";
import { restateUnrouted } from "./refusal.ts";

export function compatRoutes(deps: OxrDeps & FrankfurterV2Deps): Route[] {
  return [...frankfurterV1Routes(deps), ...frankfurterV2Routes(deps), ...oxrRoutes(deps)];
}

/** The answer to a request that no route took, in the words of the service whose prefix its path has. */
export function compatUnrouted(request: Request, plain: Response): Response {
  return restateUnrouted(request, plain, [
    ["/compat/frankfurter/v1/", frankfurterV1],
    ["/compat/frankfurter/", frankfurterV2],
    ["/v2/", frankfurterV2],
    ["/compat/oxr/", openExchangeRates],
  ]);
}
