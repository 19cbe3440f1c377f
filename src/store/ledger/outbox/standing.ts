/** What is due and no worker has in hand. */

import type { Instant } from "#domain/time/day.ts";
import type { Backlog } from "#ports/webhooks.ts";
import type { LedgerParts } from "#store/ledger/engine/engine.ts";
import { integer, integerOrNull, type Row } from "#store/ledger/engine/rows.ts";
import { type EndpointLimits, withinPlan } from "#store/ledger/keys/plan-room.ts";

/** Beyond these nobody counts: the age of the oldest says how bad it is. */
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
