/** An account as its owner sees it, and people, organizations, keys and audit entries as operators see them: without hashes or ciphertext. */

import { type Day, formatInstant, type Instant } from "#domain/time/day.ts";
import type { Identity } from "./identity.ts";
import { type ApiKey, keyState } from "./key.ts";
import type { AuditEntry } from "./ledger.ts";
import { type Organization, type OrganizationStatus, type Tier, tierInForce } from "./organization.ts";

/** A key with its text, which is null when its envelope does not open. */
export interface ReadableKey extends Pick<ApiKey, "prefix" | "createdAt" | "lastUsedAt"> {
  readonly plaintext: string | null;
}

/** The key that is current after the call; `created`: this call issued it. */
export interface CurrentKey {
  readonly created: boolean;
  readonly organizationId: string;
  readonly key: ReadableKey;
}

/** Keys that were revoked: `revokedAt` and `prefix` are of the newest; null where there has never been a key. */
export interface RevokedKeys {
  readonly revokedAt: Instant | null;
  readonly prefix: string | null;
}

/** Everything but the address is null before provisioning; `key` also once all keys are revoked. */
export interface OwnAccount {
  readonly email: string | null;
  /** `tier` is the one with the limits of now. */
  readonly organization: {
    readonly id: string;
    readonly tier: Tier;
    readonly status: OrganizationStatus;
  } | null;
  readonly key: ReadableKey | null;
  readonly usage: MonthlyUsage | null;
}

export interface MonthlyUsage {
  readonly calls: number;
  readonly limit: number;
  /** First day of the next month. */
  readonly resetsOn: Day;
}

/** `organizationId`: the organization that this call deleted, null where there was none. */
export interface ClosedAccount {
  readonly organizationId: string | null;
  readonly subscriptionCancelled: boolean;
}

const at = (instant: Instant | null) => (instant === null ? null : formatInstant(instant));

export function identityFacts(identity: Identity) {
  const { id, email, role, emailVerifiedAt, iss, passwordHash, createdAt, suspendedAt } = identity;
  return {
    id,
    email,
    role,
    created_at: at(createdAt),
    email_verified_at: at(emailVerifiedAt),
    suspended_at: at(suspendedAt),
    signs_in_with: iss ?? (passwordHash === null ? null : "password"),
  };
}

export function organizationFacts(organization: Organization, now: Instant) {
  const { id, ownerId, tier, status, pastDueSince, billingCustomerId, createdAt } = organization;
  return {
    id,
    owner: ownerId,
    tier,
    tier_in_force: tierInForce(organization, now),
    status,
    past_due_since: at(pastDueSince),
    billing_customer: billingCustomerId,
    created_at: at(createdAt),
  };
}

export function keyFacts(key: ApiKey, now: Instant) {
  const { id, organizationId, prefix, createdAt, lastUsedAt, revokeAt, revokedAt } = key;
  return {
    id,
    prefix,
    state: keyState(key, now),
    created_at: at(createdAt),
    last_used_at: at(lastUsedAt),
    ends_at: at(revokedAt ?? revokeAt),
    organization: organizationId,
  };
}

export function auditFacts({ id, at: when, actor, action, subject, detail }: AuditEntry) {
  return { at: formatInstant(when), actor, action, subject, detail, id };
}
