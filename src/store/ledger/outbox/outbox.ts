/**
 * The outbox: publishes official versions with events and deliveries, serves workers and readers, and removes deliveries long after
 * they ended.
 */

import type { Instant } from "#domain/time/day.ts";
import type { FailingEndpoint, Outbox } from "#ports/webhooks.ts";
import { all, type LedgerParts, type Transaction } from "#store/ledger/engine/engine.ts";
import {
  integer,
  integerOrNull,
  listOf,
  mapping,
  type Row,
  raw,
  type Sql,
  sql,
  text,
} from "#store/ledger/engine/rows.ts";
import { claims, removeIdleDead } from "./claim.ts";
import { completing } from "./complete.ts";
import { publishing } from "./publish.ts";
import {
  attemptOf,
  deliveredEventOf,
  deliveryOf,
  type EndpointLimits,
  eventOf,
  SELECT_DELIVERIES,
  withinPlan,
} from "./rows.ts";

/** `limits` are the most endpoints of each plan; endpoints beyond them are sent nothing. */
export function outbox(parts: LedgerParts, limits: EndpointLimits): Outbox {
  const { engine } = parts;
  const { read } = engine;
  const committed = async (
    conditions: Sql,
    tables: readonly string[] | null,
    order: "ASC" | "DESC",
    limit: number,
  ) => {
    if (tables?.length === 0) return [];
    const of = tables === null ? raw("table_id IS NOT NULL") : sql`table_id IN (${listOf(tables)})`;
    return await all(read, (row) => ({ ...eventOf(row), position: integer(row, "position") }))`
      SELECT position, id, type, created_at, body FROM webhook_events
      WHERE ${of} ${conditions} ORDER BY position ${raw(order)} LIMIT ${limit}`;
  };
  return {
    ...claims(parts, limits),
    ...publishing(parts, limits),
    ...completing(parts),
    changes: ({ after, since, tables, limit }) => {
      // By position, not by instant: when a clock was wrong for a while, a later commit has an earlier instant.
      const from =
        since === null
          ? raw("")
          : sql`AND position >= (SELECT min(position) FROM webhook_events WHERE created_at >= ${since} AND table_id IS NOT NULL)`;
      return committed(sql`AND position > ${after ?? 0} ${from}`, tables, "ASC", limit);
    },
    newestChanges: ({ before, tables, limit }) =>
      committed(before === null ? raw("") : sql`AND position < ${before}`, tables, "DESC", limit),
    deliveries: async (endpointId, organizationId, limit) => {
      const rows = await read.rows`
        ${SELECT_DELIVERIES} WHERE delivery.endpoint_id = ${endpointId} AND delivery.organization_id = ${organizationId}
        ORDER BY delivery.event_position DESC LIMIT ${limit}`;
      if (rows.length === 0) return [];
      const attempts = await read.rows`
        SELECT delivery_id, at, status, fault, milliseconds, address, head FROM webhook_attempts
        WHERE delivery_id IN (${listOf(rows.map((row) => text(row, "id")))})
          AND nth > (SELECT attempts FROM webhook_deliveries WHERE id = delivery_id) - ${MOST_TRIES}
        ORDER BY delivery_id, nth`;
      const tries = Map.groupBy(attempts, (row) => text(row, "delivery_id"));
      return rows.map((row) => ({
        ...deliveryOf(row),
        event: deliveredEventOf(row),
        tries: (tries.get(text(row, "id")) ?? []).map(attemptOf),
      }));
    },
    backlog: async (at) => {
      const [row] = await read.rows`
        SELECT count(*) AS n, min(due_at) AS oldest FROM (
          SELECT due_at FROM webhook_deliveries
          WHERE state = 'pending' AND worker IS NULL AND due_at <= ${at}
            AND endpoint_id IN (SELECT endpoint.id FROM webhook_endpoints AS endpoint WHERE ${withinPlan(limits, at)})
          ORDER BY due_at LIMIT ${MOST_COUNTED}) AS due`;
      return { due: integer(row as Row, "n"), oldestDueAt: integerOrNull(row as Row, "oldest") };
    },
    /** Counts by endpoint the deliveries that have only failed so far. Given-up deliveries count as long as they are stored. */
    failing: (limit) => all(read, FAILING.of)`
      SELECT endpoint.id AS endpoint_id, endpoint.url, organizations.owner_id, count(*) AS deliveries,
        min(delivery.due_at) AS next_at, max(delivery.changed_at) AS last_at
      FROM webhook_deliveries AS delivery
      JOIN webhook_endpoints AS endpoint ON endpoint.id = delivery.endpoint_id
      JOIN organizations ON organizations.id = endpoint.organization_id
      WHERE delivery.attempts > 0 AND delivery.state IN ('pending', 'failed')
      GROUP BY endpoint.id, endpoint.url, organizations.owner_id ORDER BY deliveries DESC, endpoint.id LIMIT ${limit}`,
    prune: async (before) => {
      await removeIdleDead(engine);
      let pruned = 0;
      for (;;) {
        const some = await engine.write((transaction) => pruneSome(transaction, limits, before), "relaxed");
        pruned += some;
        if (some < AT_ONCE) return pruned;
      }
    },
  };
}

/** The newest attempts of a delivery that are read: it can be replayed a hundred times an hour. */
const MOST_TRIES = 50;
/** The count of the backlog stops here: the age of the oldest delivery shows how bad it is. */
const MOST_COUNTED = 10_000;
/** The most deliveries of one transaction: other writes must run in between. */
const AT_ONCE = 256;

const FAILING = mapping<FailingEndpoint>({
  endpointId: text,
  url: text,
  ownerId: text,
  deliveries: integer,
  lastAt: integer,
  nextAt: integerOrNull,
});

/**
 * Removes deliveries unchanged since before the instant; resolves with their number. What can still be sent stays: a clock that
 * is ahead makes everything old.
 */
async function pruneSome(transaction: Transaction, limits: EndpointLimits, before: Instant): Promise<number> {
  const rows = await transaction.rows`
    DELETE FROM webhook_deliveries WHERE id IN (
      SELECT id FROM webhook_deliveries
      WHERE changed_at < ${before} AND (due_at IS NULL OR due_at < ${before}) AND worker IS NULL
        AND (state <> 'pending' OR endpoint_id NOT IN (
          SELECT endpoint.id FROM webhook_endpoints AS endpoint WHERE ${withinPlan(limits, before)}))
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
