/** GET /v1/currencies */

import type { Route } from "#api/request/route.ts";
import type { Reply } from "#api/response/reply.ts";
import { currenciesBody } from "#contract/rates/currencies.ts";
import { currencies } from "#rates/currencies.ts";
import type { RatesDeps } from "#rates/query.ts";

export function currenciesRoutes(deps: RatesDeps, reply: Reply): Route[] {
  return [
    {
      method: "GET",
      isMetered: true,
      path: "/v1/currencies",
      handle: (request) =>
        reply(request, { maxAgeSeconds: 3600, turnsWith: "spot" }, () => ({
          earliest: null,
          answer: () => currenciesBody(currencies(deps)),
        })),
    },
  ];
}
