/** Webhook endpoints of organizations: added up to a limit, changed, and removed with what is still to be sent to them. */

import type { WebhookEndpoints } from "#ports/webhooks.ts";
import { lockCommitOrder } from "#store/ledger/engine/commit-order.ts";
import type { LedgerParts, Statements } from "#store/ledger/engine/engine.ts";
import type { Row } from "#store/ledger/engine/rows.ts";
import { addEndpoint, changeEndpoint, findOwn, note } from "./endpoint-changes.ts";
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
      const row = await find(engine.read, id);
      return row === undefined ? null : endpointWithSecretOf(row);
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

async function find(on: Statements, id: string): Promise<Row | undefined> {
  const [row] = await on.rows(`SELECT ${ENDPOINT_COLUMNS} FROM webhook_endpoints WHERE id = $1`, id);
  return row;
}
