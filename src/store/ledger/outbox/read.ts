/** Reads of the outbox: committed events in their order, deliveries with their attempts, and the backlog. */

import type { Instant } from "#domain/time/day.ts";
import type { WebhookEvent } from "#domain/webhook/endpoint.ts";
import type { Backlog, CommittedEvent, Outbox } from "#ports/webhooks.ts";
import type { LedgerParts, Statements } from "#store/ledger/engine/engine.ts";
import { integer, integerOrNull, listOf, type Row, raw, sql, text } from "#store/ledger/engine/rows.ts";
import { type EndpointLimits, withinPlan } from "#store/ledger/keys/plan-room.ts";
import { attemptOf, deliveryOf, eventOf, SELECT_DELIVERIES } from "./rows.ts";

export async function changes(
  on: Statements,
  { after, since, tables, limit }: Parameters<Outbox["changes"]>[0],
): Promise<readonly CommittedEvent[]> {
  if (tables?.length === 0) return [];
  // By place, not by instant: where a clock was wrong for a while, a later commit has an earlier instant.
  const from =
    since === null
      ? raw("")
      : sql`AND position >= (SELECT min(position) FROM webhook_events WHERE created_at >= ${since} AND table_id IS NOT NULL)`;
  const of = tables === null ? raw("table_id IS NOT NULL") : sql`table_id IN (${listOf(tables)})`;
  const rows = await on.rows`
    SELECT position, id, type, created_at, body FROM webhook_events
    WHERE position > ${after ?? 0} ${from} AND ${of} ORDER BY position LIMIT ${limit}`;
  return rows.map((row) => ({ ...eventOf(row), position: integer(row, "position") }));
}

export async function newestChanges(
  on: Statements,
  { before, tables, limit }: Parameters<Outbox["newestChanges"]>[0],
): Promise<readonly CommittedEvent[]> {
  if (tables?.length === 0) return [];
  const until = before === null ? raw("") : sql`AND position < ${before}`;
  const of = tables === null ? raw("table_id IS NOT NULL") : sql`table_id IN (${listOf(tables)})`;
  const rows = await on.rows`
    SELECT position, id, type, created_at, body FROM webhook_events
    WHERE ${of} ${until} ORDER BY position DESC LIMIT ${limit}`;
  return rows.map((row) => ({ ...eventOf(row), position: integer(row, "position") }));
}

export async function deliveries(
  on: Statements,
  endpointId: string,
  organizationId: string,
  limit: number,
): ReturnType<Outbox["deliveries"]> {
  const rows = await on.rows`
    ${SELECT_DELIVERIES} WHERE delivery.endpoint_id = ${endpointId} AND delivery.organization_id = ${organizationId}
    ORDER BY delivery.event_position DESC LIMIT ${limit}`;
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
  const rows = await on.rows`
    SELECT delivery_id, at, status, fault, milliseconds, address FROM webhook_attempts
    WHERE delivery_id IN (${listOf(deliveryIds)}) ORDER BY delivery_id, nth`;
  return Map.groupBy(rows, (row) => text(row, "delivery_id"));
}

/** The count stops here: the age of the oldest shows how bad it is. */
const MOST_COUNTED = 10_000;

export async function backlog(
  { engine }: LedgerParts,
  limits: EndpointLimits,
  at: Instant,
): Promise<Backlog> {
  const [row] = await engine.read.rows`
    SELECT count(*) AS n, min(due_at) AS oldest FROM (
      SELECT due_at FROM webhook_deliveries
      WHERE state = 'pending' AND worker IS NULL AND due_at <= ${at}
        AND endpoint_id IN (SELECT endpoint.id FROM webhook_endpoints AS endpoint WHERE ${withinPlan(limits, at)})
      ORDER BY due_at LIMIT ${MOST_COUNTED}) AS due`;
  return { due: integer(row as Row, "n"), oldestDueAt: integerOrNull(row as Row, "oldest") };
}
