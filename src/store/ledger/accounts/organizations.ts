/**
 * Organizations and their keys. Racing requests make one organization; its removal takes all its rows in one transaction. Keys are
 * found by keyed hash, and rotated and revoked under a lock on their organization.
 */

import {
  type ApiKey,
  currentKey,
  type KeyHolder,
  type KeyWithEnvelope,
  mayWork,
  type NewKey,
  rotation,
} from "#domain/account/key.ts";
import type { By } from "#domain/account/ledger.ts";
import {
  monthOf,
  ORGANIZATION_STATUSES,
  type Organization,
  type OrganizationPatch,
  TIERS,
} from "#domain/account/organization.ts";
import { dayAt } from "#domain/time/day.ts";
import type { Keys, Organizations } from "#ports/ledger.ts";
import {
  type Audited,
  all,
  first,
  type LedgerParts,
  type Reads,
  type Transaction,
} from "#store/ledger/engine/engine.ts";
import {
  among,
  assignments,
  insertion,
  integer,
  integerOrNull,
  mapping,
  type Row,
  raw,
  sql,
  text,
  textOrNull,
  truth,
} from "#store/ledger/engine/rows.ts";
import { endSessions, findIdentity } from "./identities.ts";
import { markRowsUsed } from "./usage.ts";

const ORGANIZATION = mapping<Organization>({
  id: text,
  ownerId: text,
  tier: among(TIERS),
  status: among(ORGANIZATION_STATUSES),
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

const KEY_COLUMNS = sql`${KEY.columns}, envelope`;
const organizationOfKey = ORGANIZATION.under("organization_");

/** Needs a condition on api_keys after it. */
const SELECT_HOLDER = raw(`
  SELECT ${KEY.select("api_keys")}, ${ORGANIZATION.select("organizations", "organization_")},
    identities.suspended_at AS owner_suspended_at
  FROM api_keys
  JOIN organizations ON organizations.id = api_keys.organization_id
  JOIN identities ON identities.id = organizations.owner_id`);

function holderOf(row: Row): KeyHolder {
  return {
    key: KEY.of(row),
    organization: organizationOfKey(row),
    ownerSuspendedAt: integerOrNull(row, "owner_suspended_at"),
  };
}

export async function findOrganization(
  on: Reads,
  column: "id" | "owner_id" | "billing_customer_id",
  value: string,
  lock = raw(""),
): Promise<Organization | null> {
  return first(on, ORGANIZATION.of)`
    SELECT ${ORGANIZATION.columns} FROM organizations WHERE ${raw(column)} = ${value}${lock}`;
}

/** Resolves with the newest key first. */
function keysOf(on: Reads, organizationId: string): Promise<readonly KeyWithEnvelope[]> {
  return all(on, keyWithEnvelopeOf)`
    SELECT ${KEY_COLUMNS} FROM api_keys WHERE organization_id = ${organizationId} ORDER BY created_at DESC, id DESC`;
}

function keyWithEnvelopeOf(row: Row): KeyWithEnvelope {
  return { ...KEY.of(row), envelope: text(row, "envelope") };
}

/** Of one organization: calls of its owner read all of its keys. The audit log has the others. */
const MOST_REVOKED = 100;

async function insertKey(
  transaction: Transaction,
  organizationId: string,
  { lookup, ...made }: NewKey,
  by: By,
): Promise<KeyWithEnvelope> {
  const never = { lastUsedAt: null, revokeAt: null, revokedAt: null };
  const key = { ...made, organizationId, createdAt: by.at, ...never };
  await transaction.run`${insertion("api_keys", { ...key, lookup })}`;
  await transaction.run`
    DELETE FROM api_keys WHERE id IN (
      SELECT id FROM api_keys WHERE organization_id = ${organizationId} AND revoked_at IS NOT NULL
      ORDER BY revoked_at DESC, created_at DESC LIMIT 1000 OFFSET ${MOST_REVOKED})`;
  return key;
}

/** Removed after daily and monthly usage, in the contract's order. Deliveries take their attempts with them. */
const OWNED_TABLES = ["api_keys", "webhook_deliveries", "webhook_endpoints"] as const;

export function organizations({ engine, newId }: LedgerParts): Organizations {
  return {
    provision: async (provision, by) => {
      const { ownerId, attribution, marketingConsent } = provision;
      for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
        const earlier = await findOrganization(engine.read, "owner_id", ownerId);
        const knownKey = earlier === null ? null : currentKey(await keysOf(engine.read, earlier.id));
        if (earlier !== null && knownKey !== null)
          return { created: false, organization: earlier, key: knownKey };
        const id = earlier?.id ?? newId("org_");
        // The key is bound to its organization's id and takes time to make: both are settled before the transaction.
        const made = await provision.makeKey(id);
        const provisioned = await engine.write(async (transaction) => {
          // Another provisioning for the same owner waits here for this one.
          if ((await findIdentity(transaction, ownerId, transaction.forUpdate)) === null) return null;
          const present = await findOrganization(transaction, "owner_id", ownerId, transaction.forUpdate);
          const key = present === null ? null : currentKey(await keysOf(transaction, present.id));
          if (present !== null && key !== null) return { created: false, organization: present, key };
          // An organization that was deleted meanwhile does not come back: its id may have counts that do not belong to a new one.
          if (present === null ? earlier !== null : present.id !== id) return "another_id";
          const wish = { ...NEW, id, ownerId, attribution, marketingConsent };
          const organization = present ?? { ...wish, createdAt: by.at };
          if (present === null) {
            await transaction.run`${insertion("organizations", organization)}`;
            const facts = { owner: ownerId, marketingConsent };
            await transaction.record(by, "organization.created", `organization:${id}`, facts);
          }
          const issued = await insertKey(transaction, id, made, by);
          const detail = { key: issued.id, prefix: issued.prefix };
          await transaction.record(by, "key.created", `organization:${id}`, detail);
          return { created: true, organization, key: issued };
        });
        if (provisioned !== "another_id") return provisioned;
      }
      throw new Error(`the organization of ${ownerId} comes and goes`);
    },
    byId: (id) => findOrganization(engine.read, "id", id),
    byOwner: (ownerId) => findOrganization(engine.read, "owner_id", ownerId),
    byBillingCustomer: (customerId) => findOrganization(engine.read, "billing_customer_id", customerId),
    change: (id, patch, by, from) =>
      engine.write((transaction) => changeOrganization(transaction, id, patch, by, from)),
    list: (after, limit) => all(engine.read, ORGANIZATION.of)`
      SELECT ${ORGANIZATION.columns} FROM organizations WHERE id > ${after ?? ""} ORDER BY id LIMIT ${limit}`,
    remove: (id, by) =>
      engine.write(async (transaction) => {
        const organization = await findOrganization(transaction, "id", id, transaction.forUpdate);
        if (organization === null) return { outcome: "gone" };
        if (organization.status === "suspended" && by.actor !== "operator") return { outcome: "suspended" };
        // Locks endpoints before their deliveries, as a claim does: one order of locks prevents deadlocks.
        await transaction.rows`
          SELECT id FROM webhook_endpoints WHERE organization_id = ${id} ORDER BY id${transaction.forUpdate}`;
        await endSessions(transaction, organization.ownerId, "all", by);
        // A test event belongs to one endpoint, perhaps to an endpoint that was removed before.
        await transaction.run`
          DELETE FROM webhook_events WHERE endpoint_id IN (
            SELECT endpoint_id FROM webhook_deliveries WHERE organization_id = ${id})`;
        await transaction.run`DELETE FROM usage_daily WHERE organization_id = ${id}`;
        // The running month still counts for the owner, however often an organization is deleted and made again.
        await transaction.run`
          DELETE FROM usage_monthly WHERE identity_id = ${organization.ownerId} AND month < ${monthOf(dayAt(by.at))}`;
        for (const table of OWNED_TABLES)
          await transaction.run`DELETE FROM ${raw(table)} WHERE organization_id = ${id}`;
        await transaction.run`DELETE FROM organizations WHERE id = ${id}`;
        await transaction.record(by, "organization.deleted", `organization:${id}`, {
          owner: organization.ownerId,
        });
        return { outcome: "removed" };
      }),
  };
}

const BILLED = ["tier", "status", "billingCustomerId", "billingSubscriptionId", "pastDueSince"] as const;
const PATCHED = [...BILLED, "marketingConsent"] as const;

/** Changes an organization within a transaction. See `Organizations`. */
export async function changeOrganization(
  transaction: Audited,
  id: string,
  patch: OrganizationPatch,
  by: By,
  from?: Organization,
): Promise<Organization | null> {
  const present = await findOrganization(transaction, "id", id, transaction.forUpdate);
  if (present === null) return null;
  if (from !== undefined && BILLED.some((member) => present[member] !== from[member])) return null;
  const change = assignments<OrganizationPatch>(present, patch, PATCHED);
  if (change === null) return present;
  await transaction.run`UPDATE organizations SET ${change.set} WHERE id = ${id}`;
  const before = { tierBefore: present.tier, statusBefore: present.status };
  const detail = { changed: change.members, ...patch, ...before };
  await transaction.record(by, "organization.changed", `organization:${id}`, detail);
  return { ...present, ...patch };
}

/** An organization may vanish or appear between the read and the lock, but not this often. */
const ATTEMPTS = 5;

const NEW = {
  tier: "free",
  status: "active",
  billingCustomerId: null,
  billingSubscriptionId: null,
  pastDueSince: null,
} as const;

export function keys({ engine }: LedgerParts): Keys {
  return {
    find: (lookup) => first(engine.read, holderOf)`${SELECT_HOLDER} WHERE api_keys.lookup = ${lookup}`,
    list: (organizationId) => keysOf(engine.read, organizationId),
    byPrefix: (prefix) => all(engine.read, holderOf)`
      ${SELECT_HOLDER} WHERE api_keys.prefix = ${prefix} ORDER BY api_keys.id LIMIT 100`,
    rotate: (organizationId, made, by, prefix = null) =>
      engine.write(async (transaction) => {
        const organization = await findOrganization(transaction, "id", organizationId, transaction.forUpdate);
        if (organization === null) return null;
        const keys = await keysOf(transaction, organizationId);
        if (prefix !== null && currentKey(keys)?.prefix !== prefix) return null;
        const { revoked, replaced } = rotation(keys, by.at);
        await end(transaction, revoked, by);
        // Before the new key is inserted: the schema allows one current key at any moment.
        if (replaced !== null)
          await transaction.run`UPDATE api_keys SET revoke_at = ${replaced.revokeAt} WHERE id = ${replaced.id}`;
        const key = await insertKey(transaction, organizationId, made, by);
        const { id = null, revokeAt = null } = replaced ?? {};
        const detail = { key: key.id, prefix: key.prefix, replaced: id, revokeAt };
        await transaction.record(by, "key.rotated", `organization:${organizationId}`, detail);
        return key;
      }),
    revokeAll: (organizationId, by) =>
      engine.write(async (transaction) => {
        await findOrganization(transaction, "id", organizationId, transaction.forUpdate);
        return await end(transaction, (await keysOf(transaction, organizationId)).filter(mayWork), by);
      }),
    revoke: (id, by) =>
      engine.write(async (transaction) => {
        const [row] = await transaction.rows`
          SELECT ${KEY_COLUMNS} FROM api_keys WHERE id = ${id}${transaction.forUpdate}`;
        if (row === undefined || !mayWork(KEY.of(row))) return null;
        const [ended = null] = await end(transaction, [KEY.of(row)], by);
        return ended;
      }),
    markUsed: (used) => markRowsUsed(engine, "api_keys", "last_used_at", used),
    envelopes: (after, limit) => all(engine.read, keyWithEnvelopeOf)`
      SELECT ${KEY_COLUMNS} FROM api_keys WHERE id > ${after ?? ""} ORDER BY id LIMIT ${limit}`,
    rewrap: (id, from, to, by) =>
      engine.write(async (transaction) => {
        const [row] = await transaction.rows`
          UPDATE api_keys SET envelope = ${to} WHERE id = ${id} AND envelope = ${from} RETURNING organization_id`;
        if (row === undefined) return false;
        const subject = `organization:${text(row, "organization_id")}`;
        await transaction.record(by, "key.rewrapped", subject, { key: id });
        return true;
      }),
  };
}

async function end(
  transaction: Audited,
  live: readonly (ApiKey & Partial<KeyWithEnvelope>)[],
  by: By,
): Promise<readonly ApiKey[]> {
  for (const { id, prefix, organizationId } of live) {
    await transaction.run`UPDATE api_keys SET revoked_at = ${by.at} WHERE id = ${id} AND revoked_at IS NULL`;
    await transaction.record(by, "key.revoked", `organization:${organizationId}`, { key: id, prefix });
  }
  // A ciphertext goes only where it is requested.
  return live.map(({ envelope: _, ...key }) => ({ ...key, revokedAt: by.at }));
}
