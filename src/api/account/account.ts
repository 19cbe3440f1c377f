/** The signed-in person's own organization: /v1/account, /v1/account/provision, /v1/account/usage/daily, /v1/keys and /v1/consent. */

import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { closeAccount, provision, type SignUpFacts } from "#accounts/account/organization.ts";
import {
  acceptPolicy,
  DEFAULT_USAGE_DAYS,
  MOST_USAGE_DAYS,
  profile,
  usageDaily,
} from "#accounts/account/own-account.ts";
import type { Credentials, SessionCaller } from "#accounts/identity/sessions.ts";
import { type AccountDeps, revokeKeys, rotateKey } from "#accounts/keys/keys.ts";
import * as form from "#api/forms.ts";
import * as field from "#api/model.ts";
import { integer, query } from "#api/parameters.ts";
import type { House } from "#api/plugins/house.ts";
import { type OfAccounts, routesOf, session } from "#api/plugins/session.ts";
import { print, printer } from "#api/print.ts";
import { jsonBody, optionalJsonBody } from "#api/request/body.ts";
import type { Policy } from "#domain/account/identity.ts";
import { ORGANIZATION_STATUSES, TIERS, type UsageDay } from "#domain/account/organization.ts";

export interface AccountRouteDeps extends AccountDeps {
  readonly sessionCaller: (credentials: Credentials) => Promise<SessionCaller>;
  readonly policy: Policy | null;
}

/** The macros of `session`, for routes that identify a person with their own `sessionCaller`. */
export const ownerOf = <Accounts extends Pick<AccountRouteDeps, "sessionCaller" | "clock">>(
  house: House,
  accounts: Accounts | null,
) => session(house, accounts, ({ sessionCaller }, credentials) => sessionCaller(credentials));

/** In the documented form, but never issued: its check digits are wrong. */
const EXAMPLE_KEY = "fxk_Example0Example0Example0Example0000000";
const EXAMPLE_ORG = "org_5Vn0Ck2pQx8RtYb3LwEh";

const plaintext = form.textOrNull(
  "The whole key. Null when it cannot be decrypted on this server at present: it still works, and rotating gives one that can be shown.",
  EXAMPLE_KEY,
);

const KeySummaryModel = form.named("KeySummary", "An API key as its owner sees it.", {
  prefix: form.text("The first 12 characters of the key, to recognize it by.", EXAMPLE_KEY.slice(0, 12)),
  plaintext,
  created_at: form.instant("When the key was issued, UTC.", "2026-04-02T09:15:00Z"),
  last_used_at: form.instantOrNull("Last use, UTC, up to a minute behind, or null.", "2026-04-13T16:29:00Z"),
});

const orgId = form.text("Id of the organization.", EXAMPLE_ORG);

const Org = form.named("AccountOrg", "The organization.", {
  id: orgId,
  tier: form.oneOf<string>(
    TIERS,
    "The plan with the limits of now. It is `free` once a paid one is overdue or over.",
    "basic",
  ),
  status: form.oneOf<string>(
    ORGANIZATION_STATUSES,
    "`active`; `past_due` while a payment is missing (the plan is kept for 7 days); `canceled` once a paid plan has ended; `suspended` by the operator: keys do not work.",
  ),
});

const Usage = form.named("AccountUsage", "What is used of the month.", {
  calls_this_month: form.count("Counted calls since the 1st, UTC: a batch counts one a pair.", 1234),
  limit: form.count("Calls that the plan allows in a calendar month.", 100_000),
  resets_on: form.day("The 1st of the next month: the count begins again at 00:00 UTC.", "2026-05-01"),
});

export const AccountResponse = field.answer("AccountResponse", "The caller's account.", {
  email: form.textOrNull("E-mail address of the person; null where it is not known.", "ada@example.com"),
  org: form.orNull(Org, "The organization; null before provisioning."),
  key: form.orNull(KeySummaryModel, "The current key, in full; null before provisioning and after revoking."),
  usage: form.orNull(Usage, "What is used of the month; null before provisioning."),
});

const accountBody = ({ organization: org, usage, ...account }: Awaited<ReturnType<typeof profile>>) =>
  print(AccountResponse, { ...account, org, usage: usage && { ...usage, callsThisMonth: usage.calls } });

const AccountDeletedResponse = field.answer("AccountDeletedResponse", "What was deleted.", {
  deleted: form.flag("True when this call deleted the organization; false when there was none.", true),
  org_id: form.textOrNull("Id of the organization that was deleted; null when there was none.", EXAMPLE_ORG),
  subscription_cancelled: form.flag("Whether a subscription was ended, at once and without refund.", true),
});

