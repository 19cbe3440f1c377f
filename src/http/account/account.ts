/** POST /v1/account/provision, GET and DELETE /v1/account, GET /v1/account/usage/daily, POST /v1/keys/rotate, DELETE /v1/keys, POST /v1/consent. */

import { closeAccount } from "#accounts/account/close.ts";
import {
  acceptPolicy,
  DEFAULT_USAGE_DAYS,
  LEAST_USAGE_DAYS,
  MOST_USAGE_DAYS,
  profile,
  usageDaily,
} from "#accounts/account/own-account.ts";
import { provision, type SignUpFacts } from "#accounts/account/provision.ts";
import { revokeKeys, rotateKey } from "#accounts/keys/replace-keys.ts";
import {
  accountBody,
  closedAccountBody,
  consentBody,
  currentKeyBody,
  dailyUsageBody,
  revokedKeysBody,
} from "#contract/account/bodies.ts";
import { ConsentRequest } from "#contract/account/consent.ts";
import { ProvisionRequest } from "#contract/account/provision.ts";
import { Failure } from "#domain/faults/errors.ts";
import { readJson, readOptionalJson } from "#http/request/body.ts";
import { queryOf } from "#http/request/query.ts";
import type { Route } from "#http/request/route.ts";
import { type AccountRoutesDeps, accountRoute, readNothing, shaped } from "./route.ts";

export function accountRoutes(deps: AccountRoutesDeps): Route[] {
  return [
    accountRoute(deps, "POST", "/v1/account/provision", {
      read: signUpFacts,
      answer: async (account, caller, facts) =>
        currentKeyBody(await provision(account, caller.identity.id, facts, caller.by(account.clock.now()))),
    }),
    accountRoute(deps, "GET", "/v1/account", {
      read: readNothing,
      answer: async (account, { identity }) => accountBody(await profile(account, identity)),
    }),
    accountRoute(deps, "GET", "/v1/account/usage/daily", {
      read: usageDays,
      answer: async (account, { identity }, days) =>
        dailyUsageBody(await usageDaily(account, identity.id, days)),
    }),
    accountRoute(deps, "DELETE", "/v1/account", {
      read: readNothing,
      answer: async (account, caller) =>
        closedAccountBody(await closeAccount(account, caller.identity.id, caller.by(account.clock.now()))),
    }),
  ];
}

async function signUpFacts(request: Request): Promise<SignUpFacts> {
  const sent = await readOptionalJson(request);
  // A body may be left out; a body of null has the wrong shape.
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

export function keysRoutes(deps: AccountRoutesDeps): Route[] {
  return [
    accountRoute(deps, "POST", "/v1/keys/rotate", {
      read: readNothing,
      answer: async (account, caller) =>
        currentKeyBody(await rotateKey(account, caller.identity.id, caller.by(account.clock.now()))),
    }),
    accountRoute(deps, "DELETE", "/v1/keys", {
      read: readNothing,
      answer: async (account, caller) =>
        revokedKeysBody(await revokeKeys(account, caller.identity.id, caller.by(account.clock.now()))),
    }),
  ];
}

export function consentRoutes(deps: AccountRoutesDeps): Route[] {
  return [
    accountRoute(deps, "POST", "/v1/consent", {
      read: async (request) => shaped(ConsentRequest, await readJson(request)).policy_version,
      answer: async (account, caller, version) =>
        consentBody(await acceptPolicy(account, caller.identity.id, version, caller.by(account.clock.now()))),
    }),
  ];
}
