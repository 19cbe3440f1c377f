/** An event and its deliveries as rows, in the order of commits: its positions are given under one lock, held until the commit, so that no later commit fills a gap. */

import type { Instant } from "#domain/time/day.ts";
import type { Delivery, WebhookEvent } from "#domain/webhook/endpoint.ts";
import type { Transaction } from "#store/ledger/engine/engine.ts";
import { chunksOf, first, integer, joined, type Row, type Sql, sql } from "#store/ledger/engine/rows.ts";
import { deliveryOf, SELECT_DELIVERIES } from "./rows.ts";

/**
 * The last place given, locked for the rest of the transaction. A sequence would not do on Postgres: it gives 1 and 2 to
 * two transactions of which the second may commit first, and a reader that has read up to 2 by then never sees 1. Here the
 * second waits for the first, whose commit is visible before its lock is let go. On SQLite one writer has it all anyway.
 *
 * It is the first lock of every transaction that takes it: those that publish, and those that take an endpoint away, which
 * therefore never leave a delivery to an endpoint that is gone. Those that take an organization away need it not: its row
 * is referred to, and a publisher that meets them begins anew.
 */
export async function lockCommitOrder(transaction: Transaction): Promise<number> {
  const [row] =
    await transaction.rows`SELECT position FROM commit_order WHERE id = 1${transaction.forUpdate}`;
  return integer(row as Row, "position");
}

/** By the transaction that holds the lock: up to here places are given. */
export async function moveCommitOrder(transaction: Transaction, position: number): Promise<void> {
  await transaction.run`UPDATE commit_order SET position = ${position} WHERE id = 1`;
}

/** The contract's body has a few hundred characters. */
const MOST_BODY_CHARACTERS = 65_536;

/** An event for one endpoint alone, due at once; the one that is queued already when it is repeated. */
export async function publishTest(
  transaction: Transaction,
  event: WebhookEvent,
  endpointId: string,
  at: Instant,
): Promise<Delivery | null> {
  const position = (await lockCommitOrder(transaction)) + 1;
  const endpoints = await transaction.rows`SELECT id FROM webhook_endpoints WHERE id = ${endpointId}`;
  if (endpoints.length === 0) return null;
  const known = await transaction.rows`
    SELECT position FROM webhook_events WHERE endpoint_id = ${endpointId} AND id = ${event.id}`;
  if (known.length === 0) {
    await insertEvents(transaction, [{ position, event, table: null, endpointId }]);
    await moveCommitOrder(transaction, position);
    await queue(transaction, position, at, sql`endpoint.id = ${endpointId}`);
  }
  const queued = known.length === 0 ? position : integer(known[0] as Row, "position");
  const found = await transaction.rows`
    ${SELECT_DELIVERIES} WHERE delivery.endpoint_id = ${endpointId} AND delivery.event_position = ${queued}`;
  return first(found, deliveryOf);
}

export interface PlacedEvent {
  readonly position: number;
  readonly event: WebhookEvent;
  /** Of a table or for one endpoint. */
  readonly table: string | null;
  readonly endpointId: string | null;
}

/** Throws RangeError for a body larger than any event has. */
export async function insertEvents(transaction: Transaction, events: readonly PlacedEvent[]): Promise<void> {
  for (const some of chunksOf(events)) {
    const rows = some.map(({ position, event: { id, type, createdAt, body }, table, endpointId }) => {
      if (body.length > MOST_BODY_CHARACTERS)
        throw new RangeError(`${id} has a body of ${body.length} characters`);
      return sql`(${position}, ${id}, ${type}, ${table}, ${endpointId}, ${createdAt}, ${body})`;
    });
    await transaction.run`
      INSERT INTO webhook_events (position, id, type, table_id, endpoint_id, created_at, body)
      VALUES ${joined(rows)}`;
  }
}

/** One delivery for each endpoint that the condition is true of; the row of an endpoint is called `endpoint`. */
export async function queue(
  transaction: Transaction,
  position: number,
  at: Instant,
  condition: Sql,
): Promise<void> {
  await transaction.run`
    INSERT INTO webhook_deliveries
      (id, organization_id, endpoint_id, event_position, state, attempts, due_at, changed_at)
    SELECT ${`whd_${position}_`} || replace(endpoint.id, 'whe_', ''), endpoint.organization_id, endpoint.id,
      CAST(${position} AS BIGINT), 'pending', 0, CAST(${at} AS BIGINT), CAST(${at} AS BIGINT)
    FROM webhook_endpoints AS endpoint WHERE ${condition}`;
}
