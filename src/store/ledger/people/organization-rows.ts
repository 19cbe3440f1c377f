/** Organizations and keys as their rows, alone or joined. */

import type { By } from "#domain/account/audit.ts";
import type { ApiKey, KeyHolder, KeyWithEnvelope, NewKey } from "#domain/account/key.ts";
import { ORGANIZATION_STATUSES, type Organization, TIERS } from "#domain/account/organization.ts";
import type { Statements, Transaction } from "#store/ledger/engine/engine.ts";
import {
  first,
  integer,
  integerOrNull,
  mapping,
  oneOf,
  type Row,
  raw,
  text,
  textOrNull,
  truth,
} from "#store/ledger/engine/rows.ts";

const ORGANIZATION = mapping<Organization>({
  id: text,
  ownerId: text,
  tier: (row, column) => oneOf(row, column, TIERS),
  status: (row, column) => oneOf(row, column, ORGANIZATION_STATUSES),
  billingCustomerId: textOrNull,
  billingSubscriptionId: textOrNull,
  pastDueSince: integerOrNull,
  attribution: textOrNull,
  marketingConsent: truth,
  createdAt: integer,
});
const KEY = mapping<ApiKey>({
  id: text,
  organizationId: text,
  prefix: text,
  createdAt: integer,
  lastUsedAt: integerOrNull,
  revokeAt: integerOrNull,
  revokedAt: integerOrNull,
});

export const ORGANIZATION_COLUMNS = raw(ORGANIZATION.columns.join(", "));
export const organizationOf = ORGANIZATION.of;
export const KEY_COLUMNS = raw([...KEY.columns, "envelope"].join(", "));
export const keyOf = KEY.of;
const organizationOfKey = ORGANIZATION.under("organization_");

/** A condition on api_keys goes behind it. */
export const SELECT_HOLDER = raw(`
  SELECT ${KEY.select("api_keys")}, ${ORGANIZATION.select("organizations", "organization_")},
    identities.suspended_at AS owner_suspended_at
  FROM api_keys
  JOIN organizations ON organizations.id = api_keys.organization_id
  JOIN identities ON identities.id = organizations.owner_id`);

export function holderOf(row: Row): KeyHolder {
  return {
    key: keyOf(row),
    organization: organizationOfKey(row),
    ownerSuspendedAt: integerOrNull(row, "owner_suspended_at"),
  };
}

export async function findOrganization(
  on: Statements,
  column: "id" | "owner_id" | "billing_customer_id",
  value: string,
  lock = raw(""),
): Promise<Organization | null> {
  const found = await on.rows`
    SELECT ${ORGANIZATION_COLUMNS} FROM organizations WHERE ${raw(column)} = ${value}${lock}`;
  return first(found, organizationOf);
}

/** Newest first. */
export async function keysOf(on: Statements, organizationId: string): Promise<readonly KeyWithEnvelope[]> {
  const rows = await on.rows`
    SELECT ${KEY_COLUMNS} FROM api_keys WHERE organization_id = ${organizationId} ORDER BY created_at DESC, id DESC`;
  return rows.map(keyWithEnvelopeOf);
}

export function keyWithEnvelopeOf(row: Row): KeyWithEnvelope {
  return { ...keyOf(row), envelope: text(row, "envelope") };
}

/** Within a transaction that holds the organization's lock. */
export async function insertKey(
  transaction: Transaction,
  organizationId: string,
  { id, prefix, lookup, envelope }: NewKey,
  by: By,
): Promise<KeyWithEnvelope> {
  await transaction.run`
    INSERT INTO api_keys (id, organization_id, prefix, lookup, envelope, created_at)
    VALUES (${id}, ${organizationId}, ${prefix}, ${lookup}, ${envelope}, ${by.at})`;
  const none = { lastUsedAt: null, revokeAt: null, revokedAt: null };
  return { id, organizationId, prefix, envelope, createdAt: by.at, ...none };
}
