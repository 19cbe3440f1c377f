/** An owner's view of the account: GET /v1/account, plan, usage by day, keys without their text. Also POST /v1/consent. */

import { attempt } from "#accounts/identity/deps.ts";
import { type AccountDeps, readableKey } from "#accounts/keys/keys.ts";
import type { Consent, Identity } from "#domain/account/identity.ts";
import { type ApiKey, currentKey, keyState } from "#domain/account/key.ts";
import { type By, withLedger } from "#domain/account/ledger.ts";
import {
  type Organization,
  PAST_DUE_GRACE_MILLISECONDS,
  tierInForce,
  type UsageDay,
} from "#domain/account/organization.ts";
import { monthAt } from "#domain/limits/counts.ts";
import { dayAt, type Instant } from "#domain/time/day.ts";

/**
 * The account with its key's text and this month's usage. Before provisioning all but `email` is null; `key` is also null once all
 * keys are revoked. Failure `service_unavailable`.
 */
export async function profile(deps: AccountDeps, { id, email }: Pick<Identity, "id" | "email">) {
  const now = deps.clock.now();
  const organization = await withLedger(() => deps.ledger.organizations.byOwner(id));
  if (organization === null) return { email, organization: null, key: null, usage: null };
  const [keys, usage] = await withLedger(() =>
    Promise.all([deps.ledger.keys.list(organization.id), usageOf(deps, organization, now)]),
  );
  const key = currentKey(keys);
  return {
    email,
    organization: {
      id: organization.id,
      tier: tierInForce(organization, now),
      status: organization.status,
    },
    key: key === null ? null : await readableKey(deps, key),
    usage,
  };
}

/** Calls that count against the quota. A batch of N counts N. Calls of an organization deleted this month still count. */
async function usageOf(deps: AccountDeps, organization: Organization, now: Instant) {
  const { start, end } = monthAt(now);
  return {
    calls: await deps.monthUsed(organization.ownerId, dayAt(start)),
    limit: deps.plans[tierInForce(organization, now)].month,
    resetsOn: dayAt(end),
  };
}

export type MonthlyUsage = Awaited<ReturnType<typeof usageOf>>;

export const MOST_USAGE_DAYS = 90;
export const DEFAULT_USAGE_DAYS = 30;

/**
 * The last `days` days (1 to 90) in UTC, today included, oldest first, zeros for days without calls. Calls that are not written
 * yet are included. Failure `service_unavailable`.
 */
export async function usageDaily(
  { ledger, usageDays, clock }: AccountDeps,
  ownerId: string,
  days: number,
): Promise<readonly UsageDay[]> {
  const today = dayAt(clock.now());
  const first = today - days + 1;
  const counts = await withLedger(async () => {
    const organization = await ledger.organizations.byOwner(ownerId);
    return organization === null ? [] : await usageDays(organization.id, first, today);
  });
  return Array.from({ length: days }, (_, nth) => {
    const ofDay = counts.filter(({ day }) => day === first + nth);
    const sum = (name: "served" | "rateLimited" | "quotaExceeded") =>
      ofDay.reduce((total, count) => total + count[name], 0);
    const quotaExceeded = sum("quotaExceeded");
    return { day: first + nth, served: sum("served"), rateLimited: sum("rateLimited"), quotaExceeded };
  });
}

/** Keeps the first acceptance of a version. Failures `rate_limited`, `service_unavailable`. */
export async function acceptPolicy(
  { ledger, attempts, clock }: Pick<AccountDeps, "ledger" | "attempts" | "clock">,
  identityId: string,
  version: string,
  by: By,
): Promise<Consent> {
  attempt(attempts, clock.now(), [{ limit: "consent of", key: identityId }]);
  return await withLedger(() => ledger.consents.accept(identityId, version, by));
}

/** A person's consents, newest first. Failure `service_unavailable`. */
export async function acceptedPolicies(
  { ledger }: Pick<AccountDeps, "ledger">,
  identityId: string,
): Promise<readonly Consent[]> {
  return await withLedger(() => ledger.consents.list(identityId));
}

const MOST_ENDED = 5;

/**
 * Null before provisioning. Keys in grace were replaced, and are good until `endsAt`. Failure `service_unavailable`.
 */
export async function ownKeys({ ledger, clock }: Pick<AccountDeps, "ledger" | "clock">, ownerId: string) {
  const keys = await withLedger(async () => {
    const organization = await ledger.organizations.byOwner(ownerId);
    return organization === null ? null : await ledger.keys.list(organization.id);
  });
  if (keys === null) return null;
  const now = clock.now();
  const current = currentKey(keys);
  return {
    current: current && factsOf(current),
    inGrace: keys.flatMap((key) =>
      keyState(key, now) === "grace" && key.revokeAt !== null
        ? [{ ...factsOf(key), endsAt: key.revokeAt }]
        : [],
    ),
    ended: keys
      .filter((key) => keyState(key, now) === "revoked")
      .map((key) => ({ ...factsOf(key), endedAt: key.revokedAt ?? key.revokeAt ?? now }))
      .sort((a, b) => b.endedAt - a.endedAt)
      .slice(0, MOST_ENDED),
  };
}

function factsOf({ prefix, createdAt, lastUsedAt }: ApiKey) {
  return { prefix, createdAt, lastUsedAt };
}

export type OwnPlan = NonNullable<Awaited<ReturnType<typeof ownPlan>>>;

/** Null before provisioning. Failure `service_unavailable`. */
export async function ownPlan(
  { ledger, billing, plans, clock }: Pick<AccountDeps, "ledger" | "billing" | "plans" | "clock">,
  ownerId: string,
) {
  const organization = await withLedger(() => ledger.organizations.byOwner(ownerId));
  if (organization === null) return null;
  const { tier, status, pastDueSince: since, billingSubscriptionId } = organization;
  return {
    /** The tier in force now; `bought` is the tier that was bought or given. */
    tier: tierInForce(organization, clock.now()),
    bought: tier,
    status,
    /** Since when a payment is missing, and when the bought tier's grace ends; null when nothing is due. */
    missing: since === null ? null : { since, graceEndsAt: since + PAST_DUE_GRACE_MILLISECONDS },
    hasSubscription: billingSubscriptionId !== null && status !== "canceled",
    /** Whether this installation sells plans. */
    isSold: billing.kind !== "none",
    plans,
  };
}
