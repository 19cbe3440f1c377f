/** GET /v1/account, the contract's AccountResponse, and DELETE /v1/account. */

import { Type } from "@sinclair/typebox";
import * as field from "#contract/fields.ts";
import { BY_SESSION, type Operation } from "#contract/operation.ts";
import { ORGANIZATION_STATUSES, TIERS } from "#domain/account/organization.ts";
import { ACCOUNT_ERRORS, EXAMPLE_KEY, EXAMPLE_ORG, KeySummaryModel, orgId } from "./fields.ts";

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

const Org = Type.Object(
  {
    id: orgId,
    tier: Type.Unsafe<string>({
      type: "string",
      enum: [...TIERS],
      description: "The plan whose limits hold now. It is `free` once a paid one is overdue or over.",
    }),
    status: Type.Unsafe<string>({
      type: "string",
      enum: [...ORGANIZATION_STATUSES],
      description:
        "`active`; `past_due` while a payment is missing (the plan is kept for 7 days); `canceled` once a paid plan has ended; `suspended` by the operator: keys do not work.",
    }),
  },
  { $id: "AccountOrg", additionalProperties: false, description: "The organization." },
);

const Usage = Type.Object(
  {
    calls_this_month: Type.Integer({
      minimum: 0,
      description: "Calls that count against the limit since the 1st, UTC: a batch counts one a pair.",
      examples: [1234],
    }),
    limit: Type.Integer({
      minimum: 0,
      description: "Calls that the plan allows in a calendar month.",
      examples: [100_000],
    }),
    resets_on: field.day("The 1st of the next month: the count begins anew at 00:00 UTC.", "2026-05-01"),
  },
  { $id: "AccountUsage", additionalProperties: false, description: "What is used of the month." },
);

export const AccountResponse = Type.Object(
  {
    result: field.result,
    email: field.nullable<string>("string", {
      description: "E-mail address of the person; null where it is not known.",
      examples: ["ada@example.com"],
    }),
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
  },
  { $id: "AccountResponse", additionalProperties: false, description: "The caller's account." },
);

export const AccountDeletedResponse = Type.Object(
  {
    result: field.result,
    deleted: Type.Boolean({
      description: "True when this call deleted the organization; false when there was none.",
      examples: [true],
    }),
    org_id: field.nullable<string>("string", {
      description: "Id of the organization that was deleted; null when there was none.",
      examples: [EXAMPLE_ORG],
    }),
    subscription_cancelled: Type.Boolean({
      description: "Whether there was a subscription; it is over then, at once and without refund.",
      examples: [true],
    }),
  },
  { $id: "AccountDeletedResponse", additionalProperties: false, description: "What was deleted." },
);

export const ACCOUNT: readonly Operation[] = [
  {
    id: "getAccount",
    method: "get",
    path: "/v1/account",
    tag: "Account",
    summary: "The account, its key and its usage",
    description: "Shows the organization, the current key in full, and what is used of the month's calls.",
    parameters: [],
    security: BY_SESSION,
    ok: { description: "The account.", schema: AccountResponse, example: EXAMPLE, conditional: false },
    errors: ACCOUNT_ERRORS,
  },
  {
    id: "deleteAccount",
    method: "delete",
    path: "/v1/account",
    tag: "Account",
    summary: "Delete the account",
    description:
      "Cancels the subscription at once where there is one, then deletes, in one transaction, daily usage, monthly usage, keys, webhook deliveries, webhook endpoints and the organization, and ends all sessions. The identity stays: it can sign in and provision again, and goes on with what it has used of the running windows and of the month. When the subscription cannot be cancelled nothing is deleted. Repeating it is safe.",
    parameters: [],
    security: BY_SESSION,
    ok: {
      description: "It is gone.",
      schema: AccountDeletedResponse,
      example: { result: "success", deleted: true, org_id: EXAMPLE_ORG, subscription_cancelled: true },
      conditional: false,
    },
    errors: [...ACCOUNT_ERRORS, "billing_cancellation_failed"],
  },
];
