/** What is queued for endpoints beyond the plan's number ends: checked at every poll of a worker, whatever made the plan smaller. */

import type { Instant } from "#domain/time/day.ts";
import type { Transaction } from "#store/ledger/engine/engine.ts";
import { padded, placeholders, text } from "#store/ledger/engine/rows.ts";
import { beyondPlan, type Condition, type EndpointLimits } from "#store/ledger/keys/plan-room.ts";

/** Endpoints, and deliveries of them, of one transaction: so few that others' writes get in between. */
const AT_ONCE = 256;

/** Something is queued that no worker has in hand. What one has in hand may be finished. */
const QUEUED = "FROM webhook_deliveries WHERE state = 'pending' AND worker IS NULL";
/** One step in an index for each endpoint, however long its queue is. */
const HAS_QUEUED = `(SELECT min(due_at) ${QUEUED} AND endpoint_id = endpoint.id) IS NOT NULL`;

/** The condition that something is queued for an endpoint beyond its plan. */
export function someOverPlan(limits: EndpointLimits, at: Instant, placeholder: string): Condition {
  const { sql, param } = beyondPlan(limits, at, placeholder);
  return {
    // Nothing at all is queued most of the time: then no endpoint is looked at.
    sql: `EXISTS (SELECT 1 ${QUEUED})
      AND EXISTS (SELECT 1 FROM webhook_endpoints AS endpoint WHERE ${HAS_QUEUED} AND ${sql})`,
    param,
  };
}

/** Endpoints that another transaction has locked are left to the next poll, as a claim leaves them. */
export async function endOverPlan(
  transaction: Transaction,
  limits: EndpointLimits,
  at: Instant,
): Promise<void> {
  const beyond = beyondPlan(limits, at, "$2");
  const rows = await transaction.rows(
    `SELECT endpoint.id FROM webhook_endpoints AS endpoint WHERE ${HAS_QUEUED} AND ${beyond.sql}
     ORDER BY endpoint.id LIMIT $1${transaction.forUpdateSkipLocked}`,
    AT_ONCE,
    beyond.param,
  );
  if (rows.length === 0) return;
  const endpoints = padded(rows.map((row) => text(row, "id")));
  // A claim that ended with its worker leaves its token: without it a late completion of that attempt finds nothing.
  await transaction.run(
    `UPDATE webhook_deliveries
     SET state = 'dropped', reason = 'over_plan', due_at = NULL, token = NULL, changed_at = $1
     WHERE state = 'pending' AND worker IS NULL
       AND id IN (SELECT id ${QUEUED} AND endpoint_id IN (${placeholders(endpoints.length, 3)}) LIMIT $2)`,
    at,
    AT_ONCE,
    ...endpoints,
  );
}
