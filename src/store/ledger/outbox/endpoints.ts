/** Webhook endpoints of organizations in the ledger; every change with its audit entry, in one transaction. */

import type { AuditDetail, AuditNote, By } from "#domain/account/audit.ts";
import type { ChosenType, WebhookEndpoint } from "#domain/webhook/endpoint.ts";
import type { NewEndpoint, WebhookEndpoints } from "#ports/webhooks.ts";
import type { LedgerParts, Transaction } from "#store/ledger/engine/engine.ts";
import { assignments, first, integer, type Row, text } from "#store/ledger/engine/rows.ts";
import { record } from "#store/ledger/people/audit.ts";
import { findOrganization } from "#store/ledger/people/organization-rows.ts";
import { lockCommitOrder } from "./queue.ts";
import { ENDPOINT_COLUMNS, endpointOf, endpointWithSecretOf } from "./rows.ts";

export function webhookEndpoints(parts: LedgerParts): WebhookEndpoints {
  const { engine } = parts;
  return {
    add: (id, organizationId, wanted, most, by) =>
      engine.write((transaction) => addEndpoint(parts, transaction, id, organizationId, wanted, most, by)),
    list: async (organizationId) => {
      const rows = await engine.read.rows(
        `SELECT ${ENDPOINT_COLUMNS} FROM webhook_endpoints WHERE organization_id = $1 ORDER BY created_at, id`,
        organizationId,
      );
      return rows.map((row) => endpointOf(row));
    },
    find: async (id) => {
      const sql = `SELECT ${ENDPOINT_COLUMNS} FROM webhook_endpoints WHERE id = $1`;
      return first(await engine.read.rows(sql, id), endpointWithSecretOf);
    },
    change: (id, organizationId, patch, by) =>
      engine.write((transaction) => changeEndpoint(parts, transaction, id, organizationId, patch, by)),
    remove: (id, organizationId, by) =>
      engine.write(async (transaction) => {
        await lockCommitOrder(transaction);
        const row = await findOwn(transaction, id, organizationId);
        if (row === undefined) return false;
        const dropped = await transaction.run(
          `UPDATE webhook_deliveries
           SET state = 'dropped', reason = 'endpoint_deleted', due_at = NULL, worker = NULL, token = NULL, changed_at = $1
           WHERE endpoint_id = $2 AND state = 'pending'`,
          by.at,
          id,
        );
        await transaction.run("DELETE FROM webhook_endpoints WHERE id = $1", id);
        await note(parts, transaction, endpointOf(row), "webhook_endpoint.deleted", { dropped }, by);
        return true;
      }),
    envelopes: async (after, limit) => {
      const rows = await engine.read.rows(
        `SELECT ${ENDPOINT_COLUMNS} FROM webhook_endpoints WHERE id > $1 ORDER BY id LIMIT $2`,
        after ?? "",
        limit,
      );
      return rows.map((row) => endpointWithSecretOf(row));
    },
    rewrap: (id, from, to, by) =>
      engine.write(async (transaction) => {
        const [row] = await transaction.rows(
          `UPDATE webhook_endpoints SET secret = $1 WHERE id = $2 AND secret = $3 RETURNING ${ENDPOINT_COLUMNS}`,
          to,
          id,
          from,
        );
        if (row === undefined) return false;
        await note(parts, transaction, endpointOf(row), "webhook_endpoint.rewrapped", {}, by);
        return true;
      }),
  };
}

/** Within a transaction; repeating one that was added adds nothing. */
async function addEndpoint(
  parts: LedgerParts,
  transaction: Transaction,
  id: string,
  organizationId: string,
  { url, description, events, secret }: NewEndpoint,
  most: number,
  by: By,
): ReturnType<WebhookEndpoints["add"]> {
  // A transaction that adds to the same organization waits here for this one.
  const organization = await findOrganization(transaction, "id", organizationId, transaction.forUpdate);
  if (organization === null) return null;
  const known = await findOwn(transaction, id, organizationId);
  if (known !== undefined) return endpointOf(known);
  const [present] = await transaction.rows(
    "SELECT count(*) AS n FROM webhook_endpoints WHERE organization_id = $1",
    organizationId,
  );
  if (integer(present as Row, "n") >= most) return "full";
  const [row] = await transaction.rows(
    `INSERT INTO webhook_endpoints (${ENDPOINT_COLUMNS}, claimed_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8, 0) RETURNING ${ENDPOINT_COLUMNS}`,
    id,
    organizationId,
    url,
    description,
    wants(events, "official.published"),
    wants(events, "official.corrected"),
    secret,
    by.at,
  );
  const made = endpointOf(row as Row);
  await note(parts, transaction, made, "webhook_endpoint.created", { events: made.events }, by);
  return made;
}

/** Within a transaction; a patch that changes nothing writes no audit entry. */
async function changeEndpoint(
  parts: LedgerParts,
  transaction: Transaction,
  id: string,
  organizationId: string,
  { url, description, events, secret }: Parameters<WebhookEndpoints["change"]>[2],
  by: By,
): ReturnType<WebhookEndpoints["change"]> {
  const row = await findOwn(transaction, id, organizationId);
  if (row === undefined) return null;
  const columns = {
    url: "url",
    description: "description",
    wantsPublished: "wants_published",
    wantsCorrected: "wants_corrected",
    secret: "secret",
    secretAt: "secret_at",
  };
  const present = {
    url: text(row, "url"),
    description: text(row, "description"),
    wantsPublished: integer(row, "wants_published"),
    wantsCorrected: integer(row, "wants_corrected"),
    secret: text(row, "secret"),
    secretAt: integer(row, "secret_at"),
  };
  const isRotated = secret !== undefined && secret !== present.secret;
  const wanted: Partial<typeof present> = {
    ...(url === undefined ? {} : { url }),
    ...(description === undefined ? {} : { description }),
    ...(events !== undefined && {
      wantsPublished: wants(events, "official.published"),
      wantsCorrected: wants(events, "official.corrected"),
    }),
    ...(isRotated ? { secret, secretAt: by.at } : {}),
  };
  const assigned = assignments<Partial<typeof present>>(present, wanted, columns);
  if (assigned === null) return endpointOf(row);
  const [changed] = await transaction.rows(
    `UPDATE webhook_endpoints SET ${assigned.sql} WHERE id = $1 RETURNING ${ENDPOINT_COLUMNS}`,
    id,
    ...assigned.params,
  );
  const made = endpointOf(changed as Row);
  const detail = { changed: assigned.members, events: made.events };
  await note(parts, transaction, made, "webhook_endpoint.changed", detail, by);
  return made;
}

function wants(events: readonly ChosenType[], type: ChosenType): 0 | 1 {
  return events.includes(type) ? 1 : 0;
}

/** Locked for the rest of the transaction. */
async function findOwn(
  transaction: Transaction,
  id: string,
  organizationId: string,
): Promise<Row | undefined> {
  const [row] = await transaction.rows(
    `SELECT ${ENDPOINT_COLUMNS} FROM webhook_endpoints WHERE id = $1 AND organization_id = $2${transaction.forUpdate}`,
    id,
    organizationId,
  );
  return row;
}

/** Of the address the host alone: receivers put secrets into paths and queries. */
async function note(
  parts: LedgerParts,
  transaction: Transaction,
  { id, organizationId, url }: WebhookEndpoint,
  action: AuditNote["action"],
  detail: AuditDetail,
  by: By,
): Promise<void> {
  const subject = `organization:${organizationId}`;
  const host = URL.parse(url)?.host ?? null;
  await record(parts, transaction, by, { action, subject, detail: { endpoint: id, host, ...detail } });
}
