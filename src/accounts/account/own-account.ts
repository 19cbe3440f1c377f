/** What owners see of their account: GET /v1/account, plan, usage by day, the keys without their text. Also POST /v1/consent. */

import type { AccountDeps } from "#accounts/deps.ts";
import { attempt } from "#accounts/identity/deps.ts";
import { readableKey } from "#accounts/keys/keys.ts";
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
import { type Day, dayAt, type Instant } from "#domain/time/day.ts";

/**
 * The account with its key's text and what is used of the month. Everything but the address is null before provisioning; the key
 * also once all keys are revoked. Failure `service_unavailable`.
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

/** Calls that count against the quota: a batch of N counts N, and those of an organization deleted this month still count. */
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
  deps: AccountDeps,
  ownerId: string,
  days: number,
): Promise<readonly UsageDay[]> {
  const today = dayAt(deps.clock.now());
  const first = today - days + 1;
  const counts = await withLedger(() => countsOf(deps, ownerId, first, today));
  return Array.from({ length: days }, (_, nth) => {
    const day = first + nth;
    return { day, ...(counts.get(day) ?? NOTHING) };
  });
}

type Count = Pick<UsageDay, "served" | "rateLimited" | "quotaExceeded">;

const NOTHING: Count = { served: 0, rateLimited: 0, quotaExceeded: 0 };

async function countsOf(
  { ledger, pendingUsage }: AccountDeps,
  ownerId: string,
  first: Day,
  last: Day,
): Promise<ReadonlyMap<Day, Count>> {
  const counts = new Map<Day, Count>();
  const organization = await ledger.organizations.byOwner(ownerId);
  if (organization === null) return counts;
  const written = await ledger.usage.days(organization.id, first, last);
  for (const { day, ...count } of [...written, ...pendingUsage(organization.id)]) {
    const sum = counts.get(day) ?? NOTHING;
    counts.set(day, {
      served: sum.served + count.served,
      rateLimited: sum.rateLimited + count.rateLimited,
      quotaExceeded: sum.quotaExceeded + count.quotaExceeded,
    });
  }
  return counts;
}

/** The first acceptance counts. Failure `rate_limited`, `service_unavailable`. */
export async function acceptPolicy(
  { ledger, attempts, clock }: Pick<AccountDeps, "ledger" | "attempts" | "clock">,
  identityId: string,
  version: string,
  by: By,
): Promise<Consent> {
  await attempt(attempts, clock.now(), [{ limit: "consent of", key: identityId }]);
  return await withLedger(() => ledger.consents.accept(identityId, version, by));
}

/** What a person has accepted, newest first. Failure `service_unavailable`. */
export async function acceptedPolicies(
  { ledger }: Pick<AccountDeps, "ledger">,
  identityId: string,
): Promise<readonly Consent[]> {
  return await withLedger(() => ledger.consents.list(identityId));
}

type KeyFacts = Pick<ApiKey, "prefix" | "createdAt" | "lastUsedAt">;

interface OwnKeys {
  readonly current: KeyFacts | null;
  /** Replaced, and still good until `endsAt`. */
  readonly inGrace: readonly (KeyFacts & { readonly endsAt: Instant })[];
  readonly ended: readonly (KeyFacts & { readonly endedAt: Instant })[];
}

const MOST_ENDED = 5;

/** Null before provisioning. Failure `service_unavailable`. */
export async function ownKeys(
  { ledger, clock }: Pick<AccountDeps, "ledger" | "clock">,
  ownerId: string,
): Promise<OwnKeys | null> {
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

function factsOf({ prefix, createdAt, lastUsedAt }: ApiKey): KeyFacts {
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
    /** The tier with the limits of now; `bought` was bought or given. */
    tier: tierInForce(organization, clock.now()),
    bought: tier,
    status,
    /** While a payment is missing: since when, and until when the bought tier holds all the same. */
    missing: since === null ? null : { since, graceEndsAt: since + PAST_DUE_GRACE_MILLISECONDS },
    hasSubscription: billingSubscriptionId !== null && status !== "canceled",
    /** Plans are sold on this installation. */
    isSold: billing.kind !== "none",
    plans,
  };
}
