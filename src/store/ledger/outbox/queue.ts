/** An event and its deliveries as rows, for whoever holds the lock on the order of commits. */

import type { Instant } from "#domain/time/day.ts";
import type { Delivery, WebhookEvent } from "#domain/webhook/endpoint.ts";
import { lockCommitOrder, moveCommitOrder } from "#store/ledger/engine/commit-order.ts";
import type { Transaction } from "#store/ledger/engine/engine.ts";
import { integer, type Param, type Row } from "#store/ledger/engine/rows.ts";
import { deliveryOf, SELECT_DELIVERIES } from "./rows.ts";

/** The contract's body has a few hundred letters. */
const MOST_BODY_LETTERS = 65_536;

/** An event for one endpoint alone, due at once; the one that is queued already when it is repeated. */
export async function publishTest(
  transaction: Transaction,
  event: WebhookEvent,
  endpointId: string,
  at: Instant,
): Promise<Delivery | null> {
  const position = (await lockCommitOrder(transaction)) + 1;
  const endpoints = await transaction.rows("SELECT id FROM webhook_endpoints WHERE id = $1", endpointId);
  if (endpoints.length === 0) return null;
  const known = await transaction.rows(
    "SELECT position FROM webhook_events WHERE endpoint_id = $1 AND id = $2",
    endpointId,
    event.id,
  );
  if (known.length === 0) {
    await insertEvent(transaction, position, event, { table: null, endpointId });
    await moveCommitOrder(transaction, position);
    await queue(transaction, position, at, "endpoint.id = $4", endpointId);
  }
  const [row] = await transaction.rows(
    `${SELECT_DELIVERIES} WHERE delivery.endpoint_id = $1 AND delivery.event_position = $2`,
    endpointId,
    known.length === 0 ? position : integer(known[0] as Row, "position"),
  );
  return row === undefined ? null : deliveryOf(row);
}

/** Of a table or for one endpoint. Throws RangeError for a body larger than any event has. */
export async function insertEvent(
  transaction: Transaction,
  position: number,
  { id, type, createdAt, body }: WebhookEvent,
  { table, endpointId }: { readonly table: string | null; readonly endpointId: string | null },
): Promise<void> {
  if (body.length > MOST_BODY_LETTERS) throw new RangeError(`${id} has a body of ${body.length} letters`);
  await transaction.run(
    `INSERT INTO webhook_events (position, id, type, table_id, endpoint_id, created_at, body)
     VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    position,
    id,
    type,
    table,
    endpointId,
    createdAt,
    body,
  );
}

/** One delivery for each endpoint of the condition, whose placeholder is $4. */
export async function queue(
  transaction: Transaction,
  position: number,
  at: Instant,
  condition: string,
  param: Param,
): Promise<void> {
  await transaction.run(
    `INSERT INTO webhook_deliveries
       (id, organization_id, endpoint_id, event_position, state, attempts, due_at, changed_at)
     SELECT $1 || replace(endpoint.id, 'whe_', ''), endpoint.organization_id, endpoint.id, CAST($2 AS BIGINT), 'pending', 0,
       CAST($3 AS BIGINT), CAST($3 AS BIGINT)
     FROM webhook_endpoints AS endpoint WHERE ${condition}`,
    `whd_${position}_`,
    position,
    at,
    param,
  );
}
