/** People, organizations, keys and audit entries as operators see them: without hashes or ciphertext. */

import { formatInstant, type Instant } from "#domain/time/day.ts";
import type { Identity } from "./identity.ts";
import { type ApiKey, keyState } from "./key.ts";
import type { AuditEntry } from "./ledger.ts";
import { type Organization, tierInForce } from "./organization.ts";

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
  const { id, ownerId, tier, status, pastDueSince, createdAt } = organization;
  return {
    id,
    owner: ownerId,
    tier,
    tier_in_force: tierInForce(organization, now),
    status,
    past_due_since: at(pastDueSince),
    billing_customer: organization.billingCustomerId,
    billing_subscription: organization.billingSubscriptionId,
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
