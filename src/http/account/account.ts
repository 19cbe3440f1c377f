/** POST /v1/account/provision, GET /v1/account, GET /v1/account/usage/daily, DELETE /v1/account */

import { closeAccount } from "#accounts/account/close.ts";
import { profile } from "#accounts/account/profile.ts";
import { provision, type SignUpFacts } from "#accounts/account/provision.ts";
import {
  DEFAULT_USAGE_DAYS,
  LEAST_USAGE_DAYS,
  MOST_USAGE_DAYS,
  usageDaily,
} from "#accounts/account/usage-daily.ts";
import { ProvisionRequest } from "#contract/account/provision.ts";
import { Failure } from "#domain/faults/errors.ts";
import { readOptionalJson } from "#http/request/body.ts";
import { queryOf } from "#http/request/query.ts";
import type { Route } from "#http/request/route.ts";
import { type AccountRoutesDeps, accountRoute, readNothing, shaped } from "./route.ts";

export function accountRoutes(deps: AccountRoutesDeps): Route[] {
  return [
    accountRoute(deps, "POST", "/v1/account/provision", {
      read: signUpFacts,
      answer: (account, caller, facts) =>
        provision(account, caller.identity.id, facts, caller.by(account.clock.now())),
    }),
    accountRoute(deps, "GET", "/v1/account", {
      read: readNothing,
      answer: (account, { identity }) => profile(account, identity),
    }),
    accountRoute(deps, "GET", "/v1/account/usage/daily", {
      read: usageDays,
      answer: (account, { identity }, days) => usageDaily(account, identity.id, days),
    }),
    accountRoute(deps, "DELETE", "/v1/account", {
      read: readNothing,
      answer: (account, caller) => closeAccount(account, caller.identity.id, caller.by(account.clock.now())),
    }),
  ];
}

async function signUpFacts(request: Request): Promise<SignUpFacts> {
  const sent = await readOptionalJson(request);
  // A body may be left out; one that says null is of the wrong shape.
  const body = shaped(ProvisionRequest, sent === undefined ? {} : sent);
  return {
    attribution: body.signup_attribution ?? null,
    marketingConsent: body.marketing_consent ?? false,
  };
}

function usageDays(request: Request): number {
  const text = queryOf(request)("days");
  if (text === undefined) return DEFAULT_USAGE_DAYS;
  const days = /^\d{1,2}$/.test(text) ? Number(text) : 0;
  if (days >= LEAST_USAGE_DAYS && days <= MOST_USAGE_DAYS) return days;
  const message = `a whole number from ${LEAST_USAGE_DAYS} to ${MOST_USAGE_DAYS}`;
  throw new Failure("validation_error", {
    wording: `days must be ${message}`,
    members: { errors: [{ path: "days", message }] },
  });
}
