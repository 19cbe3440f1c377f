/** POST /v1/account/provision, GET and DELETE /v1/account, GET /v1/account/usage/daily, POST /v1/keys/rotate, DELETE /v1/keys, POST /v1/consent. */

import { closeAccount } from "#accounts/account/close.ts";
import {
  acceptPolicy,
  DEFAULT_USAGE_DAYS,
  MOST_USAGE_DAYS,
  profile,
  usageDaily,
} from "#accounts/account/own-account.ts";
import { provision, type SignUpFacts } from "#accounts/account/provision.ts";
import { revokeKeys, rotateKey } from "#accounts/keys/replace-keys.ts";
import { readJson, readOptionalJson } from "#api/request/body.ts";
import type { Route } from "#api/request/route.ts";
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
import { shaped } from "#contract/issues.ts";
import { type AccountRoutesDeps, personalRoutes, readNothing, wholeNumber } from "./route.ts";

export function accountRoutes(deps: AccountRoutesDeps): Route[] {
  const route = personalRoutes(deps, deps.account);
  return [
    route("POST", "/v1/account/provision", {
      read: signUpFacts,
      answer: async (account, { ownerId, query, by }) =>
        currentKeyBody(await provision(account, ownerId, query, by)),
    }),
    route("GET", "/v1/account", {
      read: readNothing,
      answer: async (account, { identity }) => accountBody(await profile(account, identity)),
    }),
    route("GET", "/v1/account/usage/daily", {
      read: wholeNumber("days", MOST_USAGE_DAYS, DEFAULT_USAGE_DAYS),
      answer: async (account, { ownerId, query }) =>
        dailyUsageBody(await usageDaily(account, ownerId, query)),
    }),
    route("DELETE", "/v1/account", {
      read: readNothing,
      answer: async (account, { ownerId, by }) => closedAccountBody(await closeAccount(account, ownerId, by)),
    }),
    route("POST", "/v1/keys/rotate", {
      read: readNothing,
      answer: async (account, { ownerId, by }) => currentKeyBody(await rotateKey(account, ownerId, by)),
    }),
    route("DELETE", "/v1/keys", {
      read: readNothing,
      answer: async (account, { ownerId, by }) => revokedKeysBody(await revokeKeys(account, ownerId, by)),
    }),
    route("POST", "/v1/consent", {
      read: async (request) => shaped(ConsentRequest, await readJson(request)).policy_version,
      answer: async (account, { ownerId, query, by }) =>
        consentBody(await acceptPolicy(account, ownerId, query, by)),
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
