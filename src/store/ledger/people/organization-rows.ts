/** Organizations and keys as their rows, alone or joined. */

import type { ApiKey, KeyHolder, KeyWithEnvelope } from "#domain/account/key.ts";
import { ORGANIZATION_STATUSES, type Organization, TIERS } from "#domain/account/organization.ts";
import type { Statements } from "#store/ledger/engine/engine.ts";
import { integer, integerOrNull, oneOf, type Row, text, textOrNull } from "#store/ledger/engine/rows.ts";

const ORGANIZATION_NAMES = [
  "owner_id",
  "tier",
  "status",
  "billing_customer_id",
  "billing_subscription_id",
  "past_due_since",
  "attribution",
  "marketing_consent",
  "created_at",
];
const KEY_NAMES = [
  "id",
  "organization_id",
  "prefix",
  "created_at",
  "last_used_at",
  "revoke_at",
  "revoked_at",
];

export const ORGANIZATION_COLUMNS = ["id", ...ORGANIZATION_NAMES].join(", ");
export const KEY_COLUMNS = [...KEY_NAMES, "envelope"].join(", ");

/** A condition on api_keys goes behind it. */
export const SELECT_HOLDER = `
  SELECT ${KEY_NAMES.map((name) => `api_keys.${name}`).join(", ")},
    ${ORGANIZATION_NAMES.map((name) => `organizations.${name} AS organization_${name}`).join(", ")},
    identities.suspended_at AS owner_suspended_at
  FROM api_keys
  JOIN organizations ON organizations.id = api_keys.organization_id
  JOIN identities ON identities.id = organizations.owner_id`;

export function holderOf(row: Row): KeyHolder {
  return {
    key: keyOf(row),
    organization: organizationOf(row, "organization_"),
    ownerSuspendedAt: integerOrNull(row, "owner_suspended_at"),
  };
}

export async function findOrganization(
  on: Statements,
  column: "id" | "owner_id" | "billing_customer_id",
  value: string,
  lock = "",
): Promise<Organization | null> {
  const [row] = await on.rows(
    `SELECT ${ORGANIZATION_COLUMNS} FROM organizations WHERE ${column} = $1${lock}`,
    value,
  );
  return row === undefined ? null : organizationOf(row);
}

/** Newest first. */
export async function keysOf(on: Statements, organizationId: string): Promise<readonly KeyWithEnvelope[]> {
  const rows = await on.rows(
    `SELECT ${KEY_COLUMNS} FROM api_keys WHERE organization_id = $1 ORDER BY created_at DESC, id DESC`,
    organizationId,
  );
  return rows.map(keyWithEnvelopeOf);
}

export function organizationOf(row: Row, prefix = ""): Organization {
  return {
    id: text(row, `${prefix}id`),
    ownerId: text(row, `${prefix}owner_id`),
    tier: oneOf(row, `${prefix}tier`, TIERS),
    status: oneOf(row, `${prefix}status`, ORGANIZATION_STATUSES),
    billingCustomerId: textOrNull(row, `${prefix}billing_customer_id`),
    billingSubscriptionId: textOrNull(row, `${prefix}billing_subscription_id`),
    pastDueSince: integerOrNull(row, `${prefix}past_due_since`),
    attribution: textOrNull(row, `${prefix}attribution`),
    marketingConsent: integer(row, `${prefix}marketing_consent`) !== 0,
    createdAt: integer(row, `${prefix}created_at`),
  };
}

export function keyWithEnvelopeOf(row: Row): KeyWithEnvelope {
  return { ...keyOf(row), envelope: text(row, "envelope") };
}

export function keyOf(row: Row): ApiKey {
  return {
    id: text(row, "id"),
    organizationId: text(row, "organization_id"),
    prefix: text(row, "prefix"),
    createdAt: integer(row, "created_at"),
    lastUsedAt: integerOrNull(row, "last_used_at"),
    revokeAt: integerOrNull(row, "revoke_at"),
    revokedAt: integerOrNull(row, "revoked_at"),
  };
}
