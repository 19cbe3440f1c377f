/** Reads of the outbox: committed events in their order, deliveries with their attempts, and the backlog. */

import type { Instant } from "#domain/time/day.ts";
import type { WebhookEvent } from "#domain/webhook/endpoint.ts";
import type { Backlog, CommittedEvent, Outbox } from "#ports/webhooks.ts";
import type { LedgerParts, Statements } from "#store/ledger/engine/engine.ts";
import {
  integer,
  integerOrNull,
  type Param,
  padded,
  placeholders,
  type Row,
  text,
} from "#store/ledger/engine/rows.ts";
import { type EndpointLimits, withinPlan } from "#store/ledger/keys/plan-room.ts";
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
  const ids = rows.map((row) => text(row, "id"));
  const tries = await attemptsOf(on, ids);
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

/** The count stops here: the age of the oldest shows how bad it is. */
const MOST_COUNTED = 10_000;

export async function backlog(
  { engine }: LedgerParts,
  limits: EndpointLimits,
  at: Instant,
): Promise<Backlog> {
  const eligible = withinPlan(limits, at, "$3");
  const [row] = await engine.read.rows(
    `SELECT count(*) AS n, min(due_at) AS oldest FROM (
       SELECT due_at FROM webhook_deliveries
       WHERE state = 'pending' AND worker IS NULL AND due_at <= $1
         AND endpoint_id IN (SELECT endpoint.id FROM webhook_endpoints AS endpoint WHERE ${eligible.sql})
       ORDER BY due_at LIMIT $2) AS due`,
    at,
    MOST_COUNTED,
    eligible.param,
  );
  return { due: integer(row as Row, "n"), oldestDueAt: integerOrNull(row as Row, "oldest") };
}
