/** What is due and no worker has in hand. */

import type { Tier } from "#domain/account/organization.ts";
import type { Instant } from "#domain/day.ts";
import type { Backlog } from "#ports/webhooks.ts";
import type { LedgerParts } from "./engine.ts";
import { maySend } from "./may-send.ts";
import { integer, integerOrNull, type Row } from "./rows.ts";

/** Beyond these nobody counts: the age of the oldest says how bad it is. */
const MOST_COUNTED = 10_000;

export async function backlog(
  { engine }: LedgerParts,
  tiers: readonly Tier[],
  at: Instant,
): Promise<Backlog> {
  const eligible = maySend(tiers, at, "$3");
  const [row] = await engine.read.rows(
    `SELECT count(*) AS n, min(due_at) AS oldest FROM (
       SELECT delivery.due_at FROM webhook_deliveries AS delivery
       JOIN webhook_endpoints AS endpoint ON endpoint.id = delivery.endpoint_id
       WHERE delivery.state = 'pending' AND delivery.worker IS NULL AND delivery.due_at <= $1 AND ${eligible.sql}
       ORDER BY delivery.due_at LIMIT $2) AS due`,
    at,
    MOST_COUNTED,
    eligible.param,
  );
  return { due: integer(row as Row, "n"), oldestDueAt: integerOrNull(row as Row, "oldest") };
}
