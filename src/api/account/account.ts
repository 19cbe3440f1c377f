/** GET /v1/account and DELETE /v1/account: the organization with its key and usage, and its end. */

import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { closeAccount } from "#accounts/account/close.ts";
import { profile } from "#accounts/account/own-account.ts";
import * as form from "#api/forms.ts";
import * as field from "#api/model.ts";
import { words } from "#api/words.ts";
import { ORGANIZATION_STATUSES, TIERS } from "#domain/account/organization.ts";
import type { ClosedAccount, OwnAccount } from "#domain/account/own-account.ts";
import { formatDay } from "#domain/time/day.ts";
import {
  ACCOUNT_ERRORS,
  type AccountRoutesDeps,
  EXAMPLE_KEY,
  EXAMPLE_ORG,
  KeySummaryModel,
  orgId,
  ownerOf,
  PERSONAL,
  printKey,
} from "./model.ts";

const EXAMPLE = {
  result: "success",
  email: "ada@example.com",
  org: { id: EXAMPLE_ORG, tier: "basic", status: "active" },
  key: {
    prefix: EXAMPLE_KEY.slice(0, 12),
    plaintext: EXAMPLE_KEY,
    created_at: "2026-04-02T09:15:00Z",
    last_used_at: "2026-04-13T16:29:00Z",
  },
  usage: { calls_this_month: 1234, limit: 100_000, resets_on: "2026-05-01" },
} as const;

const Org = form.named("AccountOrg", "The organization.", {
  id: orgId,
  tier: form.oneOf<string>(
    TIERS,
    "The plan whose limits hold now. It is `free` once a paid one is overdue or over.",
  ),
  status: form.oneOf<string>(
    ORGANIZATION_STATUSES,
    "`active`; `past_due` while a payment is missing (the plan is kept for 7 days); `canceled` once a paid plan has ended; `suspended` by the operator: keys do not work.",
  ),
});

const Usage = form.named("AccountUsage", "What is used of the month.", {
  calls_this_month: form.count(
    "Calls that count against the limit since the 1st, UTC: a batch counts one a pair.",
    1234,
  ),
  limit: form.count("Calls that the plan allows in a calendar month.", 100_000),
  resets_on: form.day("The 1st of the next month: the count begins anew at 00:00 UTC.", "2026-05-01"),
});

export const AccountResponse = form.named("AccountResponse", "The caller's account.", {
  result: field.result,
  email: form.textOrNull("E-mail address of the person; null where it is not known.", "ada@example.com"),
  org: Type.Union([Org, Type.Null()], {
    description: "The organization; null before provisioning.",
    examples: [EXAMPLE.org],
  }),
  key: Type.Union([KeySummaryModel, Type.Null()], {
    description: "The current key, in full; null before provisioning and after revoking.",
    examples: [EXAMPLE.key],
  }),
  usage: Type.Union([Usage, Type.Null()], {
    description: "What is used of the month; null before provisioning.",
    examples: [EXAMPLE.usage],
  }),
});

export function accountBody({ email, organization, key, usage }: OwnAccount): Static<typeof AccountResponse> {
  return {
    result: "success",
    email,
    org: organization,
    key: key === null ? null : printKey(key),
    usage:
      usage === null
        ? null
        : { calls_this_month: usage.calls, limit: usage.limit, resets_on: formatDay(usage.resetsOn) },
  };
}

const AccountDeletedResponse = form.named("AccountDeletedResponse", "What was deleted.", {
  result: field.result,
  deleted: form.flag("True when this call deleted the organization; false when there was none.", true),
  org_id: form.textOrNull("Id of the organization that was deleted; null when there was none.", EXAMPLE_ORG),
  subscription_cancelled: form.flag(
    "Whether there was a subscription; it is over then, at once and without refund.",
    true,
  ),
});

export function closedAccountBody(closed: ClosedAccount): Static<typeof AccountDeletedResponse> {
  const { organizationId, subscriptionCancelled } = closed;
  return {
    result: "success",
    deleted: organizationId !== null,
    org_id: organizationId,
    subscription_cancelled: subscriptionCancelled,
  };
}

export const account = ({ house, account }: AccountRoutesDeps) =>
  new Elysia({ name: "account" })
    .use(ownerOf(house, account))
    .get(
      "/v1/account",
      async ({ accounts, person }) => accountBody(await profile(accounts, person.identity)),
      {
        session: true,
        detail: words({
          ...PERSONAL,
          id: "getAccount",
          summary: "The account, its key and its usage",
          description:
            "Shows the organization, the current key in full, and what is used of the month's calls.",
          ok: { description: "The account.", schema: AccountResponse, example: EXAMPLE },
          errors: ACCOUNT_ERRORS,
        }),
      },
    )
    .delete(
      "/v1/account",
      async ({ accounts, ownerId, by }) => closedAccountBody(await closeAccount(accounts, ownerId, by)),
      {
        session: true,
        parse: "none",
        detail: words({
          ...PERSONAL,
          id: "deleteAccount",
          summary: "Delete the account",
          description:
            "Cancels the subscription at once where there is one, then deletes, in one transaction, daily usage, monthly usage, keys, webhook deliveries, webhook endpoints and the organization, and ends all sessions. The identity stays: it can sign in and provision again, and goes on with what it has used of the running windows and of the month. When the subscription cannot be cancelled nothing is deleted. Repeating it is safe.",
          ok: {
            description: "It is gone.",
            schema: AccountDeletedResponse,
            example: { result: "success", deleted: true, org_id: EXAMPLE_ORG, subscription_cancelled: true },
          },
          errors: [...ACCOUNT_ERRORS, "billing_cancellation_failed"],
        }),
      },
    );
