/** The outbox: official versions with their events and deliveries, what workers do with these, reads, and forgetting them long after they ended. */

import type { Instant } from "#domain/time/day.ts";
import type { Backlog, CommittedEvent, Outbox } from "#ports/webhooks.ts";
import type { LedgerParts, Statements, Transaction } from "#store/ledger/engine/engine.ts";
import { integer, integerOrNull, listOf, type Row, raw, sql, text } from "#store/ledger/engine/rows.ts";
import { beat, claim, held, release, removeIdleDead, retire } from "./claim.ts";
import { completions, replay } from "./complete.ts";
import { publish, publishTest } from "./publish.ts";
import {
  attemptOf,
  deliveredEventOf,
  deliveryOf,
  type EndpointLimits,
  eventOf,
  SELECT_DELIVERIES,
  withinPlan,
} from "./rows.ts";

/** `limits` are how many endpoints each plan has room for: those beyond are sent nothing. */
export function outbox(parts: LedgerParts, limits: EndpointLimits): Outbox {
  const { engine } = parts;
  return {
    publish: (versions, at, under = null) => publish(parts, limits, versions, at, under),
    publishTest: (event, endpointId, at) =>
      engine.write((transaction) => publishTest(transaction, event, endpointId, at)),
    changes: (query) => changes(engine.read, query),
    newestChanges: (query) => newestChanges(engine.read, query),
    claim: (wish) => claim(parts, limits, wish),
    beat: (worker) => beat(engine, worker),
    release: (claims) => release(engine, claims),
    held: (worker) => held(engine, worker),
    retire: (worker) => retire(engine, worker),
    backlog: (at) => backlog(parts, limits, at),
    failing: (limit) => failing(engine.read, limit),
    complete: completions(engine),
    replay: (deliveryId, organizationId, at, by) =>
      engine.write((transaction) => replay(transaction, deliveryId, organizationId, at, by)),
    deliveries: (endpointId, organizationId, limit) =>
      deliveries(engine.read, endpointId, organizationId, limit),
    prune: (before) => prune(parts, before),
  };
}

/** So few a transaction that others' writes get in between. */
const AT_ONCE = 256;

/**
 * Those that nothing has happened to since before the instant; among them are some still pending only where their
 * organization may not send, or where no worker runs. Resolves with how many.
 */
async function prune({ engine }: LedgerParts, before: Instant): Promise<number> {
  await removeIdleDead(engine);
  let pruned = 0;
  for (;;) {
    const some = await engine.write((transaction) => pruneSome(transaction, before), "relaxed");
    pruned += some;
    if (some < AT_ONCE) return pruned;
  }
}

async function pruneSome(transaction: Transaction, before: Instant): Promise<number> {
  const rows = await transaction.rows`
    DELETE FROM webhook_deliveries WHERE id IN (
      SELECT id FROM webhook_deliveries
      WHERE changed_at < ${before} AND (due_at IS NULL OR due_at < ${before}) AND worker IS NULL
      ORDER BY changed_at LIMIT ${AT_ONCE})
    RETURNING endpoint_id`;
  if (rows.length === 0) return 0;
  const endpoints = listOf([...new Set(rows.map((row) => text(row, "endpoint_id")))]);
  await transaction.run`
    DELETE FROM webhook_events WHERE endpoint_id IN (${endpoints}) AND NOT EXISTS (
      SELECT 1 FROM webhook_deliveries
      WHERE webhook_deliveries.endpoint_id = webhook_events.endpoint_id AND event_position = webhook_events.position)`;
  return rows.length;
}

async function changes(
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

async function newestChanges(
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

async function deliveries(
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
  return rows.map((row) => ({
    ...deliveryOf(row),
    event: deliveredEventOf(row),
    tries: (tries.get(text(row, "id")) ?? []).map(attemptOf),
  }));
}

/** In order, by delivery. */
async function attemptsOf(
  on: Statements,
  deliveryIds: readonly string[],
): Promise<ReadonlyMap<string, readonly Row[]>> {
  if (deliveryIds.length === 0) return new Map();
  const rows = await on.rows`
    SELECT delivery_id, at, status, fault, milliseconds, address, head FROM webhook_attempts
    WHERE delivery_id IN (${listOf(deliveryIds)}) ORDER BY delivery_id, nth`;
  return Map.groupBy(rows, (row) => text(row, "delivery_id"));
}

/** The count stops here: the age of the oldest shows how bad it is. */
const MOST_COUNTED = 10_000;

async function backlog({ engine }: LedgerParts, limits: EndpointLimits, at: Instant): Promise<Backlog> {
  const [row] = await engine.read.rows`
    SELECT count(*) AS n, min(due_at) AS oldest FROM (
      SELECT due_at FROM webhook_deliveries
      WHERE state = 'pending' AND worker IS NULL AND due_at <= ${at}
        AND endpoint_id IN (SELECT endpoint.id FROM webhook_endpoints AS endpoint WHERE ${withinPlan(limits, at)})
      ORDER BY due_at LIMIT ${MOST_COUNTED}) AS due`;
  return { due: integer(row as Row, "n"), oldestDueAt: integerOrNull(row as Row, "oldest") };
}

/** Deliveries that only failed so far, by endpoint; those that gave up count for as long as they are stored. */
async function failing(on: Statements, limit: number): ReturnType<Outbox["failing"]> {
  const rows = await on.rows`
    SELECT endpoint.id, endpoint.url, organizations.owner_id, count(*) AS n, min(delivery.due_at) AS next_at,
      max(delivery.changed_at) AS last_at
    FROM webhook_deliveries AS delivery
    JOIN webhook_endpoints AS endpoint ON endpoint.id = delivery.endpoint_id
    JOIN organizations ON organizations.id = endpoint.organization_id
    WHERE delivery.attempts > 0 AND delivery.state IN ('pending', 'failed')
    GROUP BY endpoint.id, endpoint.url, organizations.owner_id ORDER BY n DESC, endpoint.id LIMIT ${limit}`;
  return rows.map((row) => ({
    endpointId: text(row, "id"),
    url: text(row, "url"),
    ownerId: text(row, "owner_id"),
    deliveries: integer(row, "n"),
    lastAt: integer(row, "last_at"),
    nextAt: integerOrNull(row, "next_at"),
  }));
}
