/** Keys: found by their keyed hash, rotated and revoked under a lock on their organization. */

import { type ApiKey, keyState, type NewKey, rotation } from "#domain/account/key.ts";
import type { AuditDetail, By } from "#domain/account/ledger.ts";
import type { Keys } from "#ports/ledger.ts";
import type { Audited, LedgerParts } from "#store/ledger/engine/engine.ts";
import { first, text } from "#store/ledger/engine/rows.ts";
import {
  findOrganization,
  holderOf,
  insertKey,
  KEY_COLUMNS,
  keyOf,
  keysOf,
  keyWithEnvelopeOf,
  SELECT_HOLDER,
} from "./organizations.ts";
import { markRowsUsed } from "./usage.ts";

export function keys({ engine }: LedgerParts): Keys {
  return {
    find: async (lookup) =>
      first(await engine.read.rows`${SELECT_HOLDER} WHERE api_keys.lookup = ${lookup}`, holderOf),
    list: (organizationId) => keysOf(engine.read, organizationId),
    byPrefix: async (prefix) => {
      const rows = await engine.read.rows`
        ${SELECT_HOLDER} WHERE api_keys.prefix = ${prefix} ORDER BY api_keys.id LIMIT 100`;
      return rows.map(holderOf);
    },
    rotate: (organizationId, made, by) =>
      engine.write((transaction) => rotate(transaction, organizationId, made, by)),
    revokeAll: (organizationId, by) =>
      engine.write(async (transaction) => {
        await findOrganization(transaction, "id", organizationId, transaction.forUpdate);
        const live = (await keysOf(transaction, organizationId)).filter(
          (key) => keyState(key, by.at) !== "revoked",
        );
        return await end(transaction, live, by);
      }),
    revoke: (id, by) =>
      engine.write(async (transaction) => {
        const [row] = await transaction.rows`
          SELECT ${KEY_COLUMNS} FROM api_keys WHERE id = ${id}${transaction.forUpdate}`;
        if (row === undefined || keyState(keyOf(row), by.at) === "revoked") return null;
        const [ended = null] = await end(transaction, [keyOf(row)], by);
        return ended;
      }),
    markUsed: (used) => markRowsUsed(engine, "api_keys", "last_used_at", used),
    envelopes: async (after, limit) => {
      const rows = await engine.read.rows`
        SELECT ${KEY_COLUMNS} FROM api_keys WHERE id > ${after ?? ""} ORDER BY id LIMIT ${limit}`;
      return rows.map(keyWithEnvelopeOf);
    },
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

async function rotate(
  transaction: Audited,
  organizationId: string,
  made: NewKey,
  by: By,
): ReturnType<Keys["rotate"]> {
  const organization = await findOrganization(transaction, "id", organizationId, transaction.forUpdate);
  if (organization === null) return null;
  const present = await keysOf(transaction, organizationId);
  const plan = rotation(present, by.at);
  const revoked = present.filter(({ id }) => plan.revoked.includes(id));
  const ended = await end(transaction, revoked, by);
  // Before the new one: the schema allows one current key at any moment.
  if (plan.replaced !== null) {
    const { id, revokeAt } = plan.replaced;
    await transaction.run`UPDATE api_keys SET revoke_at = ${revokeAt} WHERE id = ${id}`;
  }
  const key = await insertKey(transaction, organizationId, made, by);
  const before = present.find(({ id }) => id === plan.replaced?.id);
  const replaced =
    before === undefined ? null : { ...plain(before), revokeAt: plan.replaced?.revokeAt ?? null };
  const detail: AuditDetail = {
    key: key.id,
    prefix: key.prefix,
    replaced: replaced?.id ?? null,
    revokeAt: replaced?.revokeAt ?? null,
  };
  await transaction.record(by, "key.rotated", `organization:${organizationId}`, detail);
  return { key, replaced, ended };
}

async function end(transaction: Audited, live: readonly ApiKey[], by: By): Promise<readonly ApiKey[]> {
  for (const { id, prefix, organizationId } of live) {
    await transaction.run`UPDATE api_keys SET revoked_at = ${by.at} WHERE id = ${id} AND revoked_at IS NULL`;
    await transaction.record(by, "key.revoked", `organization:${organizationId}`, { key: id, prefix });
  }
  return live.map((key) => ({ ...plain(key), revokedAt: by.at }));
}

/** Without what else a row may carry: a ciphertext goes only where it is requested. */
function plain({ id, organizationId, prefix, createdAt, lastUsedAt, revokeAt, revokedAt }: ApiKey): ApiKey {
  return { id, organizationId, prefix, createdAt, lastUsedAt, revokeAt, revokedAt };
}