const closedAccountBody = ({ organizationId: orgId, ...closed }: Awaited<ReturnType<typeof closeAccount>>) =>
  print(AccountDeletedResponse, { ...closed, orgId, deleted: orgId !== null });

const MOST_MEMBERS = 20;
const LONGEST_VALUE = 200;

/** Unlisted members are ignored. */
export const ProvisionRequest = Type.Object(
  form.optional({
    signup_attribution: Type.Record(
      // Printable ASCII.
      Type.String({ pattern: "^[ -~]{1,64}$" }),
      Type.String({ maxLength: LONGEST_VALUE }),
      {
        maxProperties: MOST_MEMBERS,
        additionalProperties: false,
        description: `Where the sign-up came from: at most ${MOST_MEMBERS} texts of at most ${LONGEST_VALUE} characters, by names of at most 64 in ASCII. Kept from the call that makes the organization.`,
        examples: [{ utm_source: "newsletter", referrer: "https://example.com/" }],
      },
    ),
    marketing_consent: Type.Boolean({
      default: false,
      description: "Whether news may be sent to the person. Kept from the first call.",
      examples: [false],
    }),
  }),
  { $id: "ProvisionRequest", description: "What a sign-up may say of itself. All of it is optional." },
);

function factsOf({ signup_attribution, marketing_consent }: Static<typeof ProvisionRequest>): SignUpFacts {
  return { attribution: signup_attribution ?? null, marketingConsent: marketing_consent ?? false };
}

const UsageDayModel = form.named("UsageDay", "What one day saw.", {
  date: form.day("The day, UTC.", "2026-04-13"),
  served: form.count("Requests that were answered. A batch is one.", 924),
  rate_limited: form.count("Requests that a limit of the plan refused with 429.", 0),
});

export const DailyUsageResponse = field.answer("DailyUsageResponse", "Requests of the last days, by day.", {
  days: Type.Integer({ minimum: 1, maximum: 90, description: "How many days are shown.", examples: [3] }),
  rows: Type.Array(UsageDayModel, {
    minItems: 1,
    maxItems: 90,
    description: "One row a day, oldest first, today last; days without a request are there with zeros.",
    examples: [
      [
        { date: "2026-04-11", served: 0, rate_limited: 0 },
        { date: "2026-04-12", served: 310, rate_limited: 2 },
        { date: "2026-04-13", served: 924, rate_limited: 0 },
      ],
    ],
  }),
});

const dailyUsageBody = (days: readonly UsageDay[]) =>
  print(DailyUsageResponse, { days: days.length, rows: days.map((day) => ({ ...day, date: day.day })) });

const days = integer({
  ...{ least: 1, most: MOST_USAGE_DAYS, fallback: DEFAULT_USAGE_DAYS, example: 3 },
  description: "How many days, today included.",
  refusal: "validation_error",
});

export const ApiKeyCreatedResponse = field.answer("ApiKeyCreatedResponse", "The current key, in full.", {
  created: form.flag("True when this call issued the key; false when it is only shown again.", true),
  org_id: orgId,
  plaintext,
  // The example is a key that this call issued.
  key: form.meaning(KeySummaryModel, "The key.", {
    prefix: EXAMPLE_KEY.slice(0, 12),
    plaintext: EXAMPLE_KEY,
    created_at: "2026-04-13T16:30:00Z",
    last_used_at: null,
  }),
});

const currentKeyBody = (current: Awaited<ReturnType<typeof rotateKey>>) =>
  print(ApiKeyCreatedResponse, {
    ...current,
    orgId: current.organizationId,
    plaintext: current.key.plaintext,
  });

export const KeysRevokedResponse = field.answer("KeysRevokedResponse", "The end of the keys.", {
  revoked: form.flag("True when no key works any more; false when there has never been one.", true),
  revoked_at: form.instantOrNull("When the newest key was revoked first, UTC.", "2026-04-13T16:30:00Z"),
  prefix: form.textOrNull("The first 12 characters of the newest key.", EXAMPLE_KEY.slice(0, 12)),
});

const revokedKeysBody = (keys: Awaited<ReturnType<typeof revokeKeys>>) =>
  print(KeysRevokedResponse, { ...keys, revoked: keys.revokedAt !== null });

