/** Bodies of the account endpoints, printed from domain values. The compiler checks each against its response schema. */

import type { Static } from "@sinclair/typebox";
import type {
  ClosedAccount,
  CurrentKey,
  OwnAccount,
  ReadableKey,
  RevokedKeys,
} from "#domain/account/own-account.ts";
import type { UsageDay } from "#domain/account/usage-day.ts";
import { formatDay, formatInstant, type Instant } from "#domain/time/day.ts";
import type { AccountDeletedResponse, AccountResponse } from "./account.ts";
import type { CheckoutResponse } from "./checkout.ts";
import type { BillingEventResponse } from "./checkout-events.ts";
import type { ConsentResponse } from "./consent.ts";
import type { ApiKeyCreatedResponse, KeySummaryModel } from "./fields.ts";
import type { KeysRevokedResponse } from "./keys.ts";
import type { DailyUsageResponse } from "./usage.ts";

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

export function currentKeyBody({
  created,
  organizationId,
  key,
}: CurrentKey): Static<typeof ApiKeyCreatedResponse> {
  return {
    result: "success",
    created,
    org_id: organizationId,
    plaintext: key.plaintext,
    key: printKey(key),
  };
}

export function revokedKeysBody({ revokedAt, prefix }: RevokedKeys): Static<typeof KeysRevokedResponse> {
  return { result: "success", revoked: revokedAt !== null, revoked_at: instantOrNull(revokedAt), prefix };
}

export function closedAccountBody({
  organizationId,
  subscriptionCancelled,
}: ClosedAccount): Static<typeof AccountDeletedResponse> {
  return {
    result: "success",
    deleted: organizationId !== null,
    org_id: organizationId,
    subscription_cancelled: subscriptionCancelled,
  };
}

export function dailyUsageBody(days: readonly UsageDay[]): Static<typeof DailyUsageResponse> {
  const rows = days.map(({ day, served, rateLimited }) => ({
    date: formatDay(day),
    served,
    rate_limited: rateLimited,
  }));
  return { result: "success", days: days.length, rows };
}

export function consentBody(consent: {
  readonly policyVersion: string;
  readonly acceptedAt: Instant;
}): Static<typeof ConsentResponse> {
  const { policyVersion, acceptedAt } = consent;
  return { result: "success", policy_version: policyVersion, accepted_at: formatInstant(acceptedAt) };
}

export function checkoutBody(page: {
  readonly action: Static<typeof CheckoutResponse>["action"];
  readonly url: string;
  readonly expiresAt: Instant | null;
}): Static<typeof CheckoutResponse> {
  const { action, url, expiresAt } = page;
  return { result: "success", action, url, expires_at: instantOrNull(expiresAt) };
}

export function billingEventBody(
  outcome: Static<typeof BillingEventResponse>["outcome"],
): Static<typeof BillingEventResponse> {
  return { result: "success", outcome };
}

function printKey({ prefix, plaintext, createdAt, lastUsedAt }: ReadableKey): Static<typeof KeySummaryModel> {
  return {
    prefix,
    plaintext,
    created_at: formatInstant(createdAt),
    last_used_at: instantOrNull(lastUsedAt),
  };
}

function instantOrNull(at: Instant | null): string | null {
  return at === null ? null : formatInstant(at);
}
