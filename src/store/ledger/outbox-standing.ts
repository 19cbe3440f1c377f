/** What is due and nobody has in hand; and claims that were made and will not be used. */

import type { Tier } from "#domain/account/organization.ts";
import type { Instant } from "#domain/day.ts";
import type { Backlog, ClaimedDelivery } from "#ports/webhooks.ts";
import type { LedgerParts, Transaction } from "./engine.ts";
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
       WHERE delivery.state = 'pending' AND delivery.ready_at <= $1 AND ${eligible.sql}
       ORDER BY delivery.ready_at LIMIT $2) AS due`,
    at,
    MOST_COUNTED,
    eligible.param,
  );
  return { due: integer(row as Row, "n"), oldestDueAt: integerOrNull(row as Row, "oldest") };
}

/** Due as before, at once. Nothing when the claim is no longer held. */
export async function release(
  transaction: Transaction,
  { id, token }: Pick<ClaimedDelivery, "id" | "token">,
): Promise<void> {
  await transaction.run(
    "UPDATE webhook_deliveries SET token = NULL, ready_at = due_at WHERE id = $1 AND token = $2",
    id,
    token,
  );
}
