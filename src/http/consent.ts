/** POST /v1/consent */

import { acceptPolicy } from "#accounts/consent.ts";
import { type AccountRoutesDeps, accountRoute, shaped } from "./account-route.ts";
import { readJson } from "./body.ts";
import { ConsentRequest } from "./model/consent.ts";
import type { Route } from "./route.ts";

export function consentRoutes(deps: AccountRoutesDeps): Route[] {
  return [
    accountRoute(deps, "POST", "/v1/consent", {
      read: async (request) => shaped(ConsentRequest, await readJson(request)).policy_version,
      answer: (account, caller, version) =>
        acceptPolicy(account, caller.identity.id, version, caller.by(account.clock.now())),
    }),
  ];
}