const policyVersion = Type.String({
  // Printable ASCII.
  pattern: "^[ -~]{1,64}$",
  description: "Version of the policy as it names itself: 1 to 64 printable ASCII characters.",
  examples: ["2026-01"],
});

export const ConsentRequest = form.named("ConsentRequest", "What is accepted.", {
  policy_version: policyVersion,
});

const ConsentResponse = field.answer("ConsentResponse", "What was accepted, and when.", {
  policy_version: policyVersion,
  accepted_at: form.instant("When this version was accepted first, UTC.", "2026-04-13T16:30:00Z"),
});

const consentBody = printer(ConsentResponse);

const routes = routesOf("Account", "service_unavailable");

export const account = ({ house, account }: OfAccounts<"account", AccountRouteDeps>) =>
  new Elysia({ name: "account" })
    .use(ownerOf(house, account))
    .post(
      "/v1/account/provision",
      async ({ accounts, ownerId, by, body }) =>
        currentKeyBody(await provision(accounts, ownerId, factsOf(body), by)),
      routes.signedIn({
        ...optionalJsonBody(ProvisionRequest),
        id: "provisionAccount",
        summary: "Get the organization and its key",
        description:
          "Makes the caller's organization if it does not exist, and its first key if it has none that is current. When both exist nothing is made and the key is shown again: repeat it as you like.",
        ok: ApiKeyCreatedResponse,
        errors: ["rate_limited"],
      }),
    )
    .get(
      "/v1/account",
      async ({ accounts, person }) => accountBody(await profile(accounts, person.identity)),
      routes.signedIn({
        id: "getAccount",
        summary: "The account, its key and its usage",
        description: "The organization, the current key in full, and what is used of the month.",
        ok: AccountResponse,
      }),
    )
    .delete(
      "/v1/account",
      async ({ accounts, ownerId, by }) => closedAccountBody(await closeAccount(accounts, ownerId, by)),
      routes.signedIn({
        id: "deleteAccount",
        summary: "Delete the account",
        description:
          "Cancels the subscription at once where there is one, then deletes, in one transaction, daily usage, monthly usage, keys, webhook deliveries, webhook endpoints and the organization, and ends all sessions. The identity stays: it can sign in and provision again, and goes on with what it has used of the running windows and of the month. When the subscription cannot be cancelled nothing is deleted. Repeating it is safe.",
        ok: AccountDeletedResponse,
        errors: ["billing_cancellation_failed"],
      }),
    )
    .get(
      "/v1/account/usage/daily",
      async ({ accounts, ownerId, query: { days } }) =>
        dailyUsageBody(await usageDaily(accounts, ownerId, days)),
      routes.signedIn({
        query: query({ days }),
        id: "getDailyUsage",
        summary: "Usage a day",
        description: "Requests served and requests refused by a limit, for each of the last days in UTC.",
        ok: DailyUsageResponse,
      }),
    )
    .post(
      "/v1/keys/rotate",
      async ({ accounts, ownerId, by }) => currentKeyBody(await rotateKey(accounts, ownerId, by)),
      routes.signedIn({
        id: "rotateKey",
        summary: "Replace the key",
        description:
          "Issues a new key. The one before it works for exactly 24 hours more; one that an earlier rotation replaced ends at once: at most two work. Where no key works, a new one is issued all the same. Each call issues another key: if the answer was lost, do not repeat it but see `GET /v1/account` for the current one.",
        ok: ApiKeyCreatedResponse,
        errors: ["conflict", "rate_limited"],
      }),
    )
    .delete(
      "/v1/keys",
      async ({ accounts, ownerId, by }) => revokedKeysBody(await revokeKeys(accounts, ownerId, by)),
      routes.signedIn({
        id: "revokeKeys",
        summary: "Revoke the key",
        description:
          "Ends every key of the organization at once, one in its 24 hours after a rotation too; replicas follow within 5 seconds. Repeating it changes nothing. Provisioning or rotating issues a new key.",
        ok: KeysRevokedResponse,
      }),
    )
    .post(
      "/v1/consent",
      async ({ accounts, ownerId, by, body }) =>
        consentBody(await acceptPolicy(accounts, ownerId, body.policy_version, by)),
      routes.signedIn({
        ...jsonBody(ConsentRequest),
        id: "acceptPolicy",
        summary: "Accept a policy",
        description:
          "Records that the caller accepts a version of the policy. The first acceptance counts: repeating it returns its time. It outlives the deletion of the account.",
        ok: ConsentResponse,
        errors: ["rate_limited"],
      }),
    );
