/** POST /v1/account/checkout: called with an API key of the organization, or by a signed-in person. */

import { type CheckoutDeps, checkout, type Wanted } from "#accounts/billing/checkout.ts";
import type { Credentials, SessionCaller } from "#accounts/identity/session-caller.ts";
import type { KeyDirectory } from "#accounts/keys/authenticate.ts";
import { present } from "#api/plugins/session.ts";
import { readJson } from "#api/request/body.ts";
import { credentialsOf } from "#api/request/credentials.ts";
import type { Route } from "#api/request/route.ts";
import { respondJson } from "#api/response/json.ts";
import { checkoutBody } from "#contract/account/bodies.ts";
import { CheckoutRequest } from "#contract/account/checkout.ts";
import { shaped } from "#contract/issues.ts";
import { Failure } from "#domain/faults/errors.ts";
import type { Clock } from "#ports.ts";
import type { BillingEventsDeps } from "./billing-events.ts";

export interface BillingRouteDeps extends CheckoutDeps, BillingEventsDeps {
  readonly keys: Pick<KeyDirectory, "find">;
  readonly sessionCaller: (credentials: Credentials) => Promise<SessionCaller>;
}

export interface CheckoutRoutesDeps {
  /** Null where the installation is open: without accounts. */
  readonly billing: BillingRouteDeps | null;
  /** Who sends a request, as limits count callers. */
  readonly callerOf: (request: Request) => string;
  readonly clock: Clock;
  readonly simulated: boolean;
}

export function checkoutRoutes(deps: CheckoutRoutesDeps): Route[] {
  return [
    {
      method: "POST",
      path: "/v1/account/checkout",
      handle: async (request) => {
        const billing = present(deps.billing);
        const wanted = await wantedOf(request);
        const buyer = {
          ...(await buyerOf(billing, credentialsOf(request))),
          address: deps.callerOf(request),
        };
        return respondJson(request, deps, checkoutBody(await checkout(billing, buyer, wanted)));
      },
    },
  ];
}

async function wantedOf(request: Request): Promise<Wanted> {
  const { plan, interval = "monthly" } = shaped(CheckoutRequest, await readJson(request));
  return { plan, interval };
}

const API_KEY = /^Bearer +(fxk_\S*) *$/i;

/** Failures of KeyDirectory.find for a key, of sessionCaller for anything else. */
async function buyerOf({ keys, sessionCaller }: BillingRouteDeps, credentials: Credentials) {
  const { authorization, cookie } = credentials;
  const key = API_KEY.exec(authorization ?? "")?.[1];
  if (key !== undefined) return { holder: await keys.find(key) };
  if (authorization === null && cookie === null) {
    const wording =
      "send Authorization: Bearer with the API key of the organization that is to have the plan";
    throw new Failure("session_required", { wording });
  }
  return { caller: await sessionCaller(credentials) };
}
