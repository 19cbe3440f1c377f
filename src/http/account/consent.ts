/** POST /v1/consent */

import { acceptPolicy } from "#accounts/identity/consent.ts";
import { ConsentRequest } from "#contract/account/consent.ts";
import { readJson } from "#http/request/body.ts";
import type { Route } from "#http/request/route.ts";
import { type AccountRoutesDeps, accountRoute, shaped } from "./route.ts";

export function consentRoutes(deps: AccountRoutesDeps): Route[] {
  return [
    accountRoute(deps, "POST", "/v1/consent", {
      read: async (request) => shaped(ConsentRequest, await readJson(request)).policy_version,
      answer: (account, caller, version) =>
        acceptPolicy(account, caller.identity.id, version, caller.by(account.clock.now())),
    }),
  ];
}
