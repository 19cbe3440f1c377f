/** Webhook endpoints of organizations in the ledger. Every change writes its audit entry in the same transaction. */

import type { AuditDetail, AuditNote, By } from "#domain/account/ledger.ts";
import { CHOSEN_TYPES, type ChosenType, type WebhookEndpoint } from "#domain/webhook/endpoint.ts";
import type { EndpointWithSecret, WebhookEndpoints } from "#ports/webhooks.ts";
import { findOrganization } from "#store/ledger/accounts/organizations.ts";
import { type Audited, all, first, type LedgerParts, type Transaction } from "#store/ledger/engine/engine.ts";
import { assignments, insertion, integer, type Row } from "#store/ledger/engine/rows.ts";
import { lockCommitOrder } from "./publish.ts";
import { ENDPOINT_COLUMNS, endpointOf, endpointWithSecretOf } from "./rows.ts";

export function webhookEndpoints({ engine }: LedgerParts): WebhookEndpoints {
  return {
    // A repeated id adds nothing.
    add: (id, organizationId, fields, most, by) =>
      engine.write(async (transaction) => {
        // A transaction that adds to the same organization waits here for this one.
        const organization = await findOrganization(transaction, "id", organizationId, transaction.forUpdate);
        if (organization === null) return null;
        const earlier = await findOwn(transaction, id, organizationId);
        if (earlier !== undefined) return endpointOf(earlier);
        const [present] = await transaction.rows`
          SELECT count(*) AS n FROM webhook_endpoints WHERE organization_id = ${organizationId}`;
        if (integer(present as Row, "n") >= most) return "full";
        const added = { ...fields, id, organizationId, events: inOrder(fields.events), isEnabled: true };
        const times = { createdAt: by.at, secretAt: by.at, claimedAt: 0 };
        const [row] = await transaction.rows`
          ${insertion("webhook_endpoints", { ...added, ...times })} RETURNING ${ENDPOINT_COLUMNS}`;
        const made = endpointOf(row as Row);
        await note(transaction, made, "webhook_endpoint.created", { events: made.events }, by);
        return made;
      }),
    list: (organizationId) => all(engine.read, endpointOf)`
      SELECT ${ENDPOINT_COLUMNS} FROM webhook_endpoints WHERE organization_id = ${organizationId} ORDER BY created_at, id`,
    find: (id) => first(engine.read, endpointWithSecretOf)`
      SELECT ${ENDPOINT_COLUMNS} FROM webhook_endpoints WHERE id = ${id}`,
    // A patch that changes nothing writes no audit entry.
    change: (id, organizationId, changes, by) =>
      engine.write(async (transaction) => {
        const row = await findOwn(transaction, id, organizationId);
        if (row === undefined) return null;
        const present = endpointWithSecretOf(row);
        const { events, secret } = changes;
        const patch: Partial<EndpointWithSecret> = {
          ...changes,
          ...(events !== undefined && { events: inOrder(events) }),
          ...(secret !== undefined && secret !== present.secret && { secretAt: by.at }),
        };
        const assigned = assignments(present, patch, CHANGEABLE);
        if (assigned === null) return endpointOf(row);
        const [changed] = await transaction.rows`
          UPDATE webhook_endpoints SET ${assigned.set} WHERE id = ${id} RETURNING ${ENDPOINT_COLUMNS}`;
        const made = endpointOf(changed as Row);
        const detail = { changed: assigned.members, events: made.events };
        await note(transaction, made, "webhook_endpoint.changed", detail, by);
        return made;
      }),
    remove: (id, organizationId, by) =>
      engine.write(async (transaction) => {
        await lockCommitOrder(transaction);
        const row = await findOwn(transaction, id, organizationId);
        if (row === undefined) return false;
        const dropped = await transaction.run`
          UPDATE webhook_deliveries
          SET state = 'dropped', reason = 'endpoint_deleted', due_at = NULL, worker = NULL, token = NULL, changed_at = ${by.at}
          WHERE endpoint_id = ${id} AND state = 'pending'`;
        await transaction.run`DELETE FROM webhook_endpoints WHERE id = ${id}`;
        await note(transaction, endpointOf(row), "webhook_endpoint.deleted", { dropped }, by);
        return true;
      }),
    envelopes: (after, limit) => all(engine.read, endpointWithSecretOf)`
      SELECT ${ENDPOINT_COLUMNS} FROM webhook_endpoints WHERE id > ${after ?? ""} ORDER BY id LIMIT ${limit}`,
    rewrap: (id, from, to, by) =>
      engine.write(async (transaction) => {
        const [row] = await transaction.rows`
          UPDATE webhook_endpoints SET secret = ${to} WHERE id = ${id} AND secret = ${from} RETURNING ${ENDPOINT_COLUMNS}`;
        if (row === undefined) return false;
        await note(transaction, endpointOf(row), "webhook_endpoint.rewrapped", {}, by);
        return true;
      }),
  };
}

const CHANGEABLE = ["url", "description", "events", "isEnabled", "secret", "secretAt"] as const;

function inOrder(events: readonly ChosenType[]): readonly ChosenType[] {
  return CHOSEN_TYPES.filter((type) => events.includes(type));
}

async function findOwn(
  transaction: Transaction,
  id: string,
  organizationId: string,
): Promise<Row | undefined> {
  const [row] = await transaction.rows`
    SELECT ${ENDPOINT_COLUMNS} FROM webhook_endpoints
    WHERE id = ${id} AND organization_id = ${organizationId}${transaction.forUpdate}`;
  return row;
}

/** Records only the host of the address: receivers put secrets into paths and queries. */
async function note(
  transaction: Audited,
  { id, organizationId, url }: WebhookEndpoint,
  action: AuditNote["action"],
  detail: AuditDetail,
  by: By,
): Promise<void> {
  const host = URL.parse(url)?.host ?? null;
  await transaction.record(by, action, `organization:${organizationId}`, { endpoint: id, host, ...detail });
}
