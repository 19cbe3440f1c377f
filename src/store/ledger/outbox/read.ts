/** What was committed, in its order, and what became of sending it: nothing here changes anything. */

import type { WebhookEvent } from "#domain/webhook/endpoint.ts";
import type { CommittedEvent, Outbox } from "#ports/webhooks.ts";
import { padded } from "#store/ledger/engine/chunks.ts";
import type { Statements } from "#store/ledger/engine/engine.ts";
import { integer, type Param, placeholders, type Row, text } from "#store/ledger/engine/rows.ts";
import { attemptOf, deliveryOf, eventOf, SELECT_DELIVERIES } from "./rows.ts";

export async function changes(
  on: Statements,
  { after, since, tables, limit }: Parameters<Outbox["changes"]>[0],
): Promise<readonly CommittedEvent[]> {
  if (tables?.length === 0) return [];
  const params: Param[] = [after ?? 0, limit];
  const conditions = ["position > $1"];
  if (since !== null) conditions.push(`created_at >= $${params.push(since)}`);
  if (tables === null) {
    conditions.push("table_id IS NOT NULL");
  } else {
    const names = padded(tables);
    conditions.push(`table_id IN (${placeholders(names.length, params.length + 1)})`);
    params.push(...names);
  }
  const rows = await on.rows(
    `SELECT position, id, type, created_at, body FROM webhook_events
     WHERE ${conditions.join(" AND ")} ORDER BY position LIMIT $2`,
    ...params,
  );
  return rows.map((row) => ({ ...eventOf(row), position: integer(row, "position") }));
}

export async function deliveries(
  on: Statements,
  endpointId: string,
  organizationId: string,
  limit: number,
): ReturnType<Outbox["deliveries"]> {
  const rows = await on.rows(
    `${SELECT_DELIVERIES} WHERE delivery.endpoint_id = $1 AND delivery.organization_id = $2
     ORDER BY delivery.event_position DESC LIMIT $3`,
    endpointId,
    organizationId,
    limit,
  );
  const tries = await attemptsOf(
    on,
    rows.map((row) => text(row, "id")),
  );
  return rows.map((row) => {
    const event: WebhookEvent = eventOf(row, "event_");
    return { ...deliveryOf(row), event, tries: (tries.get(text(row, "id")) ?? []).map(attemptOf) };
  });
}

/** In order, by delivery. */
async function attemptsOf(
  on: Statements,
  deliveryIds: readonly string[],
): Promise<ReadonlyMap<string, readonly Row[]>> {
  if (deliveryIds.length === 0) return new Map();
  const ids = padded(deliveryIds);
  const rows = await on.rows(
    `SELECT delivery_id, at, status, fault, milliseconds, address FROM webhook_attempts
     WHERE delivery_id IN (${placeholders(ids.length, 1)}) ORDER BY delivery_id, nth`,
    ...ids,
  );
  return Map.groupBy(rows, (row) => text(row, "delivery_id"));
}
