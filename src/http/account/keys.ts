/** POST /v1/keys/rotate and DELETE /v1/keys */

import { revokeKeys } from "#accounts/keys/revoke-key.ts";
import { rotateKey } from "#accounts/keys/rotate-key.ts";
import type { Route } from "#http/request/route.ts";
import { type AccountRoutesDeps, accountRoute, readNothing } from "./route.ts";

export function keysRoutes(deps: AccountRoutesDeps): Route[] {
  return [
    accountRoute(deps, "POST", "/v1/keys/rotate", {
      read: readNothing,
      answer: (account, caller) => rotateKey(account, caller.identity.id, caller.by(account.clock.now())),
    }),
    accountRoute(deps, "DELETE", "/v1/keys", {
      read: readNothing,
      answer: (account, caller) => revokeKeys(account, caller.identity.id, caller.by(account.clock.now())),
    }),
  ];
}
